/** The shortest delay, in milliseconds. Each step takes twice as long as the one before it. */
const SHORTEST_MS = 25;
const STEPS = 14;
/** The longest route through the steps, in multiples of the shortest delay: six minutes, in three steps. */
const LONGEST = 0b111 << (STEPS - 3);
/** Delays are rounded up to this many binary digits: at most three steps, and less than a quarter too late. */
const DIGITS = 3;

/** Delay of each step, in milliseconds, longest first. */
export const DELAY_STEPS: readonly number[] = Array.from(
  { length: STEPS },
  (_, n) => SHORTEST_MS * 2 ** (STEPS - 1 - n),
);

/** Route of a message through the steps. */
interface DelayRoute {
  /** The first step, an index of DELAY_STEPS. */
  entry: number;
  /** Routing key with one word per step: `1` to wait in it, `0` to skip it. */
  key: string;
  /** Remaining delay after the route, in milliseconds; above 0 if the delay is longer than the longest route. */
  remainingMs: number;
}

/** Plans a delay above 0 ms. The actual delay is never shorter, and less than a quarter or one shortest step longer. */
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

/** Binding pattern for the keys of messages that wait in a step (`1`) or skip it (`0`). */
export function stepPattern(step: number, bit: "0" | "1"): string {
  return `${"*.".repeat(step)}${bit}.#`;
}

function roundUp(multiples: number): number {
  const unit = 2 ** Math.max(0, multiples.toString(2).length - DIGITS);
  return Math.ceil(multiples / unit) * unit;
}
