/** When something that failed is tried again. Whoever tries gives the numbers; times are milliseconds. */
export interface RetryPolicy {
  /** Pause after the first failure. */
  readonly firstMs: number;
  /** What each further failure multiplies the pause by. Default 2. */
  readonly factor?: number;
  /** Longest pause, before jitter. */
  readonly maxMs: number;
  /**
   * The share of a pause by which it is shorter or longer at random, so that those who failed together do not try again
   * together. Default .25.
   */
  readonly jitter?: number;
  /** Failures after which it is given up or reported. Default: none. */
  readonly attemptsMax?: number;
}

/** The pause after so many failures in sequence, in whole milliseconds; `random` is from 0 to 1. */
export function pauseAfter(
  { firstMs, factor = 2, maxMs, jitter = 0.25 }: RetryPolicy,
  failures: number,
  random = Math.random(),
): number {
  const ms = Math.min(firstMs * factor ** Math.max(0, failures - 1), maxMs);
  return Math.round(ms * (1 + jitter * (2 * random - 1)));
}
