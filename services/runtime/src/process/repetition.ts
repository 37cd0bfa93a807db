/** Something that runs until it is stopped. */
export interface Stoppable {
  /** Starts nothing new and resolves when the current work has ended or been handed back, within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Several as one, which stop side by side. */
export function together(parts: readonly Stoppable[]): Stoppable {
  return { stop: async (graceMs) => void (await Promise.all(parts.map((part) => part.stop(graceMs)))) };
}

/** Work that is repeated and never overlaps. */
export interface Repetition extends Stoppable {
  /** Ends the current pause, or repeats the work without a pause after the current run. */
  wake(): void;
}

interface RepeatOptions {
  /** Pause before the first run, in milliseconds. Default: none. */
  firstMs?: number;
}

/** Repeats `work` until stopped. `work` returns the pause before the next run in milliseconds and must not reject. */
export function repeat(work: () => Promise<number>, { firstMs = 0 }: RepeatOptions = {}): Repetition {
  const loop = new Loop(work, firstMs);
  return { wake: () => loop.wake(), stop: () => loop.stop() };
}

class Loop {
  private woken = false;
  private stopped = false;
  private endPause = (): void => undefined;
  private readonly running: Promise<void>;

  constructor(
    private readonly work: () => Promise<number>,
    private readonly firstMs: number,
  ) {
    this.running = this.run();
  }

  wake(): void {
    this.woken = true;
    this.endPause();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    if (this.firstMs > 0) await this.pause(this.firstMs);
    while (!this.stopped) {
      this.woken = false;
      await this.pause(await this.work());
    }
  }

  /** Skipped if `wake` was called during the work. */
  private async pause(ms: number): Promise<void> {
    if (this.woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
