import { publishJob } from "../outbox/publish-job.js";
import type { JobContext } from "../record/job-context.js";
import { logFields } from "../record/job-kind.js";
import type { JobPolicy } from "../record/job-policy.js";
import type { JobRecord } from "../record/job-record.js";
import { isDuplicate } from "./duplicate-message.js";
import { handBack } from "./hand-back.js";
import type { Held } from "./lease.js";

// During a rolling update, a record may need a feature of a newer release. Such a job returns to its queue until a
// worker of that release gets it.

/** Whether to keep waiting for a newer worker. Counted, not timed, so that stopped workers do not use up the wait. */
export function mayRequeue({ newerWorkersMax }: JobPolicy, { handedOn }: JobRecord): boolean {
  return (handedOn ?? 0) < newerWorkersMax;
}

/** Puts the job back for another worker, as if this one had not begun it. */
export async function requeueForNewerWorker<R extends JobRecord>(
  deps: JobContext<R>,
  held: Held<R>,
  unknown: string,
): Promise<void> {
  const { kind, now, log } = deps;
  const { record } = held;
  const at = now();
  const offers = record.handedOn ?? 0;
  const surplus = offers > 0 && isDuplicate(record.queuedAt ?? 0, { at, delayMs: kind.policy.newerWorkerMs });
  const set = surplus ? {} : { queuedAt: at, handedOn: offers + 1 };
  const requeued = await handBack(deps, held, { countsAsAttempt: false, set });
  if (requeued === undefined || surplus) return;
  // Logs the first offer, then about one a minute: logging each job only once would require state.
  if (offers % LOG_EVERY === 0) {
    const known = { ...logFields(kind, record), handedOn: requeued.handedOn, unknown };
    log.warn(known, `${kind.name} needs a newer worker, put back`);
  }
  await publishJob(deps, { id: record.id, to: kind.lanes.laneOf(record).queue, delayMs: kind.policy.newerWorkerMs });
}

const LOG_EVERY = 12;
