/** Delays callers, a limited number at a time. */
export class WaitingRoom {
  /** Functions that release the callers, in order of arrival. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly placesMax: number) {}

  /**
   * Resolves after the given number of milliseconds. A full room turns no caller away: the one that has waited longest
   * is released at once to make room. Fails with the signal's reason if the signal ends the wait.
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

  /** Releases all callers. */
  empty(): void {
    for (const leave of this.waiting) leave();
  }
}
