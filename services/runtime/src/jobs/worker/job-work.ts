import type { EndStatus, JobRecord } from "../record/job-record.js";
import type { Held } from "./lease.js";

/** How a job's work ended, and the fields to store in its record. */
export interface JobEnd<R extends JobRecord> {
  to: EndStatus;
  /** Message for the owner if the status is not `done`. */
  error?: string;
  progress?: number;
  fields?: Partial<Omit<R, keyof JobRecord>>;
}

/**
 * Does the work of one job, from its record alone. Two runs may overlap, so it stores only data that another run can
 * distinguish from its own, after `lease.require()`. Ends early if `lease.signal` aborts. Throws PostponedError for a
 * later retry, any other error for a failed attempt.
 */
export type JobWork<R extends JobRecord> = (held: Held<R>) => Promise<JobEnd<R>>;
