import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { findFfmpeg } from "./ffmpeg.js";
import { LateFileError } from "../file-errors.js";
import type { Overrun, watchTime } from "../time-watch.js";
import { type FfmpegRun, runFfmpeg } from "./ffmpeg-run.js";

/** Keeps ffmpeg running for an hour without output, so that no broken pipe ends it. */
const ENDLESS = ["-re", "-f", "lavfi", "-i", "anullsrc", "-t", "3600", "-f", "null", "-"];
const MODULES = new URL("../../../dist/decode/video/", import.meta.url).href;

/** A process that runs ffmpeg. */
function startParent(): ChildProcess {
  const program = `
    import { findFfmpeg } from "${MODULES}ffmpeg.js";
    import { runFfmpeg } from "${MODULES}ffmpeg-run.js";
    const { output } = runFfmpeg(await findFfmpeg({}), ${JSON.stringify(ENDLESS)}, { onLine: (line) => console.log(line) });
    for await (const piece of output) console.log(piece);
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The child processes of another process. */
async function childrenOf({ pid = 0 }: ChildProcess): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.split(" ").map(Number).filter(Boolean);
}

const isTold = existsSync("/usr/bin/setpriv");

it.skipIf(!isTold)("ends with the process that started it, even one that was killed", async () => {
  const parent = startParent();
  await once(parent.stdout!, "data");
  const [ffmpeg = 0] = await childrenOf(parent);
  expect(isAlive(ffmpeg)).toBe(true);
  parent.kill("SIGKILL");
  await vi.waitFor(() => expect(isAlive(ffmpeg)).toBe(false), 30_000);
});

/** Reads the output, which must be empty. */
async function hear({ output }: FfmpegRun): Promise<void> {
  for await (const piece of output) expect(piece).toBeUndefined();
}

/** A watch that finds this at its first look, whatever the machine does. */
const finding =
  (overrun: Overrun): typeof watchTime =>
  (_pid, _limits, onOverrun) => {
    const look = setImmediate(() => onOverrun(overrun));
    return () => clearImmediate(look);
  };

it("is stopped when it works for too long without anything to say", async () => {
  const run = runFfmpeg(await findFfmpeg({}), ENDLESS, { watch: finding("spent") });
  await hear(run);
  expect((await run.ended).clean).toBe(false);
});

it("is late, and the file not to blame, when it says nothing without having had the processor", async () => {
  const run = runFfmpeg(await findFfmpeg({}), ENDLESS, { watch: finding("late") });
  await expect(hear(run)).rejects.toThrow(LateFileError);
  expect((await run.ended).clean).toBe(false);
});
