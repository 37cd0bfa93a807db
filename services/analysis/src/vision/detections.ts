import { overlap } from "../media/frame.js";
import type { Box, Detection, Moment, PlacedBox, Places } from "../types.js";

/** One thing, face, sign or act in a frame. */
export interface Instance {
  value: string;
  /** Calibrated, 0 to 1. */
  prob: number;
  /** Absent if the engine does not know the place. */
  box?: Box | undefined;
}

/** Each value once, with its highest probability to 4 decimals, and its places; sorted by probability, then by name. */
export const distinctDetections = (instances: Iterable<Instance>): Detection[] => {
  const byValue = new Map<string, Instance[]>();
  for (const instance of instances) {
    const same = byValue.get(instance.value);
    if (same === undefined) byValue.set(instance.value, [instance]);
    else same.push(instance);
  }
  return [...byValue]
    .map(([value, same]) => ({ value, prob: rounded(Math.max(...same.map(({ prob }) => prob))), ...placesOf(same) }))
    .sort((a, b) => b.prob - a.prob || (a.value < b.value ? -1 : 1));
};

/** A probability, or a fraction of a picture, to the 4 decimals of results. */
export const rounded = (value: number): number => Math.round(value * FINENESS) / FINENESS;

/** The finest difference of results is one part in so many. */
const FINENESS = 10_000;

/** Boxes of one value in one picture: the bound that proto/ sets. */
const BOXES_MAX = 100;
/** Of two boxes of one value with a greater overlap, the likelier is kept: rules may find one thing twice. */
const SAME_THING = 0.8;

/** How many instances of one value there are, and where. */
export const placesOf = (instances: readonly Instance[]): Places => {
  const kept: { box: Box; prob: number }[] = [];
  for (const { box, prob } of instances.toSorted((a, b) => b.prob - a.prob)) {
    const shown = box && shownPart(box);
    if (shown === undefined || kept.some((other) => overlap(other.box, shown) > SAME_THING)) continue;
    kept.push({ box: shown, prob: rounded(prob) });
  }
  if (kept.length === 0) return {};
  const boxes = kept
    .slice(0, BOXES_MAX)
    .map(({ box: { left, top, width, height }, prob }): PlacedBox => [left, top, width, height, prob]);
  return { count: kept.length, boxes };
};

/** The part of a box that lies within the picture, to 4 decimals; undefined if none does. */
const shownPart = ({ left, top, width, height }: Box): Box | undefined => {
  const [across, down] = [shownSpan(left, width), shownSpan(top, height)];
  if (across === undefined || down === undefined) return undefined;
  return { left: across.start, width: across.length, top: down.start, height: down.length };
};

/** The smallest spans keep one unit of the last decimal, so that no box is empty. Undefined also if not a number. */
const shownSpan = (from: number, length: number): { start: number; length: number } | undefined => {
  const isVisible = length > 0 && from < 1 && from + length > 0;
  if (!isVisible) return undefined;
  const start = Math.min(FINENESS - 1, Math.max(0, Math.round(from * FINENESS)));
  const end = Math.max(start + 1, Math.min(FINENESS, Math.round((from + length) * FINENESS)));
  return { start: start / FINENESS, length: (end - start) / FINENESS };
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
  const seen = new Map<string, { best: number; frames: number; spans: SeenSpan[] }>();
  for (const { atMs, untilMs, detections } of inOrder) {
    for (const { value, prob, count, boxes } of detections) {
      const before = seen.get(value) ?? { best: 0, frames: 0, spans: [] };
      seen.set(value, before);
      before.best = Math.max(before.best, prob);
      before.frames++;
      const view = count === undefined || boxes === undefined ? undefined : { atMs, prob, count, boxes };
      const last = before.spans.at(-1);
      if (last !== undefined && atMs - last.toMs <= GAP_MS) {
        last.toMs = Math.max(last.toMs, untilMs);
        last.view = betterView(last.view, view);
      } else before.spans.push({ fromMs: atMs, toMs: Math.max(atMs, untilMs), view });
    }
  }
  const merged = [...seen].map(([value, { best, frames, spans }]) => {
    const doubt = Math.max(0, 1 - frames / needed);
    return { value, prob: rounded(best * (1 - (1 - best) * doubt)), moments: toMoments(spans) };
  });
  return merged.sort((a, b) => b.prob - a.prob || (a.value < b.value ? -1 : 1));
}

/** What one frame of a video shows of a value. */
interface View extends Required<Places> {
  atMs: number;
  /** Of the surest of them. */
  prob: number;
}

/** A span of a video in milliseconds in which a value was seen, and the frame that shows it best. */
export interface SeenSpan {
  fromMs: number;
  toMs: number;
  /** Absent without places. */
  view?: View | undefined;
}

/** The one that shows more of them; of as many the surer one, then the earlier one. */
const betterView = (one: View | undefined, other: View | undefined): View | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  return other.count > one.count || (other.count === one.count && other.prob > one.prob) ? other : one;
};

/** Boxes of one value in all moments of a video together. */
const FILM_BOXES_MAX = 500;

/** The spans in which one value was seen, in the form of results. */
export const toMoments = (spans: readonly SeenSpan[]): Moment[] => {
  const boxesMax = Math.max(1, Math.min(BOXES_MAX, Math.floor(FILM_BOXES_MAX / spans.length)));
  return spans.map(({ fromMs, toMs, view }) => ({
    start: tenths(fromMs),
    end: tenths(toMs),
    ...(view && { at: Math.round(view.atMs) / 1000, count: view.count, boxes: view.boxes.slice(0, boxesMax) }),
  }));
};

const tenths = (ms: number): number => Math.round(ms / 100) / 10;
