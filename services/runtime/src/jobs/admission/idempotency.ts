import { AppError } from "../../errors/app-error.js";
import type { Collection } from "../../store/store.js";

/** A key stands for its first request for so long, in milliseconds. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/** A record that may have been created under a key. */
export interface Keyed {
  id: number;
  createdAt: number;
  /** Company and key, unique within a collection; null without a key, and once the key may be used again. */
  idempotency: string | null;
}

/** What a record that is created under the key is marked with; nothing for an empty key, which counts as absent. */
export function markOf(companyId: number, key: string): string | undefined {
  return key === "" ? undefined : `${companyId}:${key}`;
}

/** Whether the record's key still stands for it. */
export function isFresh({ idempotency, createdAt }: Keyed, now: number): boolean {
  return idempotency !== null && now - createdAt < IDEMPOTENCY_TTL_MS;
}

/** The record that the key stands for; its subject may have been deleted since. A key past its time is freed. */
export async function findByMark<R extends Keyed>(
  collection: Collection<R>,
  idempotency: string,
  now: number,
): Promise<R | undefined> {
  const keyed = collection as unknown as Collection<Keyed>;
  const [found] = await keyed.find({ idempotency }, { limit: 1 });
  if (found === undefined || isFresh(found, now)) return found as R | undefined;
  await keyed.update({ id: found.id, idempotency }, { set: { idempotency: null } });
  return undefined;
}

/** Refuses a key that was used for another request; `field` is where the caller gave it. */
export function keyReused(field: string): AppError {
  const message = "Give another key: this one was used for a different request within the last 24 hours.";
  return AppError.invalid([{ field, message }], "idempotency_key_reused");
}

/**
 * What another request with the same key had stored first, found by `find` after an insert failed with `error`. Throws
 * the error when it is no conflict, or when nothing is found.
 */
export async function winnerOf<T>(error: unknown, find: (() => Promise<T | undefined>) | undefined): Promise<T> {
  const winner = isConflict(error) ? await find?.() : undefined;
  if (winner === undefined) throw error;
  return winner;
}

/** Whether a write failed because its id or a unique field was taken. */
export function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.kind === "conflict";
}
