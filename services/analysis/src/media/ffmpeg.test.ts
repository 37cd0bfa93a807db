import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type FfmpegRun, ffmpegStatus, findFfmpeg, runFfmpeg } from "./ffmpeg.js";
import { LateFileError } from "./probe/facts.js";
import type { Overrun, watchTime } from "./time-limits.js";

describe("the program", () => {
  it("finds a program of this machine, or the one that came by npm", async () => {
    expect(await ffmpegStatus({})).toMatchObject({ ready: true, version: expect.stringMatching(/\S/) });
  });

  /** A script that reports a version like ffmpeg's. */
  async function ffmpegOf(folder: string, copyright: string): Promise<string> {
    const file = path.join(folder, "ffmpeg");
    const script = `#!/usr/bin/env node\nconsole.log("ffmpeg version 4.1 Copyright (c) ${copyright} the FFmpeg developers")\n`;
    await writeFile(file, script, { mode: 0o755 });
    return file;
  }

  it.skipIf(process.platform === "win32").each([
    ["2000-2018", /^ffmpeg 4\.1 is of 2018 and lacks .*apt install ffmpeg.* FFMPEG_PATH\.$/],
    ["2000-2023", undefined],
  ])("warns of a program that gets no security fixes any more: %s", async (copyright, warning) => {
    const folder = await mkdtemp(path.join(tmpdir(), "hourglass-ffmpeg-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const status = await ffmpegStatus({ ffmpegPath: await ffmpegOf(folder, copyright) });
    expect(status).toMatchObject({ ready: true, version: "4.1" });
    const given = "warning" in status ? status.warning : undefined;
    if (warning === undefined) expect(given).toBeUndefined();
    else expect(given).toMatch(warning);
  });

  it("says what to do about a setting that names no ffmpeg", async () => {
    expect(await ffmpegStatus({ ffmpegPath: process.execPath })).toEqual({
      ready: false,
      error: expect.stringMatching(/^FFMPEG_PATH names .* correct it\.$/),
    });
  });
});

describe("a run", () => {
  /** Keeps ffmpeg running for an hour without output, so that no broken pipe ends it. */
  const ENDLESS = ["-re", "-f", "lavfi", "-i", "anullsrc", "-t", "3600", "-f", "null", "-"];
  const MODULES = new URL("../../dist/media/", import.meta.url).href;

  /** A process that runs ffmpeg. */
  function startParent(): ChildProcess {
    const program = `
    import { findFfmpeg, runFfmpeg } from "${MODULES}ffmpeg.js";
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

  const hasSetpriv = existsSync("/usr/bin/setpriv");

  it.skipIf(!hasSetpriv)("ends with the process that started it, even one that was killed", async () => {
    const parent = startParent();
    await once(parent.stdout!, "data");
    const [ffmpeg = 0] = await childrenOf(parent);
    expect(isAlive(ffmpeg)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(ffmpeg)).toBe(false), 30_000);
  });

  /** Reads the output, which must be empty. */
  async function drain({ output }: FfmpegRun): Promise<void> {
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
    await drain(run);
    expect((await run.ended).clean).toBe(false);
  });

  it("is late, and the file not to blame, when it says nothing without having had the processor", async () => {
    const run = runFfmpeg(await findFfmpeg({}), ENDLESS, { watch: finding("late") });
    await expect(drain(run)).rejects.toThrow(LateFileError);
    expect((await run.ended).clean).toBe(false);
  });
});
