export interface Postponement {
  /** Until the job is offered to a worker again, in milliseconds. */
  delayMs: number;
  /** From so many runs on a postponement counts as a failed attempt. Absent: never. */
  runsMax?: number;
  /** Kept for the log. */
  cause?: unknown;
}

/** Thrown by a job's work that cannot go on for now: the job is tried again later, which costs it no attempt. */
export class PostponedError extends Error {
  override readonly name = "PostponedError";
  readonly delayMs: number;
  readonly runsMax: number;

  /** The message says why, for the log. */
  constructor(message: string, { delayMs, runsMax = Infinity, cause }: Postponement) {
    super(message, { cause });
    this.delayMs = delayMs;
    this.runsMax = runsMax;
  }
}
