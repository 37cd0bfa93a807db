import { createFrame } from "../image/frame.js";
import { resizeRegion } from "../image/resize.js";
import type { Film, Frame } from "../../visual.js";
import { BURST_SIDE, FRAMES_MAX } from "./film.js";
import { type Blocks, blocksOf, isCut } from "./likeness.js";
import { type OpenFilm, type Taken, toShots } from "./shots.js";

/**
 * Makes a film from the frames of an animation, which are already in memory; at most as many are analysed as of a
 * video.
 */
export function filmOfAnimation(frames: readonly Frame[], durationMs: number): OpenFilm {
  const film: Film = {
    durationMs,
    burst: async (fromMs, { seconds, perSecond }) =>
      Array.from(
        { length: Math.min(FRAMES_MAX, Math.ceil(seconds * perSecond)) },
        (_, i) => fromMs + (i * 1000) / perSecond,
      )
        .filter((atMs) => atMs < durationMs)
        .flatMap((atMs) => {
          const shown = frames.findLast((frame) => frame.atMs <= atMs);
          return shown === undefined ? [] : [shrink(shown, atMs)];
        }),
  };
  const every = Math.ceil(frames.length / FRAMES_MAX);
  const chosen = frames.filter((_, i) => i % every === 0);
  return { film, frames: toShots(withCuts(chosen), ({ atMs }) => Math.max(durationMs, atMs)) };
}

function* withCuts(frames: readonly Frame[]): Generator<Taken> {
  let before: Blocks | undefined;
  for (const frame of frames) {
    const blocks = blocksOf(frame);
    yield { frame, afterCut: before !== undefined && isCut(before, blocks) };
    before = blocks;
  }
}

function shrink(frame: Frame, atMs: number): Frame {
  const factor = Math.min(1, BURST_SIDE / Math.max(frame.width, frame.height));
  const width = Math.max(1, Math.round(frame.width * factor));
  const height = Math.max(1, Math.round(frame.height * factor));
  return createFrame({ width, height, rgb: resizeRegion(frame, { width, height }), atMs: Math.round(atMs) });
}
