/** Something that runs until it is stopped. */
export interface Stoppable {
  /** Takes up nothing new and resolves when what is under way has ended, or been given back, within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Work that is done over and over, never twice at a time. */
export interface Repetition extends Stoppable {
  /** Ends the present pause, or has the work done once more after what is under way. */
  wake(): void;
}

/** Repeats the work until stopped; it returns, and must not reject, the pause until the next time in milliseconds. */
export function repeat(work: () => Promise<number>): Repetition {
  const loop = new Loop(work);
  return { wake: () => loop.wake(), stop: () => loop.stop() };
}

class Loop {
  private woken = false;
  private stopped = false;
  private endPause = (): void => undefined;
  private readonly running: Promise<void>;

  constructor(private readonly work: () => Promise<number>) {
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
    while (!this.stopped) {
      this.woken = false;
      await this.pause(await this.work());
    }
  }

  /** A wake during the work leaves no pause. */
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
