import type { DueClaim } from "@hourglass/runtime";
import type { SearchRecord } from "../../store/records.js";

/** The claim is lost: the search was paused or deleted, or another process has it. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost";
  constructor() {
    super("the claim was lost");
  }
}

/** A condition that is true only while the claim is held and the insight is in the same epoch. */
export interface Fence {
  id: string;
  dueAt: number;
  epoch: number;
}

/** A claimed search, renewed until it is released. Renewals wait for writes, because both use the fence. */
export class PollLease {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly claim: DueClaim<SearchRecord>,
    leaseMs: number,
  ) {
    this.timer = setInterval(() => void this.renew(), leaseMs / 3);
  }

  /** Aborts when the claim is found to be lost. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  write<T>(work: (fence: Fence) => Promise<T>): Promise<T> {
    const { epoch } = this.claim.record;
    const done = this.lastWrite.then(() => work({ ...this.claim.fence, epoch }));
    this.lastWrite = done.catch(() => undefined);
    return done;
  }

  /** Stops renewing. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.lastWrite;
  }

  private async renew(): Promise<void> {
    const isHeld = await this.write(() => this.claim.renew()).catch(() => true); // The timer tries again.
    if (!isHeld) this.controller.abort(new ClaimLost());
  }
}
