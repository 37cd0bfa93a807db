/**
 * Pieces per run, including padding. From a quarter of this to twice as many are equally fast; more would exceed the
 * processor's cache between two layers, and take more memory.
 */
const PIECES_PER_RUN_MAX = 512;
/**
 * Padding is computed like text. A separate run costs as much as a few pieces; beyond this much padding it is cheaper.
 */
const PADDING_MAX = 16;
/** The limit for large runs, whose last windows would otherwise form runs of their own. */
const PADDING_SHARE_MAX = 0.1;

/** Groups windows of similar length into runs: the indices of each run, given the number of pieces of every window. */
export const planRuns = (lengths: readonly number[]): number[][] => {
  const order = lengths.map((_, i) => i).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0));
  const runs: number[][] = [];
  let run: number[] = [];
  let padding = 0;
  for (const index of order) {
    const width = lengths[run[0] ?? index] ?? 0;
    const wasted = padding + width - (lengths[index] ?? 0);
    const size = width * (run.length + 1);
    const fits = size <= PIECES_PER_RUN_MAX && wasted <= Math.max(PADDING_MAX, size * PADDING_SHARE_MAX);
    if (run.length > 0 && !fits) {
      runs.push(run);
      [run, padding] = [[], 0];
    } else {
      padding = wasted;
    }
    run.push(index);
  }
  if (run.length > 0) runs.push(run);
  return runs;
};
