import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { photo } from "../rest/sample-files.js";
import { Deployment } from "../support/deployment.js";
import { EMAIL, PASSWORD, sender, TEST_SETTINGS } from "../support/server.js";

const OPERATIONS = "/api/v2/products/api/operations";

let folder: string;
let deployment: Deployment;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-files-crash-"));
  await mkdir(path.join(folder, "tmp"));
  const env = {
    ...TEST_SETTINGS,
    NODE_ENV: "test",
    LOG_LEVEL: "info",
    DATA_DIR: path.join(folder, "data"),
    TMPDIR: path.join(folder, "tmp"),
    LEASE_SECONDS: "2",
  };
  deployment = await Deployment.prepare({ topology: "one-process", env });
});
afterEach(async () => {
  await deployment.end("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function signIn(): Promise<string> {
  const user = { email: EMAIL, password: PASSWORD };
  const answer = await sender(deployment.url)("POST", "/api/v1/users/sign_in", { body: { user } });
  return answer.headers.get("authorization") ?? "";
}

async function upload(authorization: string, number: number): Promise<number> {
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(await photo(number))]), "photo.jpg");
  const answer = await fetch(`${deployment.url}${OPERATIONS}/upload`, {
    method: "POST",
    headers: { authorization },
    body,
  });
  return ((await answer.json()) as { id: number }).id;
}

const scratchFolders = async () => (await readdir(path.join(folder, "tmp"))).filter((name) => name.includes("scratch"));

it("ends an operation on files, once, after the process died over it, and clears up what that left", async () => {
  const product = deployment.part("product");
  product.start({ FAILPOINTS: "worker.mid=1" });
  await deployment.ready();
  const authorization = await signIn();
  const contents = [await upload(authorization, 1), await upload(authorization, 2)];
  const send = sender(deployment.url);
  const body = { type: "file", analyses: ["object-id"], contents };
  const { body: created } = await send("POST", OPERATIONS, { authorization, body });
  const { id } = created as { id: number };
  await vi.waitFor(() => expect(product.isRunning).toBe(false));
  expect(await scratchFolders()).toHaveLength(1);

  product.start();
  await deployment.ready();
  expect(await scratchFolders()).toHaveLength(1);
  const read = await send("GET", `${OPERATIONS}/${id}?wait=60`, { authorization });
  expect(read.body).toMatchObject({ status: "done", data: { contents_count: 2 } });
  const again = await send("POST", OPERATIONS, { authorization, body });
  expect(again.status, "a file is used once, whatever happened").toBe(400);

  expect(await deployment.end("SIGTERM")).toEqual([]);
  expect(await scratchFolders()).toEqual([]);
  expect(deployment.endings.get(id)).toBe(1);
  expect(deployment.errors).toEqual([]);
});
