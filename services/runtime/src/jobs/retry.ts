import type { RetryPolicy } from "../process/retry-policy.js";

/** When work in the background is done again, and when it is given up. A kind of work gives the numbers. */
export interface WorkPolicy extends RetryPolicy {
  readonly attemptsMax: number;
  /**
   * Attempts whose workers may be gone before it is given up. More than `attemptsMax`, because a crash affects all work of
   * a process and is rarely caused by one piece of it.
   */
  readonly deathsMax: number;
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
