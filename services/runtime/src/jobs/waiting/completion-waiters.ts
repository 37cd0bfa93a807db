/** Notifies waiting callers in this process that a job has ended. Other processes have to poll. */
export class CompletionWaiters {
  private readonly waiting = new Map<number, Set<() => void>>();

  announce(id: number): void {
    for (const wake of this.waiting.get(id) ?? []) wake();
  }

  /** Resolves at the notification, after `timeoutMs`, or when the signal aborts, whichever comes first. */
  async wait(id: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const waiting = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, waiting);
    let wake = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      waiting.add(wake);
      timer = setTimeout(wake, timeoutMs);
      signal.addEventListener("abort", wake, { once: true });
    });
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
    waiting.delete(wake);
    if (waiting.size === 0) this.waiting.delete(id);
  }
}
