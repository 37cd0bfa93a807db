import type { Logger } from "../../log/logger.js";
import type { Queue } from "../../queue/queue.js";
import type { Measurements } from "../../telemetry/measurements.js";
import type { JobKind } from "./job-kind.js";
import type { JobRecord } from "./job-record.js";
import type { JobStore } from "./job-store.js";

/** What every part of a job's life works with. */
export interface JobContext<R extends JobRecord> {
  kind: JobKind<R>;
  jobs: JobStore<R>;
  queue: Queue;
  /** How long a worker without a sign of life keeps a job. */
  leaseMs: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Logger;
  metrics: Measurements;
  /** Called when a job has ended in this process, or an attempt at it has. */
  onEnded: (id: number) => void;
  /** Removes what workers that lost the job may have stored; called after a job has ended. */
  cleanUp: (record: R) => Promise<void>;
}
