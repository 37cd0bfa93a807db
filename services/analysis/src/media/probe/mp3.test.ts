import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMediaFolder, type MediaFolder } from "../testing/make-media.js";
import {
  id3Tag,
  inspected,
  MP3_FRAME_BYTES,
  mp3Announcement,
  mp3Frame,
  mp3OfNoise,
  noise,
} from "../testing/odd-files.js";
import { createInspector } from "./inspector.js";

const FRAME_MS = (1152 / 44_100) * 1000;
const TEN = Buffer.concat(Array<Buffer>(10).fill(mp3Frame()));
const join = (...parts: Uint8Array[]) => inspected(Buffer.concat(parts));
const changed = (byte: number, value: number) => {
  const frame = mp3Frame();
  frame[byte] = value;
  return frame;
};
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
    const facts = await inspected(file);
    expect(facts).toEqual({
      format: "mp3",
      durationMs: expect.any(Number),
      hasSound: true,
      hasPictures: false,
      sizeBytes: file.length,
    });
    // The encoder adds a header and silence: a few frames of 26 to 72 ms.
    expect(facts.durationMs! - 1000).toBeGreaterThanOrEqual(0);
    expect(facts.durationMs! - 1000).toBeLessThan(320);
  });

  it("last as long as their frames", async () => {
    expect(await join(TEN)).toMatchObject({ durationMs: Math.round(10 * FRAME_MS) });
    expect(await join(TEN, mp3Frame().subarray(0, 100))).toMatchObject({ durationMs: Math.round(10 * FRAME_MS) });
  });

  it("may have tags of every kind, several of them, and zeros between", async () => {
    const lyrics = text("LYRICSBEGININD00002110LYR00003abc000034LYRICS200");
    const oldLyrics = text("LYRICSBEGINla la laLYRICSEND");
    const ape = Buffer.concat([text("APETAGEX"), Buffer.from([0xd0, 7, 0, 0, 40, 0, 0, 0]), Buffer.alloc(16 + 40, 1)]);
    const id3v1 = text("TAGtitle", 128);
    const facts = await join(
      id3Tag(300),
      id3Tag(10, { footer: true }),
      Buffer.alloc(500),
      TEN,
      ape,
      lyrics,
      oldLyrics,
      text("TAG+", 227),
      id3v1,
    );
    expect(facts).toMatchObject({ durationMs: Math.round(10 * FRAME_MS) });
  });

  it("may be joined of several files", async () => {
    const one = Buffer.concat([id3Tag(50), mp3Announcement(10, 11 * MP3_FRAME_BYTES), TEN, text("TAG", 128)]);
    expect(await join(one, one)).toMatchObject({ durationMs: Math.round(22 * FRAME_MS) });
  });

  it("must have sound", async () => {
    await expect(join(id3Tag(300))).rejects.toThrow(
      "The MP3 file is damaged: no sound of MPEG layer III is found in it.",
    );
    await expect(join(id3Tag(20), text("just a text"))).rejects.toThrow(/no sound/);
    await expect(join(id3Tag(9000).subarray(0, 800))).rejects.toThrow(/no sound/);
    await expect(join(id3Tag(9), changed(1, 0xfd), changed(1, 0xfd))).rejects.toThrow(/kind MP2/);
  });

  it("may announce other than they have, because they were trimmed, joined or cut off", async () => {
    for (const frames of [2, 10, 500]) {
      for (const end of [0, 2, 300]) {
        const announced = join(mp3Announcement(frames, 900_000), TEN, mp3Frame().subarray(0, end));
        expect(await announced).toMatchObject({ durationMs: Math.round(11 * FRAME_MS) });
      }
    }
  });

  it("may change their rate, as joined ones do", async () => {
    const faster = Array<Buffer>(10).fill(changed(2, 0x94).subarray(0, 384));
    const durationMs = Math.round(10 * FRAME_MS + 11_520 / 48);
    expect(await join(TEN, ...faster)).toMatchObject({ durationMs });
    expect(await join(TEN, text("junk"), ...faster)).toMatchObject({ durationMs });
  });

  it.each([
    ["zeros", Buffer.alloc(417)],
    ["the end of a frame", noise(900)],
    ["much of a tag with a wrong size", noise(60_000)],
    ["zeros and a tag", Buffer.concat([Buffer.alloc(20), id3Tag(70_000)])],
    ["a tag whose length makes no sense", id3Tag(200).fill(0x80, 6, 7)],
    ["a tag of the version to come", id3Tag(200).fill(5, 3, 4)],
    ["a tag of another program", Buffer.concat([text("APETAGEX"), Buffer.from([0xd0, 7, 0, 0]), Buffer.alloc(20)])],
    ["a tag that belongs at the end", text("TAGa title as long as it gets", 128)],
  ])("may have %s in front", async (_what, front) => {
    expect(await join(front, TEN)).toMatchObject({ format: "mp3", durationMs: Math.round(10 * FRAME_MS) });
  });

  it.each([
    ["text", text("<html><script>alert(1)</script></html>")],
    ["the rest of a frame", mp3Frame().subarray(9)],
    ["lyrics without an end", text("LYRICSBEGIN no end")],
    ["a hole", Buffer.alloc(200_000)],
    ["beginnings of frames", text(`junk ${"\xff\xfb\x90 and more".repeat(50)}`)],
  ])("may have %s between and after their frames", async (_what, junk) => {
    expect(await join(TEN, junk, TEN, junk)).toMatchObject({ durationMs: Math.round(20 * FRAME_MS) });
  });

  it("may have a whole archive at the end", async () => {
    expect(await join(TEN, text("PK\x03\x04"), noise(300_000))).toMatchObject({
      durationMs: Math.round(10 * FRAME_MS),
    });
  });

  it("may stand in a RIFF, as other sound may not", async () => {
    const riff = (coding: number) =>
      join(
        text("RIFF\xff\xff\xff\xffWAVEfmt \x1e\0\0\0"),
        Buffer.from([coding, 0, ...Buffer.alloc(28)]),
        TEN,
        text("id3 "),
      );
    expect(await riff(0x55)).toMatchObject({ format: "mp3", durationMs: Math.round(10 * FRAME_MS) });
    await expect(riff(1)).rejects.toThrow("The file is of the kind WAV; accepted are");
  });

  it("are refused when nothing in front of much else is sound", async () => {
    const accepted = /^The file is not one of the accepted kinds/;
    await expect(join(Buffer.alloc(300_000))).rejects.toThrow(accepted);
    await expect(join(noise(300_000))).rejects.toThrow(accepted);
    await expect(join(noise(90_000), TEN)).rejects.toThrow(accepted);
    await expect(join(noise(100), mp3Frame(), noise(50))).rejects.toThrow(accepted);
    await expect(join(id3Tag(20), noise(90_000), TEN)).rejects.toThrow(/no sound/);
  });

  it("are refused before they are read whole when nothing in them is sound", async () => {
    const inspector = createInspector({ imagePixelsMax: 1, durationMsMax: 900_000 });
    const writing = async () => {
      for (let piece = 0; piece < 20; piece++) await inspector.write(noise(10_000, piece + 1));
    };
    await expect(writing()).rejects.toThrow(/not one of the accepted kinds/);
  });

  it("may last as long as is allowed", async () => {
    await expect(inspected(TEN, { durationMsMax: 250 })).rejects.toThrow(
      "The sound lasts longer than 0.3 seconds, which is the most allowed.",
    );
    expect(await inspected(TEN, { durationMsMax: 270 })).toMatchObject({ durationMs: 261 });
  });

  it("with noise for sound have right headers, so that only a decoder can tell", async () => {
    expect(await inspected(mp3OfNoise(40))).toMatchObject({ durationMs: Math.round(40 * FRAME_MS) });
  });
});
