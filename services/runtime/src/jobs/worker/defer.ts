import { publishJob } from "../outbox/publish-job.js";
import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import { isDuplicate } from "./duplicate-message.js";
import { handBack } from "./hand-back.js";
import type { Held } from "./lease.js";

/** Puts a published job back into its queue, because its company holds all its permitted places in this worker. */
export async function defer<R extends JobRecord>(deps: JobContext<R>, record: R): Promise<void> {
  const { id, queuedAt, deferredAt } = record;
  const { deferMs } = deps.kind.policy;
  const at = deps.now();
  if (typeof deferredAt === "number" && isDuplicate(deferredAt, { at, delayMs: deferMs })) return;
  // Of several messages for one job only one continues.
  const mine = await deps.jobs.update({ id, status: "pending", queuedAt }, { set: { queuedAt: at, deferredAt: at } });
  if (mine === undefined) return;
  await publishJob(deps, { id, to: deps.kind.lanes.laneOf(mine).queue, delayMs: deferMs, trace: null });
}

/** Moves a job to its own lane if its message came through another one, from a release without lanes. */
export async function changeLane<R extends JobRecord>(deps: JobContext<R>, held: Held<R>): Promise<void> {
  held.lease.release();
  const pending = await handBack(deps, held, { countsAsAttempt: false });
  if (pending === undefined) return;
  await publishJob(deps, { id: pending.id, to: deps.kind.lanes.laneOf(pending).queue });
}
