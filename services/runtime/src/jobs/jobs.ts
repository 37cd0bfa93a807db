import type { Logger } from "../log.js";
import { failpoint } from "../process/failpoint.js";
import { type Stoppable, together } from "../process/repetition.js";
import type { Queue } from "../queue/queue.js";
import type { Collection, Store } from "../store/store.js";
import { type Measurements, NO_MEASUREMENTS, type Reading } from "../telemetry/measurements.js";
import { activeTrace } from "../telemetry/spans.js";
import { DueJobs } from "./due-jobs.js";
import { type AnyDueKind, dueKind } from "./due-kind.js";
import type { DueClaim } from "./due-record.js";
import { hasEnded, type JobRecord, type JobStatus, newJob, type NewJob, UNFINISHED } from "./job.js";
import { jobFailpoint, type JobKind, laneKeyOf, type Lane, lanesOf, logFields, traceOf } from "./job-kind.js";
import { JobRun, type JobWork, type RunContext } from "./job-run.js";
import { EndWaiters } from "./end-waiters.js";
import type { Lease } from "./lease.js";
import { Quota, type QuotaLimits } from "./quota.js";

export interface JobsConfig extends QuotaLimits {
  /** How long a worker keeps a job without renewing its lease, in milliseconds. */
  leaseMs: number;
  /** Jobs of one lane that a worker runs concurrently; in a lane for long jobs, those of one company. */
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
  idempotency?: NewJob["idempotency"];
  /** Id of the request that creates it, which the log lines of its runs repeat. */
  requestId?: string;
}

export interface WaitFor {
  id: number;
  /** The caller, whose waits are bounded. */
  callerId?: number | string | undefined;
  /** 0: do not wait. */
  waitMs: number;
  /** The caller's signal; evaluated only if a wait is necessary. */
  signal: () => AbortSignal;
}

/** Companies, and jobs of each, that are put in order together. */
const [COMPANIES_MAX, JOBS_MAX] = [256, 128];

/**
 * The life cycle of one kind of job: due work whose records have a state that callers see. A process starts the parts for
 * which it is responsible; each part may run in several processes at once.
 */
export class Jobs<R extends JobRecord> {
  private readonly metrics: Measurements;
  /** The records, typed with the common fields. */
  private readonly records: Collection<JobRecord>;
  private readonly quota: Quota<R>;
  private readonly waiters: EndWaiters;
  /** Leases of jobs in work in this process. */
  private readonly leases = new Map<number, Lease>();
  private readonly lanes: ReadonlyMap<Lane, DueJobs>;
  private work: JobWork<R> | undefined;

  constructor(private readonly options: JobsOptions<R>) {
    const { kind, queue, config, log, now, metrics = NO_MEASUREMENTS } = options;
    this.metrics = metrics;
    this.records = options.records as unknown as Collection<JobRecord>;
    this.waiters = new EndWaiters(this.records);
    this.quota = new Quota({ kind, records: this.records, metrics, now }, config);
    const { concurrency } = config;
    const waitingMin = Math.max(8, 2 * concurrency);
    this.lanes = new Map(
      lanesOf(kind.lanes).map((lane) => {
        const shared = { name: lane.queue, queue, kinds: [this.kindOf(lane)], waitingMin, log, metrics, now };
        // One place more than a company may hold, for another one.
        const share = { places: concurrency + 1, placesPerOwner: concurrency };
        return [lane, new DueJobs({ ...shared, ...(lane === kind.lanes.shared ? { places: concurrency } : share) })];
      }),
    );
  }

  /** Takes a place in the company's quota. AppError `too-many` or `unavailable` if there is none. */
  admit(companyId: number): Promise<void> {
    return this.quota.take(companyId);
  }

  /** The common fields of a new job except its id. Stores nothing. */
  draft({ companyId, idempotency, requestId }: JobDraft): Omit<JobRecord, "id"> {
    const traceparent = activeTrace()?.traceparent ?? null;
    return newJob({ companyId, createdAt: this.options.now(), idempotency, traceparent, requestId });
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
    await this.accept(record, () => this.options.records.insert(this.inLane(record)));
  }

  /** Like `insert`, for a job that gets its id in the same commit; returns the id. */
  async insertNext(record: Omit<R, "id">): Promise<number> {
    const { store, records, counter } = this.options;
    return this.accept(record, () => store.insertNext(records, counter, this.inLane(record)));
  }

  /**
   * Reads a job with `read` once it has ended, the wait times out, or the process stops. Fails as `read` does, with the
   * signal's reason once the caller has left, and with AppError `too-many` if the caller waits too often already.
   */
  async readWhenEnded<T extends { status: JobRecord["status"] }>(wait: WaitFor, read: () => Promise<T>): Promise<T> {
    const { id, callerId, waitMs, signal: signalOf } = wait;
    const { stopping } = this.options;
    const until = performance.now() + waitMs;
    let record = await read();
    if (waitMs === 0 || hasEnded(record.status)) return record;
    const gone = signalOf();
    const signal = stopping === undefined ? gone : AbortSignal.any([gone, stopping]);
    for (let leftMs = waitMs; leftMs > 0 && !signal.aborted; leftMs = until - performance.now()) {
      await this.waiters.wait({ id, callerId, timeoutMs: leftMs, signal });
      gone.throwIfAborted(); // nobody needs what would be read
      record = await read();
      if (hasEnded(record.status)) break; // otherwise a worker gave it back
    }
    return record;
  }

  /** Reports that a job's record was deleted: its worker in this process stops, and waiting callers are released. */
  forget(id: number): void {
    this.leases.get(id)?.lose();
    this.waiters.announce(id);
  }

  /** Publishes accepted jobs, those whose message or worker was lost, and those whose pause is over. */
  startRelay(): Stoppable {
    this.addGauges();
    return together([...this.lanes.values()].map((lane) => lane.startRelay()));
  }

  /** Runs jobs. */
  startWorker(work: JobWork<R>): Stoppable {
    this.work = work;
    return together([...this.lanes.values()].map((lane) => lane.startWorker()));
  }

  private inLane<T extends Omit<R, "id">>(record: T): T {
    const laneKey = laneKeyOf(this.options.kind.lanes, record as Omit<R, "id"> & Pick<JobRecord, "companyId">);
    return { ...record, laneKey };
  }

  private async accept<T>(record: Omit<R, "id">, insert: () => Promise<T>): Promise<T> {
    const { kind } = this.options;
    failpoint(jobFailpoint(kind.name, "before_insert"));
    const result = await insert();
    this.metrics.countJobCreated(kind.name);
    this.lanes.get(kind.lanes.laneOf(record))?.wake();
    failpoint(jobFailpoint(kind.name, "after_insert"));
    return result;
  }

  /** The jobs of a lane as due work. */
  private kindOf(lane: Lane): AnyDueKind {
    const { kind, records, config, now } = this.options;
    return dueKind<JobRecord>({
      name: kind.name,
      records: records as unknown as Collection<JobRecord>,
      leaseMs: config.leaseMs,
      failure: `${kind.name} could not be run`,
      ownerOf: ({ companyId }) => companyId,
      costOf: (record) => Math.max(1, kind.costOf(record as R)),
      readDue: () => this.dueOf(lane),
      message: {
        encode: ({ id, dueAt }) => kind.message.encode(Number(id), dueAt),
        decode: (body) => {
          const named = kind.message.decode(body);
          return named && { kind: kind.name, id: named.id, dueAt: named.dueAt };
        },
      },
      changes: {
        published: { status: "pending" },
        claimed: { set: { status: "running", progress: 0 }, increment: { runs: 1 } },
        waiting: { status: "pending" },
      },
      onPublished: (record) => this.noteLoss(record, lane),
      // Those whose workers are gone end as `failed`, see job-run.ts.
      retry: { deathsMax: Infinity },
      isUnfinished: ({ status }) => !hasEnded(status),
      // Later runs say nothing about the initial wait.
      sinceOf: ({ runs, createdAt }) => (runs === 1 ? createdAt : undefined),
      spanOf: (record) => ({
        parent: traceOf(record),
        attributes: { ...kind.spanAttributes(record as R), "hourglass.run": record.runs },
      }),
      work: (claim, stopping) => new JobRun(this.runContext(lane, now), claim as unknown as DueClaim<R>).run(stopping),
    });
  }

  private runContext(lane: Lane, now: () => number): RunContext<R> {
    const { kind, log, cleanUp = () => Promise.resolve() } = this.options;
    const { work } = this;
    if (work === undefined) throw new Error("the worker was not started");
    return {
      kind,
      lane,
      work,
      log,
      metrics: this.metrics,
      now,
      cleanUp,
      onBegun: (id, lease) => void this.leases.set(id, lease),
      onEnded: (id) => {
        this.leases.delete(id);
        this.waiters.announce(id);
      },
    };
  }

  /** The due jobs of a lane: those of each company that have waited longest. One look into the index for each company. */
  private async *dueOf({ name }: Lane): AsyncGenerator<JobRecord> {
    const due = { lte: this.options.now() };
    let after = `${name}:`;
    for (let companies = 0; companies < COMPANIES_MAX; companies += 1) {
      // `;` is the character after `:`.
      const rest = { laneKey: { gt: after, lt: `${name};` }, dueAt: due };
      const [next] = await this.records.find(rest, { sort: BY_LANE_KEY, limit: 1 });
      if (typeof next?.laneKey !== "string") return;
      after = next.laneKey;
      yield* await this.records.find({ laneKey: after, dueAt: due }, { sort: BY_DUE_TIME, limit: JOBS_MAX });
    }
  }

  /** A job whose lease ran out is published again: its worker has died, or hangs. */
  private noteLoss(record: JobRecord, { queue }: Lane): void {
    if (record.status !== "running") return;
    const { kind, log } = this.options;
    log.warn({ ...logFields(kind, record), attempts: record.attempts }, "lease ran out");
    this.metrics.countLeaseLoss(queue);
  }

  /** Reports the backlog at every scrape. Every count uses an index, and no read scans the backlog. */
  private addGauges(): void {
    const { kind, now } = this.options;
    const countOf = async (status: JobStatus): Promise<Reading> => ({
      labels: { kind: kind.name, status },
      value: await this.records.count({ status }),
    });
    this.metrics.gauge("hourglass_jobs", "Jobs that have not ended", () => Promise.all(UNFINISHED.map(countOf)), [
      "kind",
      "status",
    ]);
    const oldestOf = async (statuses: readonly JobStatus[]): Promise<Reading[]> => {
      const created = (await oldestCreation(this.records, statuses)) ?? now();
      return [{ labels: { kind: kind.name }, value: Math.max(0, now() - created) / 1000 }];
    };
    const unfinished = "Age of the oldest job that has not ended";
    this.metrics.gauge("hourglass_oldest_unfinished_seconds", unfinished, () => oldestOf(UNFINISHED), ["kind"]);
    const waiting = "Age of the oldest job that no worker has in work";
    this.metrics.gauge("hourglass_oldest_waiting_seconds", waiting, () => oldestOf(WAITING), ["kind"]);
  }
}

/**
 * When the oldest of the jobs was created that are next to run, in milliseconds since the epoch; undefined if there is none.
 * Default: of those that no worker has in work.
 */
export async function oldestCreation(
  records: Pick<Collection<JobRecord>, "find">,
  statuses: readonly JobStatus[] = WAITING,
): Promise<number | undefined> {
  const first = (status: JobStatus) => records.find({ status }, { sort: BY_DUE_TIME, limit: 16 });
  const created = (await Promise.all(statuses.map(first))).flat().map(({ createdAt }) => createdAt);
  return created.length === 0 ? undefined : Math.min(...created);
}

/** More workers help only these: a long film keeps one worker busy, however many there are. */
const WAITING = UNFINISHED.filter((status) => status !== "running");

const BY_DUE_TIME = [
  ["dueAt", 1],
  ["id", 1],
] as const;
const BY_LANE_KEY = [["laneKey", 1], ...BY_DUE_TIME] as const;
