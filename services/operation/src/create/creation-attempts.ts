import { failpoint, isConflict, newJob } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { CREATE_TIME_MAX_MS, erasePartsOf } from "../records/cleanup-notes.js";
import { type CreationAttempt, newOperation, type OperationRecord } from "../records/operation.js";

/** No company has this id, so nobody sees a record of it. */
const NOBODY = 0;

/** How long an attempt without a sign of life is believed to be alive, in milliseconds. */
export interface AttemptTimes {
  /** Between two signs of life. */
  beatMs: number;
  /** After which a repetition with the same key takes over. */
  takeOverMs: number;
  /** After which the sweeper releases what was claimed. */
  deadMs: number;
}

const DEAD_MS_MAX = 15_000;

/** The times that go with a lease of so long. An attempt that was wrongly taken for dead is refused, never half stored. */
export function attemptTimes(leaseMs: number): AttemptTimes {
  const deadMs = Math.min(leaseMs, DEAD_MS_MAX);
  return { beatMs: deadMs / 15, takeOverMs: deadMs / 4, deadMs };
}

/** Notes an attempt. AppError `conflict` when another one has the key. */
export function beginAttempt({ attempts }: Collections, id: number, idempotency: string | null): Promise<void> {
  return attempts.insert({ id, idempotency, state: "open", beats: 0, dueAt: null });
}

/** Gives signs of life until the returned function is called. */
export function keepAlive({ attempts }: Collections, id: number, { beatMs }: AttemptTimes): () => void {
  const timer = setInterval(() => {
    attempts.update({ id, state: "open" }, { increment: { beats: 1 } }).catch(() => undefined); // the next one may get through
  }, beatMs).unref();
  return () => clearInterval(timer);
}

/** Forgets an attempt whose operation stands, or that has claimed nothing. What fails here is done by the sweeper. */
export async function endAttempt({ attempts }: Collections, id: number): Promise<void> {
  await attempts.delete({ id, state: "open" }).catch(() => undefined);
}

/**
 * Makes sure that the operation will never be stored: takes its id, under which its own process can then insert nothing,
 * be it still alive. Returns false when the operation was stored before.
 */
export async function bar({ operations }: Collections, id: number, now: number): Promise<boolean> {
  try {
    await operations.insert(tombstone(id, now));
    failpoint("operation.mid_abandon");
    return true;
  } catch (error) {
    if (!isConflict(error)) throw error;
    const present = await operations.get(id);
    return present !== undefined && isTombstone(present);
  }
}

/** Whether the record only keeps an operation of this id from being stored. */
export function isTombstone({ companyId }: OperationRecord): boolean {
  return companyId === NOBODY;
}

/** Says of an attempt whose operation is barred that its claims are released. Its key is free when nobody can meet them. */
export async function markAbandoned(
  { attempts }: Collections,
  id: number,
  { now, freeKey }: { now: number; freeKey: boolean },
): Promise<void> {
  const abandoned = { state: "abandoned", dueAt: now + CREATE_TIME_MAX_MS } as const;
  const set = freeKey ? { ...abandoned, idempotency: null } : abandoned;
  if ((await attempts.update({ id }, { set })) !== undefined) return;
  // Its own process has forgotten it meanwhile; by the note, the record that takes its id is removed one day.
  await attempts.put({ id, idempotency: null, beats: 0, ...abandoned });
}

/**
 * Removes the last of an attempt that was given up long ago. Its process refuses to insert after half of that time, so
 * the id need not be taken any longer.
 */
export async function forgetAttempt(collections: Collections, { id }: CreationAttempt): Promise<void> {
  await erasePartsOf(collections, id);
  await collections.operations.delete({ id, companyId: NOBODY });
  await collections.attempts.delete({ id });
}

function tombstone(id: number, createdAt: number): OperationRecord {
  const job = newJob({ id, companyId: NOBODY, turn: 0, createdAt });
  const ended = { status: "failed", finishedAt: createdAt, error: "It was never accepted." } as const;
  const request = {
    kind: "file-id",
    analyses: [],
    groups: null,
    contentsCount: 0,
    contents: [],
    partCount: 0,
  } as const;
  return newOperation({ ...job, ...ended }, { ...request, analyses: [], contents: [] });
}
