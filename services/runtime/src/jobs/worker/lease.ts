import { randomUUID } from "node:crypto";
import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import type { JobStore } from "../record/job-store.js";

/** The lease is gone: the job was deleted, or another worker has it. What is under way must not be stored. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  constructor() {
    super("the lease was lost");
  }
}

export type LeaseDeps<R extends JobRecord> = Pick<JobContext<R>, "jobs" | "leaseMs" | "now">;

/** A job that belongs to this worker as long as its lease is renewed. */
export interface Held<R extends JobRecord> {
  record: R;
  lease: Lease;
}

/** Takes a published job for a new worker; nothing when it was deleted, has ended, or another worker has it. */
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

/** Reads a job that a message is about: `pending`, unless it is past that already. Nothing when it was deleted. */
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
 * A message may overtake the relay's own step from `ready` to `pending`, and proves that the job was published. Whoever
 * takes the step, the job is `pending` afterwards, unless it was past that already.
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
    private readonly deps: LeaseStore,
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

  /** Ends the lease from this side, such as when the job was deleted in this process. */
  lose(): void {
    this.lost = true;
    this.interrupt(new LeaseLostError());
    this.release();
  }

  /** Ends the work but keeps the lease, so that the job can be handed back in order. */
  interrupt(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Throws LeaseLostError unless the lease is held; to be asked before anything is stored. */
  require(): void {
    if (this.isLost) throw new LeaseLostError();
  }

  /** Notes how much is done; stored with the next renewal, or at once when the last one was a while ago. */
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

/** Progress is stored at most so often, in milliseconds. */
const REPORT_EVERY_MS = 300;
