import { randomUUID } from "node:crypto";
import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import type { JobStore } from "../record/job-store.js";

/** The lease is lost: the job was deleted, or another worker has it. Results must not be stored. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  constructor() {
    super("the lease was lost");
  }
}

export type LeaseDeps<R extends JobRecord> = Pick<JobContext<R>, "jobs" | "leaseMs" | "now">;

/** A job held by this worker as long as its lease is renewed. */
export interface Held<R extends JobRecord> {
  record: R;
  lease: Lease;
}

/** Takes a published job for a new worker; undefined if it was deleted, has ended, or another worker has it. */
export async function takeLease<R extends JobRecord>(deps: LeaseDeps<R>, id: number): Promise<Held<R> | undefined> {
  const { jobs, leaseMs, now } = deps;
  const begun = performance.now();
  const token = randomUUID();
  const take = () =>
    jobs.transition(id, {
      from: "pending",
      to: "running",
      set: { leaseToken: token, leaseExpiresAt: now() + leaseMs, progress: 0 },
      increment: { attempts: 1, runs: 1 },
    });
  const record = (await take()) ?? (await markPublished(deps, id).then(take));
  return record && { record, lease: new Lease(deps, { id, token, begun }) };
}

/** Reads the job of a message: `pending`, or a later state. Undefined if it was deleted. */
export async function readPublished<R extends JobRecord>(
  deps: Pick<LeaseDeps<R>, "jobs" | "now">,
  id: number,
): Promise<R | undefined> {
  const record = await deps.jobs.get(id);
  if (record?.status !== "ready") return record;
  await markPublished(deps, id);
  return deps.jobs.get(id);
}

/**
 * A message may arrive before the relay's own transition from `ready` to `pending`, and proves that the job was
 * published. Afterwards the job is `pending` or in a later state, whoever makes the transition.
 */
async function markPublished<R extends JobRecord>(
  { jobs, now }: Pick<LeaseDeps<R>, "jobs" | "now">,
  id: number,
): Promise<void> {
  await jobs.transition(id, { from: "ready", to: "pending", set: { queuedAt: now() } });
}

interface LeaseStore {
  jobs: Pick<JobStore<JobRecord>, "update">;
  leaseMs: number;
  now: () => number;
}

/**
 * A self-renewing lease. It ends when a renewal finds it lost, or when no renewal has succeeded for its whole duration
 * on this process's clock, so that a suspended or disconnected worker stops before it stores anything.
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
    private readonly deps: LeaseStore,
    { id, token, begun }: { id: number; token: string; begun: number },
  ) {
    this.id = id;
    this.token = token;
    this.renewedAt = begun;
    this.timer = setInterval(() => void this.renew().catch(() => undefined), deps.leaseMs / 3);
  }

  /** Aborted when the lease is lost or the work is interrupted. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isLost(): boolean {
    if (performance.now() - this.renewedAt > this.deps.leaseMs) this.lose();
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
    if (this.isLost) return;
    const { jobs, leaseMs, now } = this.deps;
    const asked = performance.now();
    this.reportedAt = asked;
    const record = await jobs.update(
      { id: this.id, status: "running", leaseToken: this.token },
      { set: { leaseExpiresAt: now() + leaseMs, progress: this.progress } },
    );
    if (record === undefined) this.lose();
    else this.renewedAt = asked;
  }
}

/** Shortest interval between two writes of the progress, in milliseconds. */
const REPORT_EVERY_MS = 300;
