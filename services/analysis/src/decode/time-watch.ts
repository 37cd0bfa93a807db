import { processorTimeOf } from "./processor-time.js";

/** How long a piece of work may take, in milliseconds. */
export interface TimeLimits {
  /** Processor time, of all threads and child processes together. */
  processorMaxMs: number;
  /** Time by the clock: far more, for work that waits for a busy machine. */
  clockMaxMs: number;
}

/** Which limit was passed: `spent` its processor time, or `late` by the clock, without having had that. */
export type Overrun = "spent" | "late";

const LOOK_EVERY_MS = 500;

/** Watches what a process uses from now on, and says once when that is too much. Returns what ends the watch. */
export const watchTime = (
  pid: number | undefined,
  { processorMaxMs, clockMaxMs }: TimeLimits,
  onOverrun: (overrun: Overrun) => void,
): (() => void) => {
  const begun = performance.now();
  let before: number | undefined;
  let over = false;
  const lookEveryMs = Math.min(LOOK_EVERY_MS, clockMaxMs / 4);
  const look = async (): Promise<void> => {
    const used = pid === undefined ? undefined : await processorTimeOf(pid);
    before ??= used;
    if (over) return;
    const spent = used !== undefined && before !== undefined && used - before > processorMaxMs;
    if (spent || performance.now() - begun > clockMaxMs) {
      over = true;
      onOverrun(spent ? "spent" : "late");
      return;
    }
    timer = setTimeout(() => void look(), lookEveryMs);
  };
  // Most work has ended by then, and need not be looked at.
  let timer = setTimeout(() => void look(), lookEveryMs);
  return () => {
    over = true;
    clearTimeout(timer);
  };
};
