/** Bytes on their way from or to one client. */
export interface Transfer {
  /** Whether the client could go on now; otherwise it waits for us. */
  readonly clientsTurn: boolean;
  /** Bytes moved so far. */
  moved(): number;
  /** Ends it together with its connection. */
  cut(): void;
}

export interface SlowTransfersOptions {
  /** How long a client may fall behind. */
  windowMs: number;
  /** What it has to move in that time, on the average. */
  bytesPerSecondMin: number;
}

interface Window {
  startedAt: number;
  movedBefore: number;
}

/**
 * Cuts clients that send or read too slowly. Node's own timeouts do not know slow readers, and a total limit would cut
 * large transfers of honest clients; so this one looks at the pace, window by window: the kernel takes megabytes off
 * our hands for a client that reads none of them, which in an average over all the time would look brisk for long. One
 * timer serves all transfers, as a timer for each would show in the cost of a short request.
 */
export class SlowTransfers {
  private readonly windows = new Map<Transfer, Window | undefined>();
  private readonly bytesMin: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: SlowTransfersOptions) {
    this.bytesMin = (options.windowMs / 1000) * options.bytesPerSecondMin;
    this.timer = setInterval(() => this.sweep(Date.now()), Math.min(1000, options.windowMs / 4));
    this.timer.unref();
  }

  /** How many are watched. */
  get size(): number {
    return this.windows.size;
  }

  add(transfer: Transfer): void {
    this.windows.set(transfer, undefined);
  }

  delete(transfer: Transfer): void {
    this.windows.delete(transfer);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sweep(now: number): void {
    for (const [transfer, window] of this.windows) {
      const moved = transfer.moved();
      if (window === undefined || !transfer.clientsTurn || this.hasKeptPace(window, moved, now)) {
        this.windows.set(transfer, { startedAt: now, movedBefore: moved });
      } else if (now - window.startedAt >= this.options.windowMs) {
        this.windows.delete(transfer);
        transfer.cut();
      }
    }
  }

  /** Whether a window is over, and well. */
  private hasKeptPace({ startedAt, movedBefore }: Window, moved: number, now: number): boolean {
    return now - startedAt >= this.options.windowMs && moved - movedBefore >= this.bytesMin;
  }
}
