import { spawn } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { done, failed, runAdmin } from "./admin-command.js";

const SERVER = fileURLToPath(new URL("../../services/standalone/dist/main.js", import.meta.url));

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-damaged-"));
  dataDir = path.join(folder, "data");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const admin = (...args: string[]) => runAdmin({ DATA_DIR: dataDir }, args);

/** Starts the server and waits until it exits. */
async function failedStart(): Promise<{ code: number | null; stderr: string }> {
  const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent" };
  const child = spawn(process.execPath, [SERVER], { env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stderr };
}

it("a server and the commands of its operator say in one line that the database is damaged, and what to do", async () => {
  expect(await admin("company", "create", "--name", "Acme")).toEqual(done(/Acme/));
  const file = path.join(dataDir, "hourglass.db");
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(4096), 0, 4096, 4096);
  await handle.close();

  const line = /The database [^\n]*hourglass\.db is damaged: [^\n]+ restore the newest backup [^\n]+\.\n$/;
  const start = await failedStart();
  expect(start).toEqual({ code: 1, stderr: expect.stringMatching(line) as string });
  expect(start.stderr.split("\n")).toHaveLength(2);
  for (const command of [
    ["user", "list"],
    ["jobs", "dead"],
    ["backup", "--to", path.join(folder, "copy")],
  ]) {
    expect(await admin(...command)).toEqual(failed(line));
  }
});
