import type { Detection, Moment } from "../types.js";

/** Each value once, with its highest probability to 4 decimals; sorted by probability, then by name. */
export const distinctDetections = (detections: Iterable<Detection>): Detection[] => {
  const best = new Map<string, number>();
  for (const { value, prob } of detections) best.set(value, Math.max(best.get(value) ?? 0, prob));
  return [...best]
    .map(([value, prob]) => ({ value, prob: Math.round(prob * 1e4) / 1e4 }))
    .sort((a, b) => b.prob - a.prob || (a.value < b.value ? -1 : 1));
};

/** The detections of one frame, and the time range in milliseconds during which the video showed it. */
export interface Sighting {
  atMs: number;
  untilMs: number;
  detections: readonly Detection[];
}

/**
 * Gaps up to this, one regular step between frames, are closed: a missing detection in one frame is usually the
 * detector's fault.
 */
const GAP_MS = 2000;
/** Number of frames from which the best frame's probability is used as it is. */
const CONFIRMED = 3;

/**
 * Merges the detections of a video's frames: each value once, ordered by probability, with the time spans in which it
 * was seen.
 *
 * Probability: that of the best frame, `p`, because one clear view proves more than ten poor ones; frames of a scene
 * are alike, so more of them do not increase it. But every analyzed frame is another chance of a mistake, so a value
 * seen in only one or two frames of a longer video is reduced: `p * (1 - (1 - p) * doubt)`, where doubt is the missing
 * share of three frames. Nearly certain values hardly change, guesses do.
 */
export function mergeOverTime(sightings: readonly Sighting[]): Detection[] {
  const inOrder = [...sightings].sort((a, b) => a.atMs - b.atMs);
  const needed = Math.min(CONFIRMED, inOrder.length);
  const seen = new Map<string, { best: number; frames: number; spans: { fromMs: number; toMs: number }[] }>();
  for (const { atMs, untilMs, detections } of inOrder) {
    for (const [value, prob] of bestOfEach(detections)) {
      const before = seen.get(value) ?? { best: 0, frames: 0, spans: [] };
      seen.set(value, before);
      before.best = Math.max(before.best, prob);
      before.frames++;
      const last = before.spans.at(-1);
      if (last !== undefined && atMs - last.toMs <= GAP_MS) last.toMs = Math.max(last.toMs, untilMs);
      else before.spans.push({ fromMs: atMs, toMs: Math.max(atMs, untilMs) });
    }
  }
  const merged = [...seen].map(([value, { best, frames, spans }]) => {
    const doubt = Math.max(0, 1 - frames / needed);
    const prob = Math.round(best * (1 - (1 - best) * doubt) * 1e4) / 1e4;
    return { value, prob, moments: spans.map(toMoment) };
  });
  return merged.sort((a, b) => b.prob - a.prob || (a.value < b.value ? -1 : 1));
}

function bestOfEach(detections: readonly Detection[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const { value, prob } of detections) best.set(value, Math.max(prob, best.get(value) ?? 0));
  return best;
}

const tenths = (ms: number): number => Math.round(ms / 100) / 10;

/** A span of a video in milliseconds in the form of results. */
export const toMoment = ({ fromMs, toMs }: { fromMs: number; toMs: number }): Moment => ({
  start: tenths(fromMs),
  end: tenths(toMs),
});
