import { failpoint } from "../process/failpoint.js";
import type { Logger } from "../log.js";
import { repeat, type Stoppable } from "../process/repetition.js";
import type { Queue } from "../queue/queue.js";
import type { Collection, Store } from "../store/store.js";
import { type Measurements, NO_MEASUREMENTS } from "../telemetry/measurements.js";
import { activeTrace } from "../telemetry/spans.js";
import { FairOrder, sequencesOf } from "./fairness.js";
import { hasEnded, type JobRecord, JobStore, newJob, type NewJob } from "./job.js";
import { type JobContext, jobFailpoint, type JobKind } from "./job-kind.js";
import { type Lease, type LeasedJob, LeaseWatch } from "./lease.js";
import { republishLost } from "./outbox.js";
import { Quota, type QuotaLimits } from "./quota.js";
import { addJobGauges, Relay } from "./relay.js";
import { JobWorker, type JobWork } from "./worker.js";

export interface JobsConfig extends QuotaLimits {
  /** How long a worker keeps a job without renewing its lease, in milliseconds. */
  leaseMs: number;
  /** Jobs of one lane that a worker runs concurrently. */
  concurrency: number;
}

export interface JobsOptions<R extends JobRecord> {
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
  /** In the units used for fairness between companies; 0 in a lane per company. */
  cost: number;
  idempotency?: NewJob["idempotency"];
  /** Id of the request that creates it, which the log lines of its runs repeat. */
  requestId?: string;
}

export interface WaitFor {
  id: number;
  /** 0: do not wait. */
  waitMs: number;
  /** The caller's signal; evaluated only if a wait is necessary. */
  signal: () => AbortSignal;
}

/** Polling interval while a caller waits, in milliseconds, because another process may end the job. */
const LOOK_EVERY_MS = 400;
const SWEEP_PAUSE_MS_MAX = 5000;

/** Opens the jobs of one kind, and creates missing collections and indexes. */
export async function openJobs<R extends JobRecord>(options: JobsOptions<R>): Promise<Jobs<R>> {
  const { store, kind } = options;
  return new Jobs(options, new FairOrder(store, await store.collection(sequencesOf(kind))));
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
  private relay: Relay<R> | undefined;

  constructor(
    private readonly options: JobsOptions<R>,
    private readonly order: FairOrder,
  ) {
    const { kind, queue, config, log, now, metrics = NO_MEASUREMENTS, cleanUp } = options;
    this.context = {
      kind,
      jobs: new JobStore(options.records),
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
    this.quota = new Quota(this.context, config);
  }

  /** Takes a place in the company's quota. AppError `too-many` or `unavailable` if there is none. */
  admit(companyId: number): Promise<void> {
    return this.quota.take(companyId);
  }

  /** The common fields of a new job except its id, with a position in the publication order. Stores nothing. */
  async draft({ companyId, cost, idempotency, requestId }: JobDraft): Promise<Omit<JobRecord, "id">> {
    const sequence = await this.order.take(companyId, cost);
    const traceparent = activeTrace()?.traceparent ?? null;
    return newJob({ companyId, sequence, createdAt: this.options.now(), idempotency, traceparent, requestId });
  }

  /** The id of a job that has to be known before the job is inserted. */
  nextId(): Promise<number> {
    return this.options.store.nextId(this.options.counter);
  }

  /**
   * Stores a `ready` job and accepts it: once this resolves, the job will be run. AppError `conflict` if its id
   * or idempotency key is taken.
   */
  async insert(record: R): Promise<void> {
    await this.accept(record, () => this.context.jobs.insert(record));
  }

  /** Like `insert`, for a job that gets its id in the same commit; returns the id. */
  async insertNext(record: Omit<R, "id">): Promise<number> {
    const { store, records, counter } = this.options;
    return this.accept(record, () => store.insertNext(records, counter, record));
  }

  private async accept<T>(record: Omit<R, "id">, insert: () => Promise<T>): Promise<T> {
    const { kind, metrics } = this.context;
    failpoint(jobFailpoint(kind.name, "before_insert"));
    this.order.keep((record as R).companyId);
    const result = await insert();
    metrics.countJobCreated(kind.name);
    this.relay?.wake(kind.lanes.laneOf(record));
    failpoint(jobFailpoint(kind.name, "after_insert"));
    return result;
  }

  /** Reads a job with `read` once it has ended, the wait times out, or a signal aborts. Fails as `read` does. */
  async readWhenEnded<T extends { status: JobRecord["status"] }>(wait: WaitFor, read: () => Promise<T>): Promise<T> {
    const { id, waitMs, signal: signalOf } = wait;
    const { stopping } = this.options;
    let record = await read();
    if (waitMs === 0 || hasEnded(record.status)) return record;
    const signal = stopping === undefined ? signalOf() : AbortSignal.any([signalOf(), stopping]);
    const until = performance.now() + waitMs;
    for (let left = waitMs; left > 0 && !signal.aborted; left = until - performance.now()) {
      await this.waiters.wait(id, Math.min(left, LOOK_EVERY_MS), signal);
      record = await read();
      if (hasEnded(record.status)) break;
    }
    return record;
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
    const waitingMin = Math.max(8, 2 * this.options.config.concurrency);
    return (this.relay = new Relay(this.context, { order: this.order, waitingMin }));
  }

  /** Runs jobs. */
  startWorker(work: JobWork<R>): Stoppable {
    const { lanes } = this.context.kind;
    const onBegun = ({ record, lease }: LeasedJob<R>) => {
      this.leases.set(record.id, lease);
      this.relay?.wake(lanes.laneOf(record)); // one job less waits in the queue, so another one fits
    };
    return new JobWorker(this.context, { work, onBegun, concurrency: this.options.config.concurrency });
  }

  /**
   * Repairs jobs after crashes and lost messages: expired leases, jobs without a message, and whatever the further steps
   * find. A failed step is logged and does not prevent the others. At least one process must run it.
   */
  startSweeper(furtherSteps: readonly (() => Promise<void>)[] = []): Stoppable {
    const { leaseMs, log } = this.context;
    const leases = new LeaseWatch(this.context);
    const pauseMs = Math.min(leaseMs / 4, SWEEP_PAUSE_MS_MAX);
    const steps = [() => leases.sweep(), () => republishLost(this.context), ...furtherSteps];
    return repeat(async () => {
      for (const step of steps) {
        await step().catch((error: unknown) => log.warn({ err: error }, "sweep failed, trying again"));
      }
      return pauseMs;
    });
  }
}

/** Notifies waiting callers in this process that a job has ended. Other processes have to poll. */
class CompletionWaiters {
  private readonly waiting = new Map<number, Set<() => void>>();

  announce(id: number): void {
    for (const wake of this.waiting.get(id) ?? []) wake();
  }

  /** Resolves at the notification, after `timeoutMs`, or when the signal aborts, whichever comes first. */
  async wait(id: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const waiting = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, waiting);
    let wake = (): void => undefined;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      waiting.add(wake);
      timer = setTimeout(wake, timeoutMs);
      signal.addEventListener("abort", wake, { once: true });
    });
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
    waiting.delete(wake);
    if (waiting.size === 0) this.waiting.delete(id);
  }
}
