import { processorTimeOf } from "./processor-time.js";

/** Limits on the time of a piece of work, in milliseconds. */
export interface TimeLimits {
  /** Processor time of all threads and child processes together. */
  processorMaxMs: number;
  /** Wall-clock time: much more, for work that waits on a busy machine. */
  clockMaxMs: number;
}

/** The exceeded limit: `spent` for processor time, or `late` for wall-clock time while processor time was left. */
export type Overrun = "spent" | "late";

const LOOK_EVERY_MS = 500;

/**
 * Watches the time that a process uses from now on, and reports an overrun once. Returns the function that ends the
 * watch.
 */
export const watchTime = (
  pid: number | undefined,
  { processorMaxMs, clockMaxMs }: TimeLimits,
  onOverrun: (overrun: Overrun) => void,
  measure: (pid: number) => Promise<number | undefined> = processorTimeOf,
): (() => void) => {
  const begun = performance.now();
  let before: number | undefined;
  let over = false;
  const lookEveryMs = Math.min(LOOK_EVERY_MS, clockMaxMs / 4);
  const look = async (): Promise<void> => {
    const used = pid === undefined ? undefined : await measure(pid);
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
  // Most work has ended by then and needs no check.
  let timer = setTimeout(() => void look(), lookEveryMs);
  return () => {
    over = true;
    clearTimeout(timer);
  };
};
