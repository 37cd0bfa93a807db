import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ffmpegStatus } from "./ffmpeg.js";

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
