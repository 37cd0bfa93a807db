import { SAMPLE_RATE } from "../decode/audio/read-samples.js";
import { listenForVoices, WINDOW } from "./voice-activity.js";

/** A stretch of speech. */
export interface Utterance {
  /** Samples from the start of the recording. */
  start: number;
  samples: Float32Array;
}

/** Number of windows in a duration. */
const windows = (seconds: number): number => Math.round((seconds * SAMPLE_RATE) / WINDOW);

/** Thresholds for the beginning and the continuation of speech: Silero's default settings. */
const BEGINS = 0.5;
const GOES_ON = 0.35;
/** A pause of this length ends an utterance. */
const PAUSE = windows(0.6);
/**
 * Margin kept on both sides: the first and last sounds of words are quiet. Less than half a pause, so that nothing is
 * transcribed twice.
 */
const MARGIN = windows(0.25);
/** Less voice than this is a click or a cough. */
const VOICE_MIN = windows(0.2);
/** The speech model was trained on less than 30 s. Longer speech is cut at the quietest place in the second half. */
const LONGEST = windows(20);
/** Number of windows over which loudness is averaged. */
const QUIET = 5;
/** Windows per network run. */
const BATCH = 64;

interface Window {
  samples: Float32Array;
  prob: number;
}

/** Splits a recording into utterances of at most 20 s; silence, noise and music are left out. */
export async function* findUtterances(samples: AsyncIterable<Float32Array>): AsyncGenerator<Utterance> {
  const listener = await listenForVoices();
  const cutter = createCutter();
  for await (const batch of inBatches(samples)) {
    const probs = await listener.hear(batch);
    for (const [i, prob] of probs.entries())
      yield* cutter.take({ samples: batch.slice(i * WINDOW, (i + 1) * WINDOW), prob });
  }
  yield* cutter.end();
}

/** Whole windows in batches; the last is padded with silence. */
async function* inBatches(samples: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let batch = new Float32Array(BATCH * WINDOW);
  let filled = 0;
  for await (const piece of samples) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + batch.length - filled);
      batch.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < batch.length) continue;
      yield batch;
      batch = new Float32Array(BATCH * WINDOW);
      filled = 0;
    }
  }
  if (filled > 0) yield batch.subarray(0, Math.ceil(filled / WINDOW) * WINDOW);
}

/** Decides the beginning and end of utterances, window by window. */
export function createCutter() {
  /** Windows that may still belong to an utterance; `first` is the number of the first of them. */
  let kept: Window[] = [];
  let first = 0;
  let speaking = false;
  /** Index in `kept` of the last window with voice. */
  let voice = 0;

  const emit = (length: number): Utterance[] => {
    const chosen = kept.slice(0, length);
    const start = first * WINDOW;
    drop(length);
    if (chosen.filter(({ prob }) => prob >= BEGINS).length < VOICE_MIN) return [];
    return [{ start, samples: joined(chosen) }];
  };
  const drop = (count: number): void => {
    kept = kept.slice(count);
    first += count;
    voice -= count;
  };
  const stop = (): Utterance[] => {
    speaking = false;
    return emit(Math.min(kept.length, voice + 1 + MARGIN));
  };
  return {
    /** Returns the utterance that ends with this window, if there is one. */
    take(window: Window): Utterance[] {
      kept.push(window);
      if (window.prob >= (speaking ? GOES_ON : BEGINS)) {
        speaking = true;
        voice = kept.length - 1;
      }
      if (!speaking) {
        drop(Math.max(0, kept.length - MARGIN));
        return [];
      }
      if (kept.length - 1 - voice >= PAUSE) return stop();
      return kept.length >= LONGEST ? emit(quietest(kept)) : [];
    },
    /** Returns the utterance that the end of the recording cut off. */
    end: (): Utterance[] => (speaking ? stop() : []),
  };
}

/** The quietest position for a cut in the second half. */
function quietest(kept: readonly Window[]): number {
  const loudness = kept.map(({ samples, prob }) => {
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    return (Math.sqrt(power) + 1e-4) * (prob + 0.05);
  });
  let best = kept.length;
  let least = Infinity;
  for (let at = Math.floor(kept.length / 2); at + QUIET < kept.length; at++) {
    const around = loudness.slice(at, at + QUIET).reduce((sum, value) => sum + value, 0);
    if (around >= least) continue;
    least = around;
    best = at + Math.ceil(QUIET / 2);
  }
  return best;
}

function joined(parts: readonly Window[]): Float32Array {
  const all = new Float32Array(parts.length * WINDOW);
  parts.forEach(({ samples }, i) => all.set(samples, i * WINDOW));
  return all;
}
