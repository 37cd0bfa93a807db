import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { findFfmpeg } from "./ffmpeg.js";
import { LateFileError } from "../file-errors.js";
import { type FfmpegRun, runFfmpeg } from "./ffmpeg-run.js";

/** Keeps ffmpeg running for an hour without output, so that no broken pipe ends it. */
const ENDLESS = ["-re", "-f", "lavfi", "-i", "anullsrc", "-t", "3600", "-f", "null", "-"];
/** Uses all available processor time for a long time. */
const BUSY = ["-f", "lavfi", "-i", "anoisesrc", "-t", "3600000", "-f", "null", "-"];
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
  await vi.waitFor(() => expect(isAlive(ffmpeg)).toBe(false));
});

/** Reads the output, which must be empty. */
async function hear({ output }: FfmpegRun): Promise<void> {
  for await (const piece of output) expect(piece).toBeUndefined();
}

it("is stopped when it works for too long without anything to say", async () => {
  const run = runFfmpeg(await findFfmpeg({}), BUSY, { silenceMs: 200 });
  await hear(run);
  expect((await run.ended).clean).toBe(false);
});

it("is late, and the file not to blame, when it says nothing without having had the processor", async () => {
  // More than ffmpeg uses to load its libraries, also for the first time.
  const run = runFfmpeg(await findFfmpeg({}), ENDLESS, { silenceMs: 300 });
  await expect(hear(run)).rejects.toThrow(LateFileError);
  expect((await run.ended).clean).toBe(false);
});
