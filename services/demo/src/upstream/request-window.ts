/** What a window of requests says of itself after a request. */
export interface WindowState {
  readonly isExceeded: boolean;
  readonly limit: number;
  readonly left: number;
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetAt: number;
}

/** Counts requests in windows of fixed length, as platforms do. */
export class RequestWindow {
  private start = -Infinity;
  private used = 0;

  constructor(
    public limit: number,
    private readonly lengthMs: number,
    private readonly now: () => number,
  ) {}

  /** Counts one request; a request beyond the limit is not counted. */
  take(): WindowState {
    if (this.now() >= this.start + this.lengthMs) {
      this.start = this.now();
      this.used = 0;
    }
    const isExceeded = this.used >= this.limit;
    if (!isExceeded) this.used += 1;
    return { isExceeded, limit: this.limit, left: this.limit - this.used, resetAt: this.start + this.lengthMs };
  }
}
