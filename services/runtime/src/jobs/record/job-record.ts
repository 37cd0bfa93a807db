import type { Halt } from "../../store/declaration.js";

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
  /** Position in the publication order, see fair-order.ts. */
  turn: number;
  /** Lane and company as one text, so that one index covers both, see job-kind.ts. Null in the shared lane. */
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
  /** When a worker last put the job back because its company held all its permitted places, see defer.ts. */
  deferredAt?: number | null;
  /** How often a worker left the job for one of a newer release, see requeue-for-newer-worker.ts. */
  handedOn?: number | null;
  /** How often a worker put the job back because it could not continue, see postpone.ts. */
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
  id: number;
  companyId: number;
  turn: number;
  createdAt: number;
  /** Its idempotency key. */
  mark?: Pick<JobRecord, "idempotency" | "requestHash"> | undefined;
  traceparent?: string | null;
  requestId?: string | null;
}

/** The initial fields of a job. */
export function newJob({ mark, traceparent = null, requestId = null, ...given }: NewJob): JobRecord {
  return {
    ...given,
    status: "ready",
    line: null,
    queuedAt: null,
    attempts: 0,
    runs: 0,
    leaseToken: null,
    leaseExpiresAt: null,
    progress: 0,
    finishedAt: null,
    error: null,
    ...(mark ?? { idempotency: null, requestHash: null }),
    traceparent,
    requestId,
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
