/** How a job may move on. A job that has ended never changes. */
export const JOB_TRANSITIONS = {
  /** Stored and not published yet: being in this state is the job's entry in the outbox. */
  ready: ["pending"],
  /** Published to its queue. */
  pending: ["running"],
  /** A worker holds its lease. */
  running: ["pending", "done", "failed", "invalid"],
  done: [],
  failed: [],
  /** Ended because nothing could be made of what it was given. */
  invalid: [],
} as const satisfies Record<string, readonly string[]>;

export type JobStatus = keyof typeof JOB_TRANSITIONS;
/** The states that `S` may move on to. */
export type NextStatus<S extends JobStatus> = (typeof JOB_TRANSITIONS)[S][number];
/** States in which a worker may leave a job for good. */
export type EndStatus = Exclude<NextStatus<"running">, "pending">;

/** A job in one of these states still needs work. */
export const UNFINISHED = ["ready", "pending", "running"] as const satisfies readonly JobStatus[];

/**
 * The fields that every job's record has; a kind of job adds its own. The record is the truth about the job's state, and
 * its messages only point at it. Times are milliseconds since the epoch.
 */
export interface JobRecord {
  id: number;
  companyId: number;
  status: JobStatus;
  /** Place in the order of publication, see fair-order.ts. */
  turn: number;
  /** Lane and company as one text, so that one index finds both, see job-kind.ts. Null in the lane that companies share. */
  line?: string | null;
  createdAt: number;
  /** When a message about it was last published. */
  queuedAt: number | null;
  /** Attempts that began, without those that a worker handed back of its own accord. */
  attempts: number;
  /** Times a worker began. Never decreases, so it tells apart what two workers stored. */
  runs: number;
  /** Token of the worker that runs the job. Stays after the end and says who ended it. */
  leaseToken: string | null;
  leaseExpiresAt: number | null;
  /** When a worker last put the job back because its company held all the places it may, see defer.ts. */
  deferredAt?: number | null;
  /** Times a worker left the job for one of a newer release, see requeue-for-newer-worker.ts. */
  handedOn?: number | null;
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
}

export interface NewJob {
  id: number;
  companyId: number;
  turn: number;
  createdAt: number;
  /** The idempotency key it was created with. */
  mark?: Pick<JobRecord, "idempotency" | "requestHash"> | undefined;
  traceparent?: string | null;
}

/** The fields of a job that nobody has worked on yet. */
export function newJob({ mark, traceparent = null, ...given }: NewJob): JobRecord {
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
  };
}

/** Indexes that a collection of jobs needs. */
export const JOB_INDEXES = [
  { fields: ["status", "line", "turn", "id"] },
  { fields: ["companyId", "id"] },
  { fields: ["companyId", "status", "id"] },
  { fields: ["idempotency"], unique: true },
] as const satisfies readonly { fields: readonly (keyof JobRecord)[]; unique?: boolean }[];

/** Whether the status is final. One that only a newer release knows counts as not final. */
export function hasEnded(status: JobStatus): boolean {
  const next: Partial<Record<string, readonly string[]>> = JOB_TRANSITIONS;
  return next[status]?.length === 0;
}
