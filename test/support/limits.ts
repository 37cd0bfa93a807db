/**
 * Time limits of all tests, in milliseconds. They end a run that hangs, on a machine that may be many times slower than usual;
 * no test passes or fails by its speed.
 */
export const LIMITS = {
  /** A test, and whatever prepares it or clears up. */
  test: 180_000,
  /** A test that starts, kills and starts processes again. */
  processes: 900_000,
  /** The wait for one condition within a test: shorter than the test, so that it is the wait that says what did not come. */
  condition: 60_000,
} as const;
