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
  let woken = false;
  let stopped = false;
  let endPause = (): void => undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!stopped) {
      woken = false;
      const pauseMs = await work();
      if (!woken && !stopped) await pause(pauseMs);
    }
  };
  const running = run();
  const wake = (): void => {
    woken = true;
    endPause();
  };
  return {
    wake,
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
