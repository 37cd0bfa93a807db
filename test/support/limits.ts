/**
 * Time limits of all tests, in milliseconds. They end a run that hangs, on a machine that may be many times slower than
 * usual; no test passes or fails by its speed.
 */
export const LIMITS = {
  /** A test, and its setup and teardown. */
  test: 180_000,
  /** A test that repeatedly starts and kills processes. */
  processes: 900_000,
  /** Waiting for one condition within a test: shorter than the test, so that the wait reports the missing condition. */
  condition: 60_000,
} as const;
