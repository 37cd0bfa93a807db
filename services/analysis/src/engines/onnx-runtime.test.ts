import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { env } from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { forbidTelemetry } from "./onnx-runtime.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "quiet-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("leaves nothing of the runtime's reports to its maker", async () => {
  forbidTelemetry();
  const load = `import("onnxruntime-node").then(({ InferenceSession }) => InferenceSession.create("missing")).catch(() => {})`;
  const places = { TMPDIR: folder, HOME: folder, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder };
  await promisify(execFile)(process.execPath, ["-e", load], { env: { ...env, ...places }, cwd: import.meta.dirname });
  expect(await readdir(folder)).toEqual([]);
});
