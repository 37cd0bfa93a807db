import type { JobContext } from "../record/job-context.js";
import type { JobRecord } from "../record/job-record.js";
import type { Held } from "./lease.js";

export interface HandBackOptions {
  /** False: as if the worker had not begun the job. */
  countsAsAttempt: boolean;
  /** In place of the present time as that of the last message. */
  set?: Partial<JobRecord>;
}

/** Gives up the lease, so that another worker can take the job. Nothing when the lease was lost. */
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
