import { open } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { MediaFacts } from "../../formats/media-facts.js";
import { UnreadableFileError } from "../file-errors.js";
import { createMediaFolder, type MediaFolder } from "../video/testing/make-media.js";
import { readSamples, SAMPLE_RATE } from "./read-samples.js";

let folder: MediaFolder;
beforeAll(async () => {
  folder = await createMediaFolder();
});
afterAll(() => folder.remove());

const MP3: MediaFacts = { format: "mp3", sizeBytes: 1, durationMs: 2000, hasSound: true, hasPictures: false };
const MP4: MediaFacts = { ...MP3, format: "mp4" };

async function samplesOf(file: string, facts: MediaFacts): Promise<Float32Array> {
  const all: number[] = [];
  for await (const piece of readSamples(file, facts, { settings: {} })) for (const sample of piece) all.push(sample);
  return Float32Array.from(all);
}
const secondsOf = ({ length }: Float32Array): number => Math.round((length / SAMPLE_RATE) * 10) / 10;
const loudest = (samples: Float32Array): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

it("reads MP3, whatever its rate and channels", async () => {
  const file = await folder.make("tone.mp3", "-f lavfi -i sine=f=440:r=44100:d=2 -ac 2 -b:a 64k");
  const samples = await samplesOf(file, MP3);
  expect(secondsOf(samples)).toBeCloseTo(2, 0);
  const crossings = samples.filter((sample, i) => i > 0 && sample >= 0 && samples[i - 1]! < 0).length;
  expect(crossings / (samples.length / SAMPLE_RATE)).toBeGreaterThan(420);
});

it("reads the sound of a video, and fills the time before it begins", async () => {
  const inputs = "-f lavfi -i color=red:s=64x64:r=5:d=2 -itsoffset 1 -f lavfi -i sine=d=1";
  const file = await folder.make("late.mp4", `${inputs} -c:v libx264 -preset ultrafast -c:a aac`);
  const samples = await samplesOf(file, MP4);
  expect(secondsOf(samples)).toBeCloseTo(2, 0);
  expect(loudest(samples.subarray(0, SAMPLE_RATE * 0.8))).toBeLessThan(0.01);
  expect(loudest(samples.subarray(SAMPLE_RATE * 1.2))).toBeGreaterThan(0.05);
});

it("has nothing to say of a file without sound", async () => {
  expect(await samplesOf("none.mp4", { ...MP4, hasSound: false })).toHaveLength(0);
});

it("uses what can be decoded of a damaged track", async () => {
  const file = await folder.make("cut.mp3", "-f lavfi -i sine=d=4 -b:a 64k");
  const handle = await open(file, "r+");
  await handle.truncate(16_000);
  await handle.write(Buffer.alloc(2000, 0x55), 0, 2000, 8000);
  await handle.close();
  expect(secondsOf(await samplesOf(file, MP3))).toBeGreaterThan(0.5);
});

it("refuses a file without anything that can be decoded", async () => {
  const file = await folder.make("silent.mp4", "-f lavfi -i color=red:s=64x64:r=5:d=1 -c:v libx264");
  await expect(samplesOf(file, MP4)).rejects.toThrow(UnreadableFileError);
});

it("names a codec that it has no decoder for", async () => {
  const file = await folder.make("odd.mp4", "-f lavfi -i sine=d=1 -c:a adpcm_ms -f mov");
  await expect(samplesOf(file, MP4)).rejects.toThrow(/encoded with adpcm_ms.*convert it to AAC or MP3/);
});
