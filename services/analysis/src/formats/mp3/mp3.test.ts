import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspected } from "../../testing/inspected.js";
import { id3Tag, mp3Announcement, MP3_FRAME_BYTES, mp3Frame, mp3OfNoise } from "../../testing/odd-sounds-and-films.js";
import { createMediaFolder, type MediaFolder } from "../../decode/video/testing/make-media.js";

const FRAME_MS = (1152 / 44_100) * 1000;
const TEN = Buffer.concat(Array<Buffer>(10).fill(mp3Frame()));
const join =
  (...parts: Uint8Array[]) =>
  () =>
    inspected(Buffer.concat(parts));
const text = (content: string, length = content.length) => Buffer.from(content.padEnd(length, "\0"), "latin1");
let folder: MediaFolder;

beforeAll(async () => {
  folder = await createMediaFolder();
});
afterAll(() => folder.remove());

describe("MP3 files", () => {
  it.each([
    ["with a constant bitrate", "-b:a 64k"],
    ["with a variable bitrate", "-q:a 5 -ac 2"],
    ["without tags and announcement", "-id3v2_version 0 -write_xing 0"],
    ["with tags at both ends", "-write_id3v1 1 -metadata title=Tone"],
    ["of version 2", "-ar 22050 -ac 2"],
    ["of version 2.5", "-ar 8000 -b:a 8k"],
  ])("are read %s", async (_name, options) => {
    const file = await readFile(await folder.make("tone.mp3", `-f lavfi -i sine=440:d=1 ${options}`));
    const facts = inspected(file);
    expect(facts).toEqual({
      format: "mp3",
      durationMs: expect.any(Number),
      hasSound: true,
      hasPictures: false,
      sizeBytes: file.length,
    });
    // The encoder adds silence: a few frames of 26 to 72 ms.
    expect(facts.durationMs! - 1000).toBeGreaterThanOrEqual(0);
    expect(facts.durationMs! - 1000).toBeLessThan(250);
  });

  it("last as long as their frames", () => {
    expect(join(TEN)()).toMatchObject({ durationMs: Math.round(10 * FRAME_MS) });
    expect(join(TEN, mp3Frame().subarray(0, 100))()).toMatchObject({ durationMs: Math.round(10 * FRAME_MS) });
  });

  it("may have tags of every kind, several of them, and zeros between", () => {
    const lyrics = text("LYRICSBEGININD00002110LYR00003abc000034LYRICS200");
    const oldLyrics = text("LYRICSBEGINla la laLYRICSEND");
    const ape = Buffer.concat([text("APETAGEX"), Buffer.from([0xd0, 7, 0, 0, 40, 0, 0, 0]), Buffer.alloc(16 + 40, 1)]);
    const id3v1 = text("TAGtitle", 128);
    const facts = join(
      id3Tag(300),
      id3Tag(10, { footer: true }),
      Buffer.alloc(500),
      TEN,
      ape,
      lyrics,
      oldLyrics,
      text("TAG+", 227),
      id3v1,
    )();
    expect(facts).toMatchObject({ durationMs: Math.round(10 * FRAME_MS) });
  });

  it("may be joined of several files", () => {
    const one = Buffer.concat([id3Tag(50), mp3Announcement(10, 11 * MP3_FRAME_BYTES), TEN, text("TAG", 128)]);
    expect(join(one, one)()).toMatchObject({ durationMs: Math.round(20 * FRAME_MS) });
  });

  it("must have sound", () => {
    expect(join(id3Tag(300))).toThrow(/has no sound/);
    expect(join(mp3Announcement(0, 0))).toThrow(/has no sound/);
    expect(join(mp3Frame().subarray(0, 200))).toThrow(/has no sound/);
    expect(join(id3Tag(20), text("just a text"))).toThrow(/no sound of MPEG layer III begins at byte 30/);
  });

  it("must not announce other than they have", () => {
    expect(join(mp3Announcement(10, 11 * MP3_FRAME_BYTES), TEN)()).toMatchObject({ hasSound: true });
    expect(join(mp3Announcement(500, 0), TEN)).toThrow(/announces 500 frames of sound, but has 10/);
    expect(join(mp3Announcement(2, 0), TEN)).toThrow(/announces 2 frames of sound, but has 10/);
    expect(join(mp3Announcement(10, 900_000), TEN)).toThrow(/announces 900000 bytes of sound/);
  });

  it("must be of one kind, with a bitrate", () => {
    const changed = (byte: number, value: number) => {
      const frame = mp3Frame();
      frame[byte] = value;
      return frame;
    };
    expect(join(TEN, changed(2, 0x94))).toThrow(/changes from 44100 to 48000 samples a second/);
    expect(join(TEN, changed(1, 0xfd))).toThrow(/another layer/);
    expect(join(changed(2, 0x00), TEN)).toThrow(/free format/);
  });

  it("must not have anything else among or behind their frames", () => {
    expect(join(TEN, text("<html><script>alert(1)</script></html>"), TEN)).toThrow(
      /something else than sound at byte 4170; another file may hide/,
    );
    expect(join(TEN, text("PK\x03\x04 an archive"))).toThrow(/another file may hide/);
    expect(join(TEN, Buffer.alloc(70_000))).toThrow(/something else/);
  });

  it("must have tags that end in the file", () => {
    const tag = id3Tag(200);
    tag[6] = 0x80;
    expect(join(tag, TEN)).toThrow(/length of its ID3 tag is wrong/);
    expect(join(id3Tag(9000).subarray(0, 800))).toThrow(/ends too early/);
    expect(join(TEN, text("LYRICSBEGIN no end"))).toThrow(/end of its lyrics is missing/);
  });

  it("may last as long as is allowed", () => {
    expect(() => inspected(TEN, { durationMsMax: 250 })).toThrow(
      "The sound lasts longer than 0.3 seconds, which is the most allowed.",
    );
    expect(inspected(TEN, { durationMsMax: 270 })).toMatchObject({ durationMs: 261 });
  });

  it("with noise for sound have right headers, so that only a decoder can tell", () => {
    expect(inspected(mp3OfNoise(40))).toMatchObject({ durationMs: Math.round(40 * FRAME_MS) });
  });
});
