import { publishJob } from "../outbox/publish-job.js";
import type { JobContext } from "../record/job-context.js";
import { logFields } from "../record/job-kind.js";
import type { JobRecord } from "../record/job-record.js";
import { traceOf } from "../record/job-spans.js";

/**
 * Finds leases that are no longer renewed. Clocks of two processes may differ by hours, so the time written in a lease
 * is not sufficient: it must also have been unchanged, on this process's monotonic clock, for longer than a live worker
 * leaves it (a worker renews three times per lease).
 */
export class LeaseWatch<R extends JobRecord> {
  private seen = new Map<number, { expiresAt: number | null; token: string | null; since: number }>();

  constructor(private readonly deps: JobContext<R>) {}

  async sweep(): Promise<void> {
    const seen: typeof this.seen = new Map();
    for await (const record of this.deps.jobs.stream({ status: "running" })) {
      const { leaseExpiresAt: expiresAt, leaseToken: token } = record;
      const before = this.seen.get(record.id);
      const same = before?.expiresAt === expiresAt && before.token === token;
      const since = same ? before.since : performance.now();
      seen.set(record.id, { expiresAt, token, since });
      if (this.isDead(record, performance.now() - since)) await expire(this.deps, record);
    }
    this.seen = seen;
  }

  private isDead({ leaseExpiresAt }: R, unchangedMs: number): boolean {
    const { leaseMs, now } = this.deps;
    if (unchangedMs > leaseMs) return true;
    return (leaseExpiresAt ?? 0) < now() && unchangedMs > leaseMs / 2;
  }
}

/** Takes the job from a dead worker: returns it to the queue, or gives it up after the last attempt. */
async function expire<R extends JobRecord>(deps: JobContext<R>, record: R): Promise<void> {
  const { kind, log } = deps;
  log.warn({ ...logFields(kind, record), attempts: record.attempts }, "lease ran out");
  if (record.attempts >= kind.policy.deathsMax) await giveUp(deps, record);
  else await publishAgain(deps, record);
}

async function giveUp<R extends JobRecord>(deps: JobContext<R>, record: R): Promise<void> {
  const { kind, jobs, now, log, metrics } = deps;
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
  await deps.cleanUp(failed);
  deps.onEnded(failed.id);
}

async function publishAgain<R extends JobRecord>(deps: JobContext<R>, record: R): Promise<void> {
  const { kind, jobs, now, metrics } = deps;
  const pending = await jobs.transition(record.id, {
    from: "running",
    to: "pending",
    where: leaseOf(record),
    set: { leaseToken: null, leaseExpiresAt: null, queuedAt: now() },
  });
  if (pending === undefined) return;
  const { queue } = kind.lanes.laneOf(record);
  metrics.countLeaseLoss(queue);
  await publishJob(deps, { id: record.id, to: queue, trace: traceOf(pending) });
}

/** The lease as read, so that a lease renewed or taken since is left alone. */
function leaseOf({ leaseToken, leaseExpiresAt }: JobRecord): Pick<JobRecord, "leaseToken" | "leaseExpiresAt"> {
  return { leaseToken, leaseExpiresAt };
}
