/** The lease is lost: the work was taken away, or another worker has it. Results must not be stored. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  constructor() {
    super("the lease was lost");
  }
}

/** Shortest interval between two writes of the progress, in milliseconds. */
const REPORT_EVERY_MS = 300;

interface TakenLease {
  leaseMs: number;
  /** When it was taken, on this process's monotonic clock. */
  begun: number;
  /** Extends the stored lease and stores the progress; false if the lease is lost. */
  extend: (progress: number) => Promise<boolean>;
}

/**
 * A self-renewing lease. It ends when a renewal finds it lost, or when no renewal has succeeded for its whole duration
 * on this process's clock, so that a suspended or disconnected worker stops before it stores anything.
 */
export class Lease {
  private readonly controller = new AbortController();
  private lost = false;
  private readonly timer: NodeJS.Timeout;
  private renewedAt: number;
  private progress = 0;
  private reportedAt = 0;
  private isRenewing = false;

  constructor(private readonly taken: TakenLease) {
    this.renewedAt = taken.begun;
    this.timer = setInterval(() => void this.renew().catch(() => undefined), taken.leaseMs / 3);
  }

  /** Aborted when the lease is lost or the work is interrupted. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isLost(): boolean {
    if (performance.now() - this.renewedAt > this.taken.leaseMs) this.lose();
    return this.lost;
  }

  /** Ends the lease locally, for example when the job was deleted in this process. */
  lose(): void {
    this.lost = true;
    this.interrupt(new LeaseLostError());
    this.release();
  }

  /** Aborts the work but keeps the lease, so that the job can be handed back. */
  interrupt(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Throws LeaseLostError unless the lease is held; call it before storing anything. */
  require(): void {
    if (this.isLost) throw new LeaseLostError();
  }

  /** Records the progress; it is stored with the next renewal, or at once if the last one was a while ago. */
  async report(progress: number): Promise<void> {
    this.progress = progress;
    if (performance.now() - this.reportedAt < REPORT_EVERY_MS) return;
    await this.renew().catch(() => undefined); // the timer tries again
  }

  /** Stops renewing. */
  release(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    // A store that answers late must not get renewals faster than it answers them.
    if (this.isLost || this.isRenewing) return;
    const asked = performance.now();
    this.reportedAt = asked;
    this.isRenewing = true;
    try {
      if (await this.taken.extend(this.progress)) this.renewedAt = asked;
      else this.lose();
    } finally {
      this.isRenewing = false;
    }
  }
}
