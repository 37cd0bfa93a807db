/** A transfer of bytes from or to one client. */
export interface Transfer {
  /** Whether the client can proceed now; otherwise it waits for the server. */
  readonly clientsTurn: boolean;
  /** Bytes moved so far. */
  moved(): number;
  /** Ends the transfer together with its connection. */
  cut(): void;
}

export interface SlowTransfersOptions {
  /** How long a client may be too slow. */
  windowMs: number;
  /** Average rate that it must reach in that time. */
  bytesPerSecondMin: number;
}

interface Window {
  startedAt: number;
  movedBefore: number;
}

/**
 * Cuts clients that send or read too slowly. Node's own timeouts do not cover slow readers, and a total limit would cut
 * large transfers of honest clients. The pace is therefore checked window by window: the kernel buffers megabytes for a
 * client that reads nothing, which would keep an average over the whole time high for long. One timer serves all
 * transfers, since a timer for each would add noticeable cost to a short request.
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

  /** Number of watched transfers. */
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

  /** Whether a window has ended with sufficient pace. */
  private hasKeptPace({ startedAt, movedBefore }: Window, moved: number, now: number): boolean {
    return now - startedAt >= this.options.windowMs && moved - movedBefore >= this.bytesMin;
  }
}
