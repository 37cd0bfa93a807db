import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import type { Held } from "./lease.js";

export interface HandBackOptions {
  /** If false, the run does not count as an attempt. */
  countsAsAttempt: boolean;
  /** Fields to set instead of `queuedAt` as the current time. */
  set?: Partial<JobRecord>;
}

/** Releases the lease, so that another worker can take the job. Undefined if the lease was lost. */
export function handBack<R extends JobRecord>(
  { jobs, now }: Pick<JobContext<R>, "jobs" | "now">,
  { record, lease }: Held<R>,
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
