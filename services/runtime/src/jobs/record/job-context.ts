import type { Logger } from "../../log.js";
import type { Queue } from "../../queue/queue.js";
import type { Measurements } from "../../telemetry/measurements.js";
import type { JobKind } from "./job-kind.js";
import type { JobRecord } from "./job-record.js";
import type { JobStore } from "./job-store.js";

/** Dependencies shared by all parts of the job system. */
export interface JobContext<R extends JobRecord> {
  kind: JobKind<R>;
  jobs: JobStore<R>;
  queue: Queue;
  /** How long a worker keeps a job without renewing its lease, in milliseconds. */
  leaseMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Logger;
  metrics: Measurements;
  /** Called when a job, or an attempt at it, has ended in this process. */
  onEnded: (id: number) => void;
  /** Removes data stored by workers that lost the job; called after a job has ended. */
  cleanUp: (record: R) => Promise<void>;
}
