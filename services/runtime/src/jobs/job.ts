import type { Halt } from "../store/declaration.js";
import type { DueRecord } from "./due-record.js";

/** Permitted state transitions. A job that has ended never changes. */
export const JOB_TRANSITIONS = {
  /** Stored and not published yet: this state is the job's outbox entry. */
  ready: ["pending", "running"],
  /** Published to its queue; to a local one, a job is published as it is. */
  pending: ["running"],
  /** A worker holds its lease. */
  running: ["pending", "done", "failed", "invalid"],
  done: [],
  failed: [],
  /** Ended because its input could not be used. */
  invalid: [],
} as const satisfies Record<string, readonly string[]>;

export type JobStatus = keyof typeof JOB_TRANSITIONS;
/** Final states that a worker may set. */
export type EndStatus = Exclude<(typeof JOB_TRANSITIONS)["running"][number], "pending">;

/** A job in one of these states still needs work. */
export const UNFINISHED = ["ready", "pending", "running"] as const satisfies readonly JobStatus[];

/**
 * The common fields of job records; a kind of job adds its own. The record is the source of truth for the job's state;
 * messages only refer to it. Times are milliseconds since the epoch.
 */
export interface JobRecord extends DueRecord {
  id: number;
  companyId: number;
  status: JobStatus;
  /**
   * When something is to be done next: `ready`, since its creation; `pending`, when its message counts as lost, or when it is
   * published again; `running`, when its lease runs out. Once it has ended, as its kind says.
   */
  dueAt: number | null;
  /** Its lane key: lane and company as one text, so that one index covers both, see job-kind.ts. Null once it has ended. */
  laneKey: string | null;
  createdAt: number;
  /** Attempts that began, except those that a worker handed back voluntarily. */
  attempts: number;
  /** How often a worker began the job. Never decreases, so it distinguishes the data of different workers. */
  runs: number;
  /** How often a worker left the job for one of a newer release. Absent: never. */
  newerOffers?: number;
  /** Units of work done so far. */
  progress: number;
  finishedAt: number | null;
  /** Why the job ended `failed` or `invalid`, as a sentence for its owner. */
  error: string | null;
  /** Company and idempotency key, unique; null without a key. */
  idempotency: string | null;
  requestHash: string | null;
  /** W3C trace context of the job's creation; null without tracing. */
  traceparent: string | null;
  /** Id of the request that created the job, for the log; null if there was none. */
  requestId: string | null;
}

export interface NewJob {
  companyId: number;
  createdAt: number;
  idempotency?: Pick<JobRecord, "idempotency" | "requestHash"> | undefined;
  traceparent?: string | null;
  requestId?: string | null | undefined;
}

/**
 * The initial fields of a job, except its id. Each is named, because spreading them takes half as long as storing the job
 * in the embedded database.
 */
export function newJob({ companyId, createdAt, idempotency, traceparent, requestId }: NewJob): Omit<JobRecord, "id"> {
  return {
    companyId,
    createdAt,
    status: "ready",
    dueAt: createdAt,
    laneKey: null,
    attempts: 0,
    runs: 0,
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
  { fields: ["laneKey", "dueAt", "id"] },
  { fields: ["status", "dueAt"] },
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
  // Another due time than that of the lease.
  change: { set: { status: "failed", laneKey: null }, increment: { dueAt: 1 } },
  until: "dueAt",
} as const satisfies Halt<JobRecord>;
