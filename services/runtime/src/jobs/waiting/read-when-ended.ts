import { hasEnded, type JobRecord } from "../record/job-record.js";
import type { CompletionWaiters } from "./completion-waiters.js";

/** Polling interval while a caller waits, in milliseconds, because another process may end the job. */
const LOOK_EVERY_MS = 400;

export interface ReadWhenEndedDeps {
  waiters: CompletionWaiters;
  /** Aborted when the process stops: waiting callers then get the job's current state. */
  stopping?: AbortSignal | undefined;
}

export interface WaitFor {
  id: number;
  /** 0: do not wait. */
  waitMs: number;
  /** The caller's signal; evaluated only if a wait is necessary. */
  signal: () => AbortSignal;
}

/** Reads a job's record once it has ended, the wait times out, or a signal aborts. Fails as `read` does. */
export async function readWhenEnded<R extends Pick<JobRecord, "status">>(
  { waiters, stopping }: ReadWhenEndedDeps,
  { id, waitMs, signal: signalOf }: WaitFor,
  read: () => Promise<R>,
): Promise<R> {
  let record = await read();
  if (waitMs === 0 || hasEnded(record.status)) return record;
  const signal = stopping === undefined ? signalOf() : AbortSignal.any([signalOf(), stopping]);
  const until = performance.now() + waitMs;
  for (let left = waitMs; left > 0 && !signal.aborted; left = until - performance.now()) {
    await waiters.wait(id, Math.min(left, LOOK_EVERY_MS), signal);
    record = await read();
    if (hasEnded(record.status)) break;
  }
  return record;
}
