import { AppError } from "@hourglass/runtime";

/** Runs at most `concurrency` pieces of work at a time; of those that wait, at most `waitingMax`. */
export class WorkQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly concurrency: number,
    private readonly waitingMax: number,
  ) {}

  /**
   * Runs the work when its turn comes. Fails with AppError `too-many` when too many wait already, and with the signal's
   * reason, without having started, when that ends before the turn.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.turn();
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next(); // hands its place over
    }
  }

  private async turn(): Promise<void> {
    if (this.running < this.concurrency) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.waitingMax) {
      throw new AppError("too-many", "Too many sign-ins at the moment. Try again in a few seconds.", {
        retryAfterMs: 2000,
      });
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
