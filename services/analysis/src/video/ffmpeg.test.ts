import { expect, it } from "vitest";
import { ffmpegStatus } from "./ffmpeg.js";

it("finds a program of this machine, or the one that came by npm", async () => {
  expect(await ffmpegStatus({})).toMatchObject({ ready: true, version: expect.stringMatching(/\S/) });
});

it("says what to do about a setting that names no ffmpeg", async () => {
  expect(await ffmpegStatus({ ffmpegPath: process.execPath })).toEqual({
    ready: false,
    error: expect.stringMatching(/^FFMPEG_PATH names .* correct it\.$/),
  });
});
