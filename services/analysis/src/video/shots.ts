import type { Film, Frame } from "../visual.js";
import { alike, blocksOf } from "./likeness.js";

/** A frame of what moves, and until when the picture stays like it, in milliseconds from the start. */
export interface Shot {
  frame: Frame;
  untilMs: number;
}

/** What moves, ready to be watched. `frames` are in order, none like the one before, and are read once. */
export interface OpenFilm {
  film: Film;
  frames: AsyncIterable<Shot>;
}

/**
 * Leaves out frames that look like the last one that was let through: still scenes cost one look. `endOf` says until when
 * the last frame is shown.
 */
export async function* toShots(
  frames: AsyncIterable<Frame> | Iterable<Frame>,
  endOf: (last: Frame) => Promise<number> | number,
): AsyncGenerator<Shot> {
  let shown: { frame: Frame; blocks: Float32Array } | undefined;
  let last: Frame | undefined;
  for await (const frame of frames) {
    last = frame;
    const blocks = blocksOf(frame);
    if (shown !== undefined && alike(shown.blocks, blocks)) continue;
    if (shown !== undefined) yield { frame: shown.frame, untilMs: frame.atMs };
    shown = { frame, blocks };
  }
  if (shown === undefined || last === undefined) return;
  yield { frame: shown.frame, untilMs: Math.max(shown.frame.atMs, await endOf(last)) };
}
