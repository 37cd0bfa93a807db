import type { Logger } from "../log.js";
import type { Stoppable } from "../process/repetition.js";
import { failpoint } from "../process/failpoint.js";
import type { Queue } from "../queue/queue.js";
import type { Collection, Store } from "../store/store.js";
import { type Measurements, NO_MEASUREMENTS } from "../telemetry/measurements.js";
import { activeTrace } from "../telemetry/spans.js";
import { Quota, type QuotaLimits } from "./admission/quota.js";
import { FairOrder, turnsOf } from "./outbox/fair-order.js";
import { addJobGauges } from "./outbox/job-gauges.js";
import { type Relay, startRelay } from "./outbox/outbox-relay.js";
import type { JobContext } from "./record/job-context.js";
import { jobFailpoint } from "./record/job-failpoints.js";
import type { JobKind } from "./record/job-kind.js";
import { type JobRecord, newJob, type NewJob } from "./record/job-record.js";
import { JobStore } from "./record/job-store.js";
import { startJobSweeper } from "./upkeep/job-sweeper.js";
import { CompletionWaiters } from "./waiting/completion-waiters.js";
import { readWhenEnded, type WaitFor } from "./waiting/read-when-ended.js";
import { startJobWorker } from "./worker/job-worker.js";
import type { JobWork } from "./worker/job-work.js";
import type { Held, Lease } from "./worker/lease.js";

export interface JobsConfig extends QuotaLimits {
  /** How long a worker keeps a job without renewing its lease, in milliseconds. */
  leaseMs: number;
  /** Jobs of one lane that a worker runs concurrently. */
  concurrency: number;
}

export interface JobsDeps<R extends JobRecord> {
  kind: JobKind<R>;
  store: Store;
  /** Must have `JOB_INDEXES`. Its ids come from the store's counter `counter`. */
  records: Collection<R>;
  counter: string;
  queue: Queue;
  config: JobsConfig;
  log: Logger;
  metrics?: Measurements;
  /** Aborted when the process stops: callers waiting for the end of a job then get its current state. */
  stopping?: AbortSignal | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  /**
   * Removes data stored by workers that lost the job. Called after the end of a job that more than one worker began; a
   * worker may still store something shortly afterwards.
   */
  cleanUp?: (record: R) => Promise<void>;
}

/** Input for a new job, in addition to the fields of its kind. */
export interface JobDraft {
  companyId: number;
  /** In the units used for fairness between companies; 0 in a lane with a line per company. */
  cost: number;
  /** Its idempotency key. */
  mark?: NewJob["mark"];
  /** Id of the request that creates it, which the log lines of its runs repeat. */
  requestId?: string;
}

/** Opens the jobs of one kind, and creates missing collections and indexes. */
export async function openJobs<R extends JobRecord>(deps: JobsDeps<R>): Promise<Jobs<R>> {
  return new Jobs(deps, new FairOrder(await deps.store.collection(turnsOf(deps.kind))));
}

/**
 * The life cycle of one kind of job. A process starts the parts for which it is responsible; each part may run in
 * several processes at once.
 */
export class Jobs<R extends JobRecord> {
  private readonly context: JobContext<R>;
  private readonly quota: Quota<R>;
  private readonly waiters = new CompletionWaiters();
  /** Leases of jobs in work in this process. */
  private readonly leases = new Map<number, Lease>();
  private relay: Relay | undefined;

  constructor(
    private readonly deps: JobsDeps<R>,
    private readonly order: FairOrder,
  ) {
    const { kind, queue, config, log, now, metrics = NO_MEASUREMENTS, cleanUp } = deps;
    this.context = {
      kind,
      jobs: new JobStore(deps.records),
      queue,
      leaseMs: config.leaseMs,
      now,
      log,
      metrics,
      onEnded: (id) => {
        this.leases.delete(id);
        this.waiters.announce(id);
      },
      cleanUp: cleanUp ?? (() => Promise.resolve()),
    };
    this.quota = new Quota({ ...this.context, limits: config });
  }

  /** Takes a place in the company's quota. AppError `too-many` or `unavailable` if there is none. */
  admit(companyId: number): Promise<void> {
    return this.quota.take(companyId);
  }

  /** The common fields of a new job, with an id and a position in the publication order. Stores nothing. */
  async draft({ companyId, cost, mark, requestId }: JobDraft): Promise<JobRecord> {
    const { store, counter, now } = this.deps;
    const [id, turn] = await Promise.all([store.nextId(counter), this.order.take(companyId, cost)]);
    const traceparent = activeTrace()?.traceparent ?? null;
    return newJob({ id, companyId, turn, createdAt: now(), mark, traceparent, requestId: requestId ?? null });
  }

  /**
   * Stores a `ready` job and thereby accepts it: once this resolves, the job will be run. AppError `conflict` if its id
   * or idempotency key is taken.
   */
  async insert(record: R): Promise<void> {
    const { kind, jobs, metrics } = this.context;
    failpoint(jobFailpoint(kind.name, "before_insert"));
    // Losing a turn costs some fairness after a restart; the job is kept.
    const kept = this.order.keep(record.companyId, record.turn).catch(() => undefined);
    await Promise.all([jobs.insert(record), kept]);
    metrics.countJobCreated(kind.name);
    this.relay?.wake(kind.lanes.laneOf(record));
    failpoint(jobFailpoint(kind.name, "after_insert"));
  }

  /** Reads a job with `read` once it has ended, the wait times out, or a signal aborts. */
  readWhenEnded<T extends Pick<JobRecord, "status">>(wait: WaitFor, read: () => Promise<T>): Promise<T> {
    return readWhenEnded({ waiters: this.waiters, stopping: this.deps.stopping }, wait, read);
  }

  /** Reports that a job's record was deleted: its worker in this process stops, and waiting callers are released. */
  forget(id: number): void {
    this.leases.get(id)?.lose();
    this.waiters.announce(id);
  }

  /**
   * Publishes accepted jobs and adds gauges for the backlog. Run it in the process that creates jobs, which wakes it.
   */
  startRelay(): Stoppable {
    addJobGauges(this.context);
    const waitingMin = Math.max(8, 2 * this.deps.config.concurrency);
    return (this.relay = startRelay({ ...this.context, order: this.order, waitingMin }));
  }

  /** Runs jobs. */
  startWorker(work: JobWork<R>): Stoppable {
    const { lanes } = this.context.kind;
    const onBegun = ({ record, lease }: Held<R>) => {
      this.leases.set(record.id, lease);
      this.relay?.wake(lanes.laneOf(record)); // one job less waits in the queue, so another one fits
    };
    return startJobWorker({ ...this.context, work, onBegun, concurrency: this.deps.config.concurrency });
  }

  /** Repairs jobs after crashes and lost messages; at least one process must run it. */
  startSweeper(furtherSteps: readonly (() => Promise<void>)[] = []): Stoppable {
    return startJobSweeper(this.context, furtherSteps);
  }
}
