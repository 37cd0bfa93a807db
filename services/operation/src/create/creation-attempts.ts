import { failpoint, isConflict, newJob } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { CREATE_TIME_MAX_MS, erasePartsOf } from "../records/cleanup-notes.js";
import { type CreationAttempt, newOperation, type OperationRecord } from "../records/operation.js";

/** No company has this id, so no caller sees a record with it. */
const NOBODY = 0;

/** How long an attempt without a heartbeat counts as alive, in milliseconds. */
export interface AttemptTimes {
  /** Interval between heartbeats. */
  beatMs: number;
  /** Time after which a retry with the same key takes over. */
  takeOverMs: number;
  /** Time after which the sweeper releases the claimed files. */
  deadMs: number;
}

const DEAD_MS_MAX = 15_000;

/** The times for a given lease. An attempt wrongly taken for dead is refused, never half stored. */
export function attemptTimes(leaseMs: number): AttemptTimes {
  const deadMs = Math.min(leaseMs, DEAD_MS_MAX);
  return { beatMs: deadMs / 15, takeOverMs: deadMs / 4, deadMs };
}

/** Records an attempt. AppError `conflict` if another attempt has the key. */
export function beginAttempt(
  { attempts }: Collections,
  { id, companyId, idempotency }: Pick<OperationRecord, "id" | "companyId" | "idempotency">,
): Promise<void> {
  return attempts.insert({ id, companyId, idempotency, state: "open", beats: 0, dueAt: null });
}

/** Sends heartbeats until the returned function is called. */
export function keepAlive({ attempts }: Collections, id: number, { beatMs }: AttemptTimes): () => void {
  const timer = setInterval(() => {
    attempts.update({ id, state: "open" }, { increment: { beats: 1 } }).catch(() => undefined); // the next may succeed
  }, beatMs).unref();
  return () => clearInterval(timer);
}

/** Deletes an attempt whose operation is stored, or that has claimed nothing. If this fails, the sweeper does it. */
export async function endAttempt({ attempts }: Collections, id: number): Promise<void> {
  await attempts.delete({ id, state: "open" }).catch(() => undefined);
}

/**
 * Ensures that the operation will never be stored: inserts a tombstone under its id, so that its own process cannot
 * insert it, even if still alive. Returns false if the operation was already stored.
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

/** Whether the record only prevents an operation with this id from being stored. */
export function isTombstone({ companyId }: OperationRecord): boolean {
  return companyId === NOBODY;
}

/**
 * Marks an attempt whose operation is barred as abandoned. The key is freed once a retry can no longer meet its claims.
 */
export async function markAbandoned(
  { attempts }: Collections,
  id: number,
  { now, freeKey }: { now: number; freeKey: boolean },
): Promise<void> {
  const abandoned = { state: "abandoned", dueAt: now + CREATE_TIME_MAX_MS } as const;
  const set = freeKey ? { ...abandoned, idempotency: null } : abandoned;
  if ((await attempts.update({ id }, { set })) !== undefined) return;
  // Its own process has deleted it in the meantime; the attempt is stored again, so that the tombstone is removed
  // later.
  await attempts.put({ id, idempotency: null, beats: 0, ...abandoned });
}

/**
 * Removes the remains of an attempt that was abandoned long ago. Its process refuses to insert after half of that time,
 * so the tombstone is no longer needed.
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
