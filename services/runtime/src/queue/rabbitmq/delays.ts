/** The shortest delay, in milliseconds. Each step takes twice as long as the one before it. */
const SHORTEST_MS = 25;
const STEPS = 14;
/** The longest way through the steps, in multiples of the shortest: six minutes, through three steps. */
const LONGEST = 0b111 << (STEPS - 3);
/** Delays are rounded up to this many binary digits: three steps on the way at most, and less than a quarter too late. */
const DIGITS = 3;

/** How long messages stay in each step, in milliseconds, the longest first. */
export const DELAY_STEPS: readonly number[] = Array.from(
  { length: STEPS },
  (_, n) => SHORTEST_MS * 2 ** (STEPS - 1 - n),
);

/** A message's way through the delays. */
export interface DelayRoute {
  /** The step it enters at, an index of DELAY_STEPS. */
  entry: number;
  /** A word for each step: `1` to stay in it, `0` to pass it by. */
  key: string;
  /** What is left to wait once it has come through, in milliseconds: more than one way is long. */
  remainingMs: number;
}

/** Plans a delay of any number of milliseconds above 0. It takes no less, and below a quarter or one shortest step more. */
export function routeDelay(delayMs: number): DelayRoute {
  const wanted = Math.ceil(delayMs / SHORTEST_MS);
  const multiples = roundUp(Math.min(wanted, LONGEST));
  const bits = multiples.toString(2).padStart(STEPS, "0");
  return {
    entry: bits.indexOf("1"),
    key: [...bits].join("."),
    remainingMs: Math.max(0, Math.ceil(delayMs - multiples * SHORTEST_MS)),
  };
}

/** What a message's key must look like to stay in a step (`1`), or to pass it by (`0`). */
export function stepPattern(step: number, bit: "0" | "1"): string {
  return `${"*.".repeat(step)}${bit}.#`;
}

function roundUp(multiples: number): number {
  const unit = 2 ** Math.max(0, multiples.toString(2).length - DIGITS);
  return Math.ceil(multiples / unit) * unit;
}
