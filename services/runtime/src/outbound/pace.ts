/** Minimum amount to be received. */
export interface PaceLimit {
  bytes: number;
  /** Per this much time spent waiting for the bytes, in milliseconds. */
  everyMs: number;
}

/** Detects a sender that is too slow. Only the time in which the reader waits counts, not the time it is busy. */
export class Pace {
  private bytes = 0;
  private waitedMs = 0;
  private waitingSince = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `onSlow` is called at most once. */
  constructor(
    private readonly limit: PaceLimit,
    private readonly onSlow: () => void,
  ) {}

  /** The reader starts to wait. */
  wait(): void {
    this.waitingSince = performance.now();
    this.timer = setTimeout(() => this.check(), this.limit.everyMs - this.waitedMs);
  }

  /** `bytes` were received; the reader is busy with them. */
  received(bytes: number): void {
    clearTimeout(this.timer);
    this.bytes += bytes;
    this.waitedMs += performance.now() - this.waitingSince;
    if (this.waitedMs < this.limit.everyMs) return;
    if (this.bytes < this.limit.bytes) this.onSlow();
    this.begin();
  }

  /** Stops watching. */
  end(): void {
    clearTimeout(this.timer);
  }

  private begin(): void {
    this.bytes = 0;
    this.waitedMs = 0;
  }

  private check(): void {
    if (this.bytes < this.limit.bytes) {
      this.onSlow();
      return;
    }
    this.begin();
    this.wait();
  }
}
