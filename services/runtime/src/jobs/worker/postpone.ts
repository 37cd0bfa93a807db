import { publishJob } from "../outbox/publish-job.js";
import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import { handBack } from "./hand-back.js";
import type { Held } from "./lease.js";

/** Difference between the clocks of two processes that does not make a message count as too early, in milliseconds. */
const CLOCK_TOLERANCE_MS = 1000;

/**
 * Puts a job back that cannot continue now, with a new message: a job may be postponed more often than a queue delivers
 * one message. `queuedAt` is the time at which the message arrives, so that it is not taken for lost before. A message
 * that comes too early for the one that is expected is a duplicate, and is dropped.
 */
export async function postpone<R extends JobRecord>(
  deps: JobContext<R>,
  held: Held<R>,
  delayMs: number,
): Promise<void> {
  const { kind, now } = deps;
  const { queuedAt, postponed } = held.record;
  const at = now();
  const isSurplus = (postponed ?? 0) > 0 && (queuedAt ?? 0) > at + CLOCK_TOLERANCE_MS;
  const set = isSurplus ? {} : { queuedAt: at + delayMs, postponed: (postponed ?? 0) + 1 };
  const pending = await handBack(deps, held, { countsAsAttempt: false, set });
  if (pending === undefined || isSurplus) return;
  await publishJob(deps, { id: pending.id, to: kind.lanes.laneOf(pending).queue, delayMs, trace: null });
}
