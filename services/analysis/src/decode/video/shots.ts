import type { Film, Frame, Showing } from "../../visual.js";
import { alike, blocksOf } from "./likeness.js";

/** A frame of what moves, and until when the picture stays like it. */
export interface Shot extends Showing {
  readonly frame: Frame;
}

/** A frame as it was taken from what moves. */
export type Taken = Pick<Shot, "frame" | "afterCut">;

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
  frames: AsyncIterable<Taken> | Iterable<Taken>,
  endOf: (last: Frame) => Promise<number> | number,
): AsyncGenerator<Shot> {
  let shown: (Taken & { blocks: Float32Array }) | undefined;
  let last: Frame | undefined;
  let cut = false;
  for await (const { frame, afterCut } of frames) {
    last = frame;
    cut ||= afterCut;
    const blocks = blocksOf(frame);
    if (shown !== undefined && alike(shown.blocks, blocks)) continue;
    if (shown !== undefined) yield { frame: shown.frame, afterCut: shown.afterCut, untilMs: frame.atMs };
    shown = { frame, blocks, afterCut: cut && shown !== undefined };
    cut = false;
  }
  if (shown === undefined || last === undefined) return;
  yield { frame: shown.frame, afterCut: shown.afterCut, untilMs: Math.max(shown.frame.atMs, await endOf(last)) };
}
