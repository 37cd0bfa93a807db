import { open, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findUtterances, readSamples, SAMPLE_RATE, UtteranceCutter, WINDOW } from "./audio.js";
import { type MediaFacts, UnreadableFileError } from "./probe/facts.js";
import { createMediaFolder, type MediaFolder } from "./testing/make-media.js";
import { id3Tag, inspected, mp3Announcement, noise } from "./testing/odd-files.js";

describe("samples", () => {
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

  it.each<[string, (sound: Buffer) => Uint8Array[]]>([
    ["zeros in front", (sound) => [Buffer.alloc(417), sound]],
    ["the rest of a frame in front", (sound) => [noise(900), sound]],
    ["much in front", (sound) => [noise(60_000), sound]],
    ["the tag of another program in front", (sound) => [Buffer.from(`TAG${"x".repeat(125)}`), sound]],
    ["a tag whose length makes no sense", (sound) => [id3Tag(200).fill(0x80, 6, 7), sound]],
    ["a stream header of a longer file", (sound) => [mp3Announcement(5000, 2_000_000), sound]],
    ["a hole", (sound) => [sound.subarray(0, 8000), Buffer.alloc(30_000), sound.subarray(8000)]],
    ["noise between its frames", (sound) => [sound.subarray(0, 8000), noise(3000), sound.subarray(8000)]],
    ["an archive after it", (sound) => [sound, Buffer.from("PK\x03\x04", "latin1"), noise(100_000)]],
    ["a RIFF around it", (sound) => [Buffer.from("RIFF....WAVEfmt \x02\0\0\0\x55\0data\0\0\0\0", "latin1"), sound]],
  ])("reads MP3 as long as its headers tell, with %s", async (name, make) => {
    const plain = await readFile(
      await folder.make(
        "plain.mp3",
        "-f lavfi -i sine=f=440:d=2 -id3v2_version 0 -write_xing 0 -ar 44100 -ac 2 -b:a 128k",
      ),
    );
    const bytes = Buffer.concat(make(plain));
    const facts = await inspected(bytes);
    expect(Math.abs(facts.durationMs! - (await inspected(plain)).durationMs!)).toBeLessThan(80);
    const file = path.join(path.dirname(await folder.make("other.mp3", "-f lavfi -i sine=d=0.1")), `${name}.mp3`);
    await writeFile(file, bytes);
    const samples = await samplesOf(file, facts);
    expect(Math.abs(samples.length / SAMPLE_RATE - facts.durationMs! / 1000)).toBeLessThan(0.2);
    expect(loudest(samples.subarray(0.5 * SAMPLE_RATE, 1.5 * SAMPLE_RATE))).toBeGreaterThan(0.05);
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
});

describe("utterances", () => {
  const RATE = 16_000;

  /**
   * Runs windows of the given voice probability and loudness through a cutter; returns the first and last window of each
   * utterance.
   */
  function cut(windows: readonly { prob: number; loud?: number }[]): [number, number][] {
    const cutter = new UtteranceCutter();
    const found = windows.flatMap(({ prob, loud = 0.1 }) =>
      cutter.take({ prob, samples: new Float32Array(WINDOW).fill(loud) }),
    );
    return [...found, ...cutter.end()].map(({ start, samples }) => [start / WINDOW, (start + samples.length) / WINDOW]);
  }
  const voice = (count: number, loud = 0.1) => Array.from({ length: count }, () => ({ prob: 0.9, loud }));
  const pause = (count: number) => Array.from({ length: count }, () => ({ prob: 0.05, loud: 0.001 }));

  describe("what is cut out", () => {
    it("is a stretch with voice and a margin on both sides", () => {
      expect(cut([...pause(50), ...voice(40), ...pause(50)])).toEqual([[42, 98]]);
    });

    it("continues over short pauses and ends at long ones", () => {
      expect(cut([...voice(30), ...pause(10), ...voice(30), ...pause(30), ...voice(30)])).toHaveLength(2);
    });

    it("never holds the same sound twice", () => {
      const [first, second] = cut([...voice(30), ...pause(19), ...voice(30)]);
      expect(second?.[0]).toBeGreaterThanOrEqual(first?.[1] ?? Infinity);
    });

    it("is no click", () => {
      expect(cut([...pause(50), ...voice(3), ...pause(50)])).toEqual([]);
    });

    it("is 20 seconds at most, cut where it is quietest", () => {
      const speech = [...voice(450), ...voice(6, 0.001), ...voice(450)];
      const found = cut(speech);
      expect(found).toHaveLength(2);
      expect(found[0]?.[1]).toBeGreaterThanOrEqual(450);
      expect(found[0]?.[1]).toBeLessThanOrEqual(456);
      expect(found[1]?.[0]).toBe(found[0]?.[1]);
      expect(found[1]?.[1]).toBe(906);
    });
  });

  async function* sound(seconds: number, sample: (t: number) => number): AsyncGenerator<Float32Array> {
    for (let second = 0; second < seconds; second++) {
      yield Float32Array.from({ length: RATE }, (_, i) => sample(second + i / RATE));
    }
  }
  async function count(samples: AsyncIterable<Float32Array>): Promise<number> {
    let utterances = 0;
    for await (const utterance of findUtterances(samples)) if (utterance.samples.length > 0) utterances++;
    return utterances;
  }

  /** Noise that is the same in each run. */
  function createNoise(): () => number {
    let state = 1;
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    };
  }

  describe("nobody speaks", () => {
    const noise = createNoise();
    const pitch = (t: number, steps: number): number => 220 * 2 ** (((Math.floor(t * 4) * steps) % 12) / 12);
    const sounds: Record<string, (t: number) => number> = {
      silence: () => 0,
      "a tone": (t) => 0.5 * Math.sin(2 * Math.PI * 440 * t),
      "loud noise": () => 0.5 * noise(),
      "a melody with drums": (t) =>
        0.3 * Math.sin(2 * Math.PI * pitch(t, 7) * t) * Math.exp(-4 * (t % 0.25)) +
        0.2 * Math.sin(2 * Math.PI * pitch(t, 5) * 0.5 * t) +
        0.2 * noise() * Math.exp(-30 * (t % 0.5)),
    };
    it.each(Object.keys(sounds))("in %s", async (name) => {
      expect(await count(sound(6, sounds[name]!))).toBe(0);
    });

    it("in no sound at all", async () => {
      expect(await count(sound(0, () => 0))).toBe(0);
    });
  });
});
