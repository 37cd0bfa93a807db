import type { Detection, Moment } from "../visual.js";

/** What was detected in one frame, and from when to when, in milliseconds, the video showed it. */
export interface Sighting {
  atMs: number;
  untilMs: number;
  detections: readonly Detection[];
}

/** Gaps up to this, one regular step between frames, are closed: detectors lose things for a frame more often than cameras do. */
const GAP_MS = 2000;
/** So many frames are enough to believe what the best of them says. */
const CONFIRMED = 3;

/**
 * Merges what was detected in the frames of a video: each value once, ordered by probability, with the spans of time in
 * which it was seen.
 *
 * Probability: that of the frame which shows it best, `p`, since one clear view proves more than ten poor ones; and since
 * frames of a scene are alike, more of them do not make it surer than that. But every frame looked at is another chance of a
 * mistake, so what was seen in one or two frames only, of a video that has more, is doubted: `p * (1 - (1 - p) * doubt)`, doubt
 * being the share of three frames that is missing. What is almost sure hardly loses by that, a guess does.
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

/** A span of a video in milliseconds as results state it. */
export const toMoment = ({ fromMs, toMs }: { fromMs: number; toMs: number }): Moment => ({
  start: tenths(fromMs),
  end: tenths(toMs),
});
