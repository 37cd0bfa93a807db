import { publishJob } from "../outbox/publish-job.js";
import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import { handBack } from "./hand-back.js";
import type { Held } from "./lease.js";

/** Leaves a published job in its queue, since its company holds all the places of this worker that it may. */
export async function defer<R extends JobRecord>(deps: JobContext<R>, record: R): Promise<void> {
  const { id, queuedAt, deferredAt } = record;
  const { deferMs } = deps.kind.policy;
  const at = deps.now();
  if (isSurplus(deferredAt, at, deferMs)) return;
  // Of several messages about one job only one goes on.
  const mine = await deps.jobs.update({ id, status: "pending", queuedAt }, { set: { queuedAt: at, deferredAt: at } });
  if (mine === undefined) return;
  await publishJob(deps, { id, to: deps.kind.lanes.laneOf(mine).queue, delayMs: deferMs, trace: null });
}

/** A message that comes sooner than the deferred one can is another one about the same job: one is enough. */
function isSurplus(deferredAt: number | null | undefined, at: number, deferMs: number): boolean {
  const age = at - (deferredAt ?? 0);
  return typeof deferredAt === "number" && age >= 0 && age < deferMs / 2;
}

/** Moves a job whose message came through the wrong lane, from a release that knew of none, to its own lane. */
export async function changeLane<R extends JobRecord>(deps: JobContext<R>, held: Held<R>): Promise<void> {
  held.lease.release();
  const pending = await handBack(deps, held, { countsAsAttempt: false });
  if (pending === undefined) return;
  await publishJob(deps, { id: pending.id, to: deps.kind.lanes.laneOf(pending).queue });
}
