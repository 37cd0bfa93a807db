/** Windows that run at once; more are not faster. */
const WINDOWS_MAX = 32;
/** Pieces that run at once, padding included: what is computed between two layers should stay in the processor's cache. */
const PIECES_PER_RUN_MAX = 1_536;
/** Padding is computed like text; beyond this share a run of its own is cheaper. */
const PADDING_SHARE_MAX = 0.1;

/** Groups windows of similar length into runs: the indices of each run, given how many pieces every window has. */
export const planRuns = (lengths: readonly number[]): number[][] => {
  const order = lengths.map((_, i) => i).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0));
  const runs: number[][] = [];
  let run: number[] = [];
  let padding = 0;
  for (const index of order) {
    const width = lengths[run[0] ?? index] ?? 0;
    const wasted = padding + width - (lengths[index] ?? 0);
    const size = width * (run.length + 1);
    const fits = run.length < WINDOWS_MAX && size <= PIECES_PER_RUN_MAX && wasted <= size * PADDING_SHARE_MAX;
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
