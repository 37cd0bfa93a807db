/** Bytes on their way from or to one client. */
export interface Transfer {
  /** `Date.now()` when it began; undefined while it waits for its turn. */
  readonly begunAt: number | undefined;
  /** Bytes moved since. */
  moved(): number;
  /** Ends it together with its connection. */
  cut(): void;
}

export interface SlowTransfersOptions {
  /** Every transfer has so long. */
  graceMs: number;
  /** Afterwards it must have kept this pace from its beginning. */
  bytesPerSecondMin: number;
}

/**
 * Cuts clients that send or read too slowly. Node's own timeouts do not know slow readers, and a total limit would cut
 * large transfers of honest clients; so this one looks at the pace. One timer serves all transfers, as a timer for
 * each would show in the cost of a short request.
 */
export class SlowTransfers {
  private readonly transfers = new Set<Transfer>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: SlowTransfersOptions) {
    this.timer = setInterval(() => this.sweep(Date.now()), Math.min(1000, options.graceMs / 4));
    this.timer.unref();
  }

  add(transfer: Transfer): void {
    this.transfers.add(transfer);
  }

  delete(transfer: Transfer): void {
    this.transfers.delete(transfer);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sweep(now: number): void {
    for (const transfer of this.transfers) {
      if (transfer.begunAt === undefined) continue;
      const elapsedMs = now - transfer.begunAt;
      if (elapsedMs < this.options.graceMs) continue;
      if (transfer.moved() >= (elapsedMs / 1000) * this.options.bytesPerSecondMin) continue;
      this.transfers.delete(transfer);
      transfer.cut();
    }
  }
}
