import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { photo } from "../rest/sample-files.js";
import { Deployment, type Topology } from "../support/deployment.js";
import { LIMITS } from "../support/limits.js";
import { EMAIL, PASSWORD, sender, TEST_SETTINGS } from "../support/server.js";

const OPERATIONS = "/api/v2/products/api/operations";

let folder: string;
let deployment: Deployment;

function prepare(topology: Topology): Promise<Deployment> {
  const env = {
    ...TEST_SETTINGS,
    NODE_ENV: "test",
    LOG_LEVEL: "info",
    DATA_DIR: path.join(folder, "data"),
    TMPDIR: path.join(folder, "tmp"),
    LEASE_SECONDS: "2",
  };
  return Deployment.prepare({ topology, env });
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-files-crash-"));
  await mkdir(path.join(folder, "tmp"));
  deployment = await prepare("one-process");
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

/** Where a creation that has claimed files dies, and then, in turn, who takes over from it. */
const DEATHS: readonly (readonly string[])[] = [
  ["media.mid_claim"],
  ["operation.after_attempt"],
  ["operation.after_claim"],
  ["operation.after_chunks"],
  ["operation.before_insert"],
  ["operation.after_insert"],
  ["operation.before_insert", "operation.mid_abandon", "media.mid_release", "operation.after_release"],
];

/** Another process that gives the creation up first would leave a repetition nothing to die over. */
async function withoutSweeper(): Promise<void> {
  const worker = deployment.part("worker-1");
  await worker.end("SIGTERM");
  worker.start({ WORKER_ROLES: "operation.run" });
  await deployment.ready();
}

describe.each(["one-process", "processes"] as const)("creating an operation from files, %s", (topology) => {
  beforeEach(async () => {
    deployment = await prepare(topology);
    deployment.start();
    await deployment.ready();
  });

  it.each(DEATHS.map((steps) => ({ steps })))(
    "succeeds by repetition with its key after death at $steps",
    { timeout: LIMITS.processes },
    async ({ steps }) => {
      const authorization = await signIn();
      const headers = { "idempotency-key": "only-once" };
      const contents = [await upload(authorization, 1), await upload(authorization, 2)];
      const body = { type: "file", analyses: ["face-id"], contents };
      const create = () => sender(deployment.url)("POST", OPERATIONS, { authorization, headers, body });
      if (topology === "processes") await withoutSweeper();
      for (const step of steps) {
        const victim = deployment.partOfStep(step);
        await victim.end("SIGTERM");
        victim.start({ FAILPOINTS: `${step}=1` });
        await deployment.ready();
        await vi.waitFor(
          async () => {
            const status = await create().then(
              (answer) => answer.status,
              () => "no answer",
            );
            if (step !== "operation.after_insert") expect(status).not.toBe(201);
            expect(status).not.toBe(400);
            expect(victim.isRunning, `passed ${step}`).toBe(false);
          },
          { timeout: LIMITS.condition, interval: 100 },
        );
        victim.start();
        await deployment.ready();
      }
      const answers: number[] = [];
      const repeated = () =>
        vi.waitFor(
          async () => {
            const { status, body } = await create();
            answers.push(status);
            expect(status).toBe(201);
            return body;
          },
          { timeout: LIMITS.condition, interval: 100 },
        );
      expect(await repeated()).toEqual(await repeated());
      expect(answers.filter((status) => status !== 201 && status !== 503)).toEqual([]);
      const { operations } = (await sender(deployment.url)("GET", OPERATIONS, { authorization })).body as {
        operations: unknown[];
      };
      expect(operations).toHaveLength(1);
    },
  );

  it(
    "without a key leaves its files free again within a minute of its death",
    { timeout: LIMITS.processes },
    async () => {
      const authorization = await signIn();
      const contents = [await upload(authorization, 1)];
      const victim = deployment.part(topology === "processes" ? "operation" : "product");
      await victim.end("SIGTERM");
      victim.start({ FAILPOINTS: "operation.before_insert=1" });
      await deployment.ready();
      const body = { type: "file", analyses: ["face-id"], contents };
      const create = () => sender(deployment.url)("POST", OPERATIONS, { authorization, body });
      await create().catch(() => undefined);
      await vi.waitFor(() => expect(victim.isRunning).toBe(false), { timeout: LIMITS.condition });
      victim.start();
      await deployment.ready();
      await vi.waitFor(async () => expect((await create()).status).toBe(201), {
        timeout: LIMITS.condition,
        interval: 500,
      });
    },
  );
});
