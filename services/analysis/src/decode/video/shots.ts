import type { Film, Frame, Showing } from "../../visual.js";
import { alike, blocksOf } from "./likeness.js";

/** A frame of a film, and the time until which the picture stays similar to it. */
export interface Shot extends Showing {
  readonly frame: Frame;
}

/** A frame as taken from the film. */
export type Taken = Pick<Shot, "frame" | "afterCut">;

/** A film ready to be read. `frames` are in order, none similar to the one before, and can be read once. */
export interface OpenFilm {
  film: Film;
  frames: AsyncIterable<Shot>;
}

/**
 * Drops frames that look like the last one passed on: a still scene is analysed once. `endOf` returns the time until
 * which the last frame is shown.
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
