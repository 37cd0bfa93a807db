import { randomUUID } from "node:crypto";
import type { Collection } from "@hourglass/runtime";
import { type OperationRecord, transition } from "../records/operation.js";

/** The lease is gone: the operation was deleted, or is somebody else's. What is under way must not be stored. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  constructor() {
    super("the lease was lost");
  }
}

export interface LeaseDeps {
  operations: Collection<OperationRecord>;
  leaseMs: number;
  now: () => number;
}

/** An operation that is this worker's, as long as it keeps renewing. */
export interface Held {
  record: OperationRecord;
  lease: Lease;
}

/** Takes a pending operation for a new worker; nothing when it is not to be had. */
export async function takeLease(deps: LeaseDeps, id: number): Promise<Held | undefined> {
  const { operations, leaseMs, now } = deps;
  const begun = performance.now();
  const token = randomUUID();
  const take = () =>
    transition(operations, id, {
      from: "pending",
      to: "running",
      set: { leaseToken: token, leaseExpiresAt: now() + leaseMs, progress: 0 },
      increment: { attempts: 1, runs: 1 },
    });
  const record = (await take()) ?? (await afterPublication(deps, id).then(take));
  return record && { record, lease: new Lease(deps, { id, token, begun }) };
}

/** Reads an operation that a message is about: pending, unless it is past that already. Nothing when it was deleted. */
export async function readPublished(
  { collections: { operations }, now }: { collections: Pick<LeaseDeps, "operations">; now: () => number },
  id: number,
): Promise<OperationRecord | undefined> {
  const record = await operations.get(id);
  if (record?.status !== "ready") return record;
  await afterPublication({ operations, now }, id);
  return operations.get(id);
}

/**
 * A message may overtake the relay's own step from ready to pending, and proves that it was published. Whoever takes the
 * step, the operation is pending afterwards, unless it was past that already.
 */
async function afterPublication({ operations, now }: Omit<LeaseDeps, "leaseMs">, id: number): Promise<void> {
  await transition(operations, id, { from: "ready", to: "pending", set: { queuedAt: now() } });
}

/**
 * A lease that renews itself. It ends when a renewal finds it gone, or when none has succeeded for its whole length by
 * this process's own clock: a worker that was suspended or cut off stops by itself before it stores anything.
 */
export class Lease {
  readonly token: string;
  private readonly id: number;
  private readonly controller = new AbortController();
  private lost = false;
  private readonly timer: NodeJS.Timeout;
  private renewedAt: number;
  private progress = 0;
  private reportedAt = 0;

  constructor(
    private readonly deps: LeaseDeps,
    { id, token, begun }: { id: number; token: string; begun: number },
  ) {
    this.id = id;
    this.token = token;
    this.renewedAt = begun;
    this.timer = setInterval(() => void this.renew().catch(() => undefined), deps.leaseMs / 3);
  }

  /** Aborted when the lease is lost, or the work interrupted. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isLost(): boolean {
    if (performance.now() - this.renewedAt > this.deps.leaseMs) this.lose();
    return this.lost;
  }

  /** Ends the lease from this side, such as when the operation was deleted here. */
  lose(): void {
    this.lost = true;
    this.interrupt(new LeaseLostError());
    this.release();
  }

  /** Ends the work but keeps the lease, so that the operation can be handed back in order. */
  interrupt(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Throws LeaseLostError unless the lease is held; asked before anything is stored. */
  require(): void {
    if (this.isLost) throw new LeaseLostError();
  }

  /** Notes how many contents are analysed; stored with the next renewal, or at once when the last was a while ago. */
  async report(progress: number): Promise<void> {
    this.progress = progress;
    if (performance.now() - this.reportedAt < REPORT_EVERY_MS) return;
    await this.renew().catch(() => undefined); // a store that is away for a moment is the timer's business
  }

  /** Stops renewing. */
  release(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    if (this.isLost) return;
    const { operations, leaseMs, now } = this.deps;
    const asked = performance.now();
    this.reportedAt = asked;
    const record = await operations.update(
      { id: this.id, status: "running", leaseToken: this.token },
      { set: { leaseExpiresAt: now() + leaseMs, progress: this.progress } },
    );
    if (record === undefined) this.lose();
    else this.renewedAt = asked;
  }
}

/** Progress is stored at most so often, in milliseconds. */
const REPORT_EVERY_MS = 300;
