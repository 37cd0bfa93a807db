import type { JobRecord } from "./job.js";
import { type JobContext, type JobPolicy, logFields } from "./job-kind.js";
import { handBack, type LeasedJob } from "./lease.js";
import { publishJob } from "./outbox.js";

/** Pause before the next attempt, with jitter, so that jobs that failed together do not return together. */
export function backoffMs(policy: Pick<JobPolicy, "backoffMs">, attempts: number): number {
  return policy.backoffMs * 2 ** (attempts - 1) * (0.75 + Math.random() / 2);
}

export interface Postponement {
  /** Delay until the job is offered to a worker again, in milliseconds. */
  delayMs: number;
  /** From this number of runs on, a postponement counts as a failed attempt. Absent: never. */
  runsMax?: number;
  /** Whether this is a normal part of the job's life and no warning. */
  isExpected?: boolean;
  /** Kept for the log. */
  cause?: unknown;
}

/** Thrown by a job's work that cannot continue now: the job is retried later, which does not count as an attempt. */
export class PostponedError extends Error {
  override readonly name = "PostponedError";
  readonly delayMs: number;
  readonly runsMax: number;
  readonly isExpected: boolean;

  /** `message` is the reason, for the log. */
  constructor(message: string, { delayMs, runsMax = Infinity, isExpected = false, cause }: Postponement) {
    super(message, { cause });
    this.delayMs = delayMs;
    this.runsMax = runsMax;
    this.isExpected = isExpected;
  }
}

/** Difference between the clocks of two processes that does not make a message count as too early, in milliseconds. */
const CLOCK_TOLERANCE_MS = 1000;

/**
 * Puts a job back that cannot continue now, with a new message: a job may be postponed more often than a queue delivers
 * one message. `queuedAt` is the time at which the message arrives, so that it is not taken for lost before. A message
 * that comes too early for the one that is expected is a duplicate, and is dropped.
 */
export async function postpone<R extends JobRecord>(
  context: JobContext<R>,
  leased: LeasedJob<R>,
  delayMs: number,
): Promise<void> {
  const { kind, now } = context;
  const { queuedAt, postponed } = leased.record;
  const at = now();
  const isSurplus = (postponed ?? 0) > 0 && (queuedAt ?? 0) > at + CLOCK_TOLERANCE_MS;
  const set = isSurplus ? {} : { queuedAt: at + delayMs, postponed: (postponed ?? 0) + 1 };
  const pending = await handBack(context, leased, { countsAsAttempt: false, set });
  if (pending === undefined || isSurplus) return;
  await publishJob(context, { id: pending.id, to: kind.lanes.laneOf(pending).queue, delayMs, trace: null });
}

/** Puts a published job back into its queue, because its company holds all its permitted places in this worker. */
export async function defer<R extends JobRecord>(context: JobContext<R>, record: R): Promise<void> {
  const { kind, jobs, now } = context;
  const { id, queuedAt, deferredAt } = record;
  const { deferMs } = kind.policy;
  const at = now();
  if (typeof deferredAt === "number" && isDuplicate(deferredAt, { at, delayMs: deferMs })) return;
  // Of several messages for one job only one continues.
  const mine = await jobs.update({ id, status: "pending", queuedAt }, { set: { queuedAt: at, deferredAt: at } });
  if (mine === undefined) return;
  await publishJob(context, { id, to: kind.lanes.laneOf(mine).queue, delayMs: deferMs, trace: null });
}

/** Moves a job to its own lane if its message came through another one, from a release without lanes. */
export async function changeLane<R extends JobRecord>(context: JobContext<R>, leased: LeasedJob<R>): Promise<void> {
  leased.lease.release();
  const pending = await handBack(context, leased, { countsAsAttempt: false });
  if (pending === undefined) return;
  await publishJob(context, { id: pending.id, to: context.kind.lanes.laneOf(pending).queue });
}

// During a rolling update, a record may need a feature of a newer release. Such a job returns to its queue until a
// worker of that release gets it.

const LOG_EVERY = 12;

/** Whether to keep waiting for a newer worker. Counted, not timed, so that stopped workers do not use up the wait. */
export function mayRequeue({ newerWorkersMax }: JobPolicy, { handedOn }: JobRecord): boolean {
  return (handedOn ?? 0) < newerWorkersMax;
}

/** Puts the job back for another worker, as if this one had not begun it. */
export async function requeueForNewerWorker<R extends JobRecord>(
  context: JobContext<R>,
  leased: LeasedJob<R>,
  unknown: string,
): Promise<void> {
  const { kind, now, log } = context;
  const { record } = leased;
  const at = now();
  const offers = record.handedOn ?? 0;
  const surplus = offers > 0 && isDuplicate(record.queuedAt ?? 0, { at, delayMs: kind.policy.newerWorkerMs });
  const set = surplus ? {} : { queuedAt: at, handedOn: offers + 1 };
  const requeued = await handBack(context, leased, { countsAsAttempt: false, set });
  if (requeued === undefined || surplus) return;
  // Logs the first offer, then about one a minute: logging each job only once would require state.
  if (offers % LOG_EVERY === 0) {
    const known = { ...logFields(kind, record), handedOn: requeued.handedOn, unknown };
    log.warn(known, `${kind.name} needs a newer worker, put back`);
  }
  await publishJob(context, { id: record.id, to: kind.lanes.laneOf(record).queue, delayMs: kind.policy.newerWorkerMs });
}

/**
 * Whether a message that arrives `at` came too early to be the one published at `publishedAt` with that delay; all in
 * milliseconds. It is a duplicate for the same job and is dropped: otherwise a message that was delivered twice would
 * remain two messages for as long as the job waits.
 */
function isDuplicate(publishedAt: number, { at, delayMs }: { at: number; delayMs: number }): boolean {
  const age = at - publishedAt;
  return age >= 0 && age < delayMs / 2;
}
