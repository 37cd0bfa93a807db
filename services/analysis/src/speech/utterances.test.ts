import { describe, expect, it } from "vitest";
import { createCutter, findUtterances } from "./utterances.js";
import { WINDOW } from "./voice-activity.js";

const RATE = 16_000;

/**
 * Runs windows of the given voice probability and loudness through a cutter; returns the first and last window of each
 * utterance.
 */
function cut(windows: readonly { prob: number; loud?: number }[]): [number, number][] {
  const cutter = createCutter();
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

  it("goes on over short pauses and ends at long ones", () => {
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
