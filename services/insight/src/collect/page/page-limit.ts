import { PAGE_MS_MAX } from "../pace/policy.js";

/**
 * Ends the wait for a page: when one of the signals aborts, or when it takes too long. Unlike AbortSignal.any it leaves
 * nothing with signals that outlive many pages.
 */
export class PageLimit {
  isLate = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly interrupt = () => this.controller.abort(new Error("interrupted"));

  constructor(private readonly interruptions: readonly AbortSignal[]) {
    for (const signal of interruptions) signal.addEventListener("abort", this.interrupt);
    if (this.isInterrupted) this.interrupt();
    this.timer = setTimeout(() => {
      this.isLate = true;
      this.controller.abort(new Error("too slow"));
    }, PAGE_MS_MAX);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isInterrupted(): boolean {
    return this.interruptions.some(({ aborted }) => aborted);
  }

  /** Rejects at the limit even if the work ignores the signal. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this;
    const ended = new Promise<never>((_, reject) => {
      const end = () => reject(signal.reason as Error);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
    return Promise.race([work(), ended]);
  }

  release(): void {
    clearTimeout(this.timer);
    for (const signal of this.interruptions) signal.removeEventListener("abort", this.interrupt);
  }
}
