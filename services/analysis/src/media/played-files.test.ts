import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSamples } from "./audio.js";
import { decodeImage } from "./image.js";
import { UnacceptableFileError, UnreadableFileError } from "./probe/facts.js";
import { createMediaFolder, type MediaFolder } from "./testing/make-media.js";
import { findMp4Box, id3Tag, inspected, mp4Box, noise } from "./testing/odd-files.js";
import { openFilm } from "./video.js";

const FILM = "-f lavfi -i testsrc=s=64x48:d=2:r=10 -f lavfi -i sine=440:d=2 -pix_fmt yuv420p";
const MOVES = "-g 5 -movflags frag_keyframe+empty_moov";
const files = new Map<string, Buffer>();
const file = (name: string) => files.get(name)!;
let folder: MediaFolder;
let scratch: string;

beforeAll(async () => {
  folder = await createMediaFolder();
  scratch = await mkdtemp(path.join(tmpdir(), "played-"));
  const picture = sharp(noise(160 * 120 * 3), { raw: { width: 160, height: 120, channels: 3 } }).blur(3);
  files.set("jpg", await picture.clone().jpeg().toBuffer());
  files.set("progressive", await picture.clone().jpeg({ progressive: true }).toBuffer());
  files.set("png", await picture.clone().png().toBuffer());
  const make = async (name: string, args: string) => files.set(name, await readFile(await folder.make(name, args)));
  await make("tone.mp3", "-f lavfi -i sine=440:d=2 -b:a 64k");
  await make("film.mp4", FILM);
  await make("fast.mp4", `${FILM} -movflags +faststart`);
  await make("fragments.mp4", `${FILM} ${MOVES}`);
  await make("sound.m4a", "-f lavfi -i sine=440:d=2");
});

afterAll(async () => {
  await folder.remove();
  await rm(scratch, { recursive: true });
});

/** How much the workers' decoders get from the file: frames, and seconds of sound. Rejects if it is refused before. */
async function played(bytes: Buffer): Promise<{ frames: number; seconds: number }> {
  const facts = await inspected(bytes);
  const at = path.join(scratch, `file.${facts.format}`);
  await writeFile(at, bytes);
  if (facts.format === "jpg" || facts.format === "png") {
    const { width, height } = await decodeImage(at, facts);
    expect([width, height]).toEqual([facts.width, facts.height]);
    return { frames: 1, seconds: 0 };
  }
  let [frames, samples] = [0, 0];
  if (facts.hasPictures) {
    for await (const _frame of (await openFilm(at, facts, { settings: {} })).frames) frames += 1;
  }
  for await (const piece of readSamples(at, facts, { settings: {} })) samples += piece.length;
  return { frames, seconds: samples / 16_000 };
}

const ape = () =>
  Buffer.concat([Buffer.from("APETAGEX"), Buffer.from([0xd0, 7, 0, 0, 40, 0, 0, 0]), Buffer.alloc(16 + 40, 1)]);

describe("what every viewer shows and every player plays", () => {
  it.each<[string, () => Buffer]>([
    ["a JPG without the marker of its end", () => file("jpg").subarray(0, -2)],
    ["a progressive JPG without it", () => file("progressive").subarray(0, -2)],
    ["a JPG with half of it", () => file("jpg").subarray(0, -1)],
    ["a JPG with bytes behind it", () => Buffer.concat([file("jpg"), noise(500)])],
    [
      "a JPG with 300 stray bytes between its parts",
      () => {
        const jpg = file("jpg");
        return Buffer.concat([jpg.subarray(0, 20), Buffer.alloc(300, 1), jpg.subarray(20)]);
      },
    ],
    ["a PNG with bytes behind it", () => Buffer.concat([file("png"), noise(500)])],
    ["a PNG without its last chunk", () => file("png").subarray(0, -12)],
  ])("is decoded: %s", async (_what, make) => {
    expect(await played(make())).toEqual({ frames: 1, seconds: 0 });
  });

  it.each<[string, () => Buffer]>([
    ["an MP3 that begins within a frame", () => file("tone.mp3").subarray(700)],
    ["an MP3 that ends within a frame", () => file("tone.mp3").subarray(0, -100)],
    ["an MP3 with stray bytes behind its tag", () => Buffer.concat([id3Tag(300), noise(50), file("tone.mp3")])],
    ["an MP3 with a tag at both ends", () => Buffer.concat([id3Tag(5000), file("tone.mp3"), ape()])],
    ["an MP3 with a second tag between", () => Buffer.concat([file("tone.mp3"), id3Tag(90), file("tone.mp3")])],
    ["an MP4 of sound", () => file("sound.m4a")],
  ])("is heard: %s", async (_what, make) => {
    const { frames, seconds } = await played(make());
    expect(frames).toBe(0);
    expect(seconds).toBeGreaterThan(1.5);
  });

  it.each<[string, () => Buffer]>([
    ["an MP4 with its table of contents at the end", () => file("film.mp4")],
    ["in front", () => file("fast.mp4")],
    ["in fragments", () => file("fragments.mp4")],
    ["with padding behind the last box", () => Buffer.concat([file("film.mp4"), Buffer.alloc(333)])],
    ["with padding behind the fragments", () => Buffer.concat([file("fragments.mp4"), Buffer.alloc(333)])],
    [
      "with a box that is cut off behind",
      () => Buffer.concat([file("film.mp4"), mp4Box("free", noise(90)).subarray(0, 60)]),
    ],
    ["without its last samples", () => file("fast.mp4").subarray(0, -100)],
    [
      "without its last fragments",
      () => file("fragments.mp4").subarray(0, findMp4Box(file("fragments.mp4"), "mfra") - 200),
    ],
  ])("is watched: an MP4 %s", async (_what, make) => {
    const { frames, seconds } = await played(make());
    expect(frames).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThan(1);
  });
});

describe("what is cut off beyond use", () => {
  it.each<[string, () => Buffer]>([
    ["half a JPG", () => file("jpg").subarray(0, file("jpg").length >> 1)],
    ["half a PNG", () => file("png").subarray(0, file("png").length >> 1)],
  ])("is accepted, and unreadable: %s", async (_what, make) => {
    await expect(played(make())).rejects.toThrow(UnreadableFileError);
  });

  it.each<[string, () => Buffer]>([
    ["a JPG without its picture", () => file("jpg").subarray(0, 100)],
    ["an MP3 without a frame", () => file("tone.mp3").subarray(0, 150)],
    ["an MP4 without its table of contents", () => file("film.mp4").subarray(0, findMp4Box(file("film.mp4"), "moov"))],
  ])("is refused in a sentence: %s", async (_what, make) => {
    await expect(played(make())).rejects.toThrow(UnacceptableFileError);
    await expect(played(make())).rejects.toThrow(/^The (?:JPG|MP3|MP4) file is damaged: .+\.$/);
  });
});
