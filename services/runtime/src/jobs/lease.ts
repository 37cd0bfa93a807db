import { randomUUID } from "node:crypto";
import type { JobRecord } from "./job.js";
import { type JobContext, logFields, traceOf } from "./job-kind.js";
import { publishJob } from "./outbox.js";

/** The lease is lost: the job was deleted, or another worker has it. Results must not be stored. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  constructor() {
    super("the lease was lost");
  }
}

/** A job that this worker has as long as its lease is renewed. */
export interface LeasedJob<R extends JobRecord> {
  record: R;
  lease: Lease;
}

/** Takes a published job for a new worker; undefined if it was deleted, has ended, or another worker has it. */
export async function takeLease<R extends JobRecord>(
  context: JobContext<R>,
  id: number,
): Promise<LeasedJob<R> | undefined> {
  const { jobs, leaseMs, now } = context;
  const begun = performance.now();
  const token = randomUUID();
  const take = () =>
    jobs.transition(id, {
      from: "pending",
      to: "running",
      set: { leaseToken: token, leaseExpiresAt: now() + leaseMs, progress: 0 },
      increment: { attempts: 1, runs: 1 },
    });
  const record = (await take()) ?? (await markPublished(context, id).then(take));
  const extend = async (progress: number) => {
    const mine = { id, status: "running", leaseToken: token } as const;
    return (await jobs.update(mine, { set: { leaseExpiresAt: now() + leaseMs, progress } })) !== undefined;
  };
  return record && { record, lease: new Lease({ token, leaseMs, begun, extend }) };
}

/** Reads the job of a message: `pending`, or a later state. Undefined if it was deleted. */
export async function readPublished<R extends JobRecord>(context: JobContext<R>, id: number): Promise<R | undefined> {
  const record = await context.jobs.get(id);
  if (record?.status !== "ready") return record;
  await markPublished(context, id);
  return context.jobs.get(id);
}

/**
 * A message may arrive before the relay's own transition from `ready` to `pending`, and proves that the job was
 * published. Afterwards the job is `pending` or in a later state, whichever process makes the transition.
 */
async function markPublished<R extends JobRecord>({ jobs, now }: JobContext<R>, id: number): Promise<void> {
  await jobs.transition(id, { from: "ready", to: "pending", set: { queuedAt: now() } });
}

export interface HandBackOptions {
  /** If false, the run does not count as an attempt. */
  countsAsAttempt: boolean;
  /** Fields to set instead of `queuedAt` as the current time. */
  set?: Partial<JobRecord>;
}

/** Ends the lease, so that another worker can take the job. Undefined if the lease was lost. */
export function handBack<R extends JobRecord>(
  { jobs, now }: JobContext<R>,
  { record, lease }: LeasedJob<R>,
  { countsAsAttempt, set = { queuedAt: now() } }: HandBackOptions,
): Promise<R | undefined> {
  return jobs.transition(record.id, {
    from: "running",
    to: "pending",
    where: { leaseToken: lease.token },
    set: { leaseToken: null, leaseExpiresAt: null, ...set },
    ...(countsAsAttempt ? {} : { increment: { attempts: -1 } }),
  });
}

/** Shortest interval between two writes of the progress, in milliseconds. */
const REPORT_EVERY_MS = 300;

interface TakenLease {
  token: string;
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
  readonly token: string;
  private readonly controller = new AbortController();
  private lost = false;
  private readonly timer: NodeJS.Timeout;
  private renewedAt: number;
  private progress = 0;
  private reportedAt = 0;

  constructor(private readonly taken: TakenLease) {
    this.token = taken.token;
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
    if (this.isLost) return;
    const asked = performance.now();
    this.reportedAt = asked;
    if (await this.taken.extend(this.progress)) this.renewedAt = asked;
    else this.lose();
  }
}

/**
 * Finds leases that are no longer renewed. Clocks of two processes may differ by hours, so the time written in a lease
 * is not sufficient: it must also have been unchanged, on this process's monotonic clock, for longer than a live worker
 * leaves it (a worker renews three times per lease).
 */
export class LeaseWatch<R extends JobRecord> {
  private seen = new Map<number, { expiresAt: number | null; token: string | null; since: number }>();

  constructor(private readonly context: JobContext<R>) {}

  async sweep(): Promise<void> {
    const seen: typeof this.seen = new Map();
    for await (const record of this.context.jobs.stream({ status: "running" })) {
      const { leaseExpiresAt: expiresAt, leaseToken: token } = record;
      const before = this.seen.get(record.id);
      const same = before?.expiresAt === expiresAt && before.token === token;
      const since = same ? before.since : performance.now();
      seen.set(record.id, { expiresAt, token, since });
      if (this.isDead(record, performance.now() - since)) await this.expire(record);
    }
    this.seen = seen;
  }

  private isDead({ leaseExpiresAt }: R, unchangedMs: number): boolean {
    const { leaseMs, now } = this.context;
    if (unchangedMs > leaseMs) return true;
    return (leaseExpiresAt ?? 0) < now() && unchangedMs > leaseMs / 2;
  }

  /** Takes the job from a dead worker: returns it to the queue, or gives it up after the last attempt. */
  private async expire(record: R): Promise<void> {
    const { kind, log } = this.context;
    log.warn({ ...logFields(kind, record), attempts: record.attempts }, "lease ran out");
    if (record.attempts >= kind.policy.deathsMax) await this.giveUp(record);
    else await this.publishAgain(record);
  }

  private async giveUp(record: R): Promise<void> {
    const { kind, jobs, now, log, metrics, cleanUp, onEnded } = this.context;
    const failed = await jobs.transition(record.id, {
      from: "running",
      to: "failed",
      where: leaseOf(record),
      set: { leaseToken: null, leaseExpiresAt: null, error: kind.sentences.gaveUp, finishedAt: now() },
    });
    if (failed === undefined) return;
    metrics.countLeaseLoss(kind.lanes.laneOf(record).queue);
    metrics.countJobEnded({ kind: kind.name, status: failed.status });
    log.info({ ...logFields(kind, failed), status: failed.status, run: failed.runs }, `${kind.name} ended`);
    await cleanUp(failed);
    onEnded(failed.id);
  }

  private async publishAgain(record: R): Promise<void> {
    const { kind, jobs, now, metrics } = this.context;
    const pending = await jobs.transition(record.id, {
      from: "running",
      to: "pending",
      where: leaseOf(record),
      set: { leaseToken: null, leaseExpiresAt: null, queuedAt: now() },
    });
    if (pending === undefined) return;
    const { queue } = kind.lanes.laneOf(record);
    metrics.countLeaseLoss(queue);
    await publishJob(this.context, { id: record.id, to: queue, trace: traceOf(pending) });
  }
}

/** The lease as read, so that a lease renewed or taken since is left alone. */
function leaseOf({ leaseToken, leaseExpiresAt }: JobRecord): Pick<JobRecord, "leaseToken" | "leaseExpiresAt"> {
  return { leaseToken, leaseExpiresAt };
}
