import type { Halt } from "../store/declaration.js";
import type { Change, Collection, Filter, FindOptions } from "../store/store.js";

/** Permitted state transitions. A job that has ended never changes. */
export const JOB_TRANSITIONS = {
  /** Stored and not published yet: this state is the job's outbox entry. */
  ready: ["pending"],
  /** Published to its queue. */
  pending: ["running"],
  /** A worker holds its lease. */
  running: ["pending", "done", "failed", "invalid"],
  done: [],
  failed: [],
  /** Ended because its input could not be used. */
  invalid: [],
} as const satisfies Record<string, readonly string[]>;

export type JobStatus = keyof typeof JOB_TRANSITIONS;
/** The states that may follow `S`. */
export type NextStatus<S extends JobStatus> = (typeof JOB_TRANSITIONS)[S][number];
/** Final states that a worker may set. */
export type EndStatus = Exclude<NextStatus<"running">, "pending">;

/** A job in one of these states still needs work. */
export const UNFINISHED = ["ready", "pending", "running"] as const satisfies readonly JobStatus[];

/**
 * The common fields of job records; a kind of job adds its own. The record is the source of truth for the job's state;
 * messages only refer to it. Times are milliseconds since the epoch.
 */
export interface JobRecord {
  id: number;
  companyId: number;
  status: JobStatus;
  /** Its sequence number: the position in the order of publication, see fairness.ts. */
  turn: number;
  /** Its lane key: lane and company as one text, so that one index covers both, see job-kind.ts. Null in the shared lane. */
  line?: string | null;
  createdAt: number;
  /** When a message for the job was last published; for a postponed job, when the message arrives. */
  queuedAt: number | null;
  /** Attempts that began, except those that a worker handed back voluntarily. */
  attempts: number;
  /** How often a worker began the job. Never decreases, so it distinguishes the data of different workers. */
  runs: number;
  /** Token of the worker that runs the job. Kept after the end to identify the worker that ended it. */
  leaseToken: string | null;
  leaseExpiresAt: number | null;
  /** When a worker last put the job back because its company held all its permitted places, see retry.ts. */
  deferredAt?: number | null;
  /** How often a worker left the job for one of a newer release, see retry.ts. */
  handedOn?: number | null;
  /** How often a worker put the job back because it could not continue, see retry.ts. */
  postponed?: number | null;
  /** Units of work done so far. */
  progress: number;
  finishedAt: number | null;
  /** Why the job ended `failed` or `invalid`, as a sentence for its owner. */
  error: string | null;
  /** Company and idempotency key, unique; null without a key. */
  idempotency: string | null;
  requestHash: string | null;
  /** W3C trace context of the job's creation; null without tracing. */
  traceparent?: string | null;
  /** Id of the request that created the job, for the log; absent if there was none. */
  requestId?: string | null;
}

export interface NewJob {
  companyId: number;
  sequence: number;
  createdAt: number;
  idempotency?: Pick<JobRecord, "idempotency" | "requestHash"> | undefined;
  traceparent?: string | null;
  requestId?: string | null | undefined;
}

/**
 * The initial fields of a job, except its id. Each is named, because spreading them takes half as long as storing the job
 * in the embedded database.
 */
export function newJob({
  companyId,
  sequence,
  createdAt,
  idempotency,
  traceparent,
  requestId,
}: NewJob): Omit<JobRecord, "id"> {
  return {
    companyId,
    createdAt,
    status: "ready",
    turn: sequence,
    line: null,
    queuedAt: null,
    attempts: 0,
    runs: 0,
    leaseToken: null,
    leaseExpiresAt: null,
    progress: 0,
    finishedAt: null,
    error: null,
    idempotency: idempotency?.idempotency ?? null,
    requestHash: idempotency?.requestHash ?? null,
    traceparent: traceparent ?? null,
    requestId: requestId ?? null,
  };
}

/** Indexes that a collection of jobs needs. */
export const JOB_INDEXES = [
  { fields: ["status", "line", "turn", "id"] },
  { fields: ["companyId", "id"] },
  { fields: ["companyId", "status", "id"] },
  { fields: ["idempotency"], unique: true },
] as const satisfies readonly { fields: readonly (keyof JobRecord)[]; unique?: boolean }[];

/** Whether the status is final. A status that only a newer release knows counts as not final. */
export function hasEnded(status: JobStatus): boolean {
  const next: Partial<Record<string, readonly string[]>> = JOB_TRANSITIONS;
  return next[status]?.length === 0;
}

/** Ends the jobs of a company that is erased: no worker takes them, and one that runs them loses its lease. */
export const JOB_HALT = {
  where: { status: { in: UNFINISHED } },
  change: { set: { status: "failed", leaseToken: null } },
  until: "leaseExpiresAt",
} as const satisfies Halt<JobRecord>;

export interface Transition<R extends JobRecord, F extends JobStatus> {
  from: F;
  to: NextStatus<F>;
  /** Further conditions, such as the lease token. */
  where?: Omit<Filter<JobRecord>, "id" | "status">;
  set?: Omit<Partial<JobRecord>, "id" | "status">;
  /** Fields of the job's kind, set together with the common ones. */
  fields?: Partial<Omit<R, keyof JobRecord>>;
  increment?: Change<JobRecord>["increment"];
}

/**
 * The records of one kind of job, queried and changed by their common fields. Returned records are complete: they
 * include the fields of their kind.
 */
export class JobStore<R extends JobRecord> {
  /** The same collection, typed with the common fields. */
  private readonly jobs: Collection<JobRecord>;

  constructor(private readonly records: Collection<R>) {
    this.jobs = records as unknown as Collection<JobRecord>;
  }

  get(id: number): Promise<R | undefined> {
    return this.records.get(id);
  }

  /** AppError `conflict` if the id or the idempotency key is taken. */
  insert(record: R): Promise<void> {
    return this.records.insert(record);
  }

  find(filter: Filter<JobRecord>, options: FindOptions<JobRecord> = {}): Promise<R[]> {
    return this.jobs.find(filter, options) as Promise<R[]>;
  }

  /** All matching jobs, in constant memory. */
  stream(filter: Filter<JobRecord>): AsyncIterable<R> {
    return this.jobs.stream(filter) as AsyncIterable<R>;
  }

  count(filter: Filter<JobRecord>): Promise<number> {
    return this.jobs.count(filter);
  }

  update(filter: Filter<JobRecord>, change: Change<JobRecord>): Promise<R | undefined> {
    return this.jobs.update(filter, change) as Promise<R | undefined>;
  }

  /**
   * Changes a job's state with one conditional write. Returns the record after the write, or undefined if the job was
   * in another state or a condition did not hold: a lost race, which is a normal result.
   */
  transition<F extends JobStatus>(id: number, transition: Transition<R, F>): Promise<R | undefined> {
    const { from, to, where = {}, set = {}, fields = {}, increment } = transition;
    const filter: Filter<JobRecord> = { ...where, id, status: from };
    return this.update(filter, {
      set: { ...fields, ...set, status: to },
      ...(increment === undefined ? {} : { increment }),
    });
  }
}
