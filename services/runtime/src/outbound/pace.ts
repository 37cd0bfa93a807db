/** What must come at least. */
export interface PaceLimit {
  bytes: number;
  /** In every such time that is spent waiting for them, in milliseconds. */
  everyMs: number;
}

/** Notices a sender that is too slow. Only time in which the reader waits counts: the reader may be busy for longer. */
export class Pace {
  private bytes = 0;
  private waitedMs = 0;
  private waitingSince = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `onSlow` is called once at most. */
  constructor(
    private readonly limit: PaceLimit,
    private readonly onSlow: () => void,
  ) {}

  /** The reader waits from now on. */
  wait(): void {
    this.waitingSince = performance.now();
    this.timer = setTimeout(() => this.check(), this.limit.everyMs - this.waitedMs);
  }

  /** So many bytes have come; the reader is busy with them. */
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
