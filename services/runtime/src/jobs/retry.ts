/**
 * Pause before the next attempt, in milliseconds: it doubles with each. With jitter, so that what failed together does not
 * return together.
 */
export function backoffMs({ backoffMs: first }: { backoffMs: number }, attempts: number): number {
  return first * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
}

export interface Postponement {
  /** Delay until the job is offered to a worker again, in milliseconds. */
  delayMs: number;
  /** From this number of runs on, a postponement counts as a failed attempt. Absent: never. */
  runsMax?: number;
  /** Whether this is a normal part of the job's life and no warning. */
  isExpected?: boolean;
  /** Kept for the log. */
  cause?: unknown;
}

/** Thrown by a job's work that cannot continue now: the job is retried later, which does not count as an attempt. */
export class PostponedError extends Error {
  override readonly name = "PostponedError";
  readonly delayMs: number;
  readonly runsMax: number;
  readonly isExpected: boolean;

  /** `message` is the reason, for the log. */
  constructor(message: string, { delayMs, runsMax = Infinity, isExpected = false, cause }: Postponement) {
    super(message, { cause });
    this.delayMs = delayMs;
    this.runsMax = runsMax;
    this.isExpected = isExpected;
  }
}
