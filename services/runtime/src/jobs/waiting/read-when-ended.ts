import { hasEnded, type JobRecord } from "../record/job-record.js";
import type { CompletionWaiters } from "./completion-waiters.js";

/** Another process may end a job unseen; so often it is looked at while somebody waits, in milliseconds. */
const LOOK_EVERY_MS = 400;

export interface ReadWhenEndedDeps {
  waiters: CompletionWaiters;
  /** Aborted when the process stops: whoever waits then gets the job as it is. */
  stopping?: AbortSignal | undefined;
}

export interface WaitFor {
  id: number;
  /** 0: do not wait. */
  waitMs: number;
  /** Of the caller; asked for only when there is something to wait for. */
  signal: () => AbortSignal;
}

/** Reads a job's record, once it has ended, the wait is over, or a signal aborts. Fails as `read` does. */
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
