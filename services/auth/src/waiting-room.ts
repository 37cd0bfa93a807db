/** Holds callers back for a while, so many at a time at most. */
export class WaitingRoom {
  /** What lets each of them go on; who came first is first. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly placesMax: number) {}

  /**
   * Resolves after so many milliseconds. Nobody is turned away from a full room: who has waited longest goes on at once
   * and makes place. Fails with the signal's reason when that ends the waiting.
   */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0) return;
    const [longest] = this.waiting;
    if (this.waiting.size >= this.placesMax) longest?.();
    await new Promise<void>((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        this.waiting.delete(leave);
        resolve();
      };
      const timer = setTimeout(leave, ms);
      signal?.addEventListener("abort", leave);
      this.waiting.add(leave);
      if (signal?.aborted === true) leave();
    });
    signal?.throwIfAborted();
  }

  /** Lets everybody go on. */
  empty(): void {
    for (const leave of this.waiting) leave();
  }
}
