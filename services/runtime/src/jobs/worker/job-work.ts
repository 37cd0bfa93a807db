import type { EndStatus, JobRecord } from "../record/job-record.js";
import type { Held } from "./lease.js";

/** How a job's work ended, and what its record is to say of it. */
export interface JobEnd<R extends JobRecord> {
  to: EndStatus;
  /** For the owner, where it is not `done`. */
  error?: string;
  progress?: number;
  fields?: Partial<Omit<R, keyof JobRecord>>;
}

/**
 * Does the work of one job, from its record alone. May run twice at a time, so it stores only what another run can tell
 * from its own, after `lease.require()`. Ends early when `lease.signal` aborts. Throws PostponedError to be tried again
 * later, anything else for a failed attempt.
 */
export type JobWork<R extends JobRecord> = (held: Held<R>) => Promise<JobEnd<R>>;
