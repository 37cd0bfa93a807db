import { publishJob } from "../outbox/publish-job.js";
import type { JobContext } from "../record/job-context.js";
import { type Lane, lanesOf } from "../record/job-kind.js";
import type { JobRecord } from "../record/job-record.js";
import { traceOf } from "../record/job-spans.js";

const BATCH_MAX = 1000;

/** Republishes jobs whose message was lost. */
export async function republishLost<R extends JobRecord>(deps: JobContext<R>): Promise<void> {
  const { kind, jobs, leaseMs, now } = deps;
  const { laneOf } = kind.lanes;
  const doubtedAfterMs = kind.policy.doubtedAfterLeases * leaseMs;
  const lostAfterMs = Math.min(kind.policy.lostAfterMs, doubtedAfterMs);
  const old = await jobs.find({ status: "pending", queuedAt: { lt: now() - lostAfterMs } }, { limit: BATCH_MAX });
  if (old.length === 0) return;
  const empty = await emptyLanes(deps);
  const lost = old.filter((record) => empty.has(laneOf(record)) || (record.queuedAt ?? 0) < now() - doubtedAfterMs);
  for (const { id, queuedAt } of lost) {
    // The condition prevents two processes from publishing the same job.
    const mine = await jobs.update({ id, status: "pending", queuedAt }, { set: { queuedAt: now() } });
    if (mine !== undefined) await publishJob(deps, { id, to: laneOf(mine).queue, trace: traceOf(mine) });
  }
}

async function emptyLanes<R extends JobRecord>({ kind, queue }: JobContext<R>): Promise<ReadonlySet<Lane>> {
  const lanes = lanesOf(kind.lanes);
  const depths = await Promise.all(lanes.map(async (lane) => ({ lane, depth: await queue.depth(lane.queue) })));
  return new Set(depths.filter(({ depth }) => depth === 0).map(({ lane }) => lane));
}
