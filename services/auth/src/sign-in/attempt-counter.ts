const WINDOW_MS = 60_000;
const KEYS_MAX = 50_000;

interface Window {
  attempts: number;
  startedAt: number;
}

/**
 * Counts attempts per key in windows of one minute that begin with a key's first attempt. The number of keys is
 * bounded: a caller that floods it with invented keys displaces the oldest ones, most of them its own. Custom code,
 * since the memory store of rate-limiter-flexible 11.4 keeps any number of keys and supports only the system clock,
 * which may be set back.
 */
export class AttemptCounter {
  /** In the order in which the windows began. */
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly now: () => number = Date.now,
    private readonly keysMax: number = KEYS_MAX,
  ) {}

  /**
   * Counts an attempt. Returns the number of attempts in the key's window, and the milliseconds until the window ends.
   */
  count(key: string): { attempts: number; endsInMs: number } {
    const window = this.windowOf(key);
    window.attempts += 1;
    return { attempts: window.attempts, endsInMs: window.startedAt + WINDOW_MS - this.now() };
  }

  /** Undoes the count of an attempt, unless its window is over. */
  takeBack(key: string): void {
    const window = this.windows.get(key);
    if (window !== undefined && window.attempts > 0) window.attempts -= 1;
  }

  private windowOf(key: string): Window {
    const now = this.now();
    const present = this.windows.get(key);
    if (present !== undefined && isRunning(present, now)) return present;
    this.windows.delete(key);
    this.makeRoom(now);
    const window = { attempts: 0, startedAt: now };
    this.windows.set(key, window);
    return window;
  }

  private makeRoom(now: number): void {
    for (const [key, window] of this.windows) {
      if (this.windows.size < this.keysMax && isRunning(window, now)) return;
      this.windows.delete(key);
    }
  }
}

function isRunning({ startedAt }: Window, now: number): boolean {
  const age = now - startedAt; // negative after the clock was set back
  return age >= 0 && age < WINDOW_MS;
}
