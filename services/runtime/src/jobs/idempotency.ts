import { AppError } from "../errors/app-error.js";
import type { Collection } from "../store/store.js";

/** How long a key identifies its first request, in milliseconds. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/** A record that may have been created under a key. */
export interface Keyed {
  id: number;
  createdAt: number;
  /** Company and key, unique within a collection; null without a key, or once the key may be reused. */
  idempotency: string | null;
}

/** The id of what a request has created, or of what an earlier one with the same key had. */
export interface Created {
  id: number;
  replayed: boolean;
}

/** A record that this request has created. */
export function madeNow(id: number): Created {
  return { id, replayed: false };
}

/** A record that an earlier request with the same key had created. */
export function madeBefore(id: number): Created {
  return { id, replayed: true };
}

/** `idempotency` of a record created under the key; undefined for an empty key, which counts as absent. */
export function idempotencyOf(companyId: number, key: string): string | undefined {
  return key === "" ? undefined : `${companyId}:${key}`;
}

/** Whether the record's key still identifies it. */
export function isFresh({ idempotency, createdAt }: Keyed, now: number): boolean {
  return idempotency !== null && now - createdAt < IDEMPOTENCY_TTL_MS;
}

/** The record that the key identifies; its subject may have been deleted since. An expired key is freed. */
export async function findByIdempotency<R extends Keyed>(
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

/** The failure for a key that was used for another request; `field` is where the caller gave it. */
export function keyReused(field: string): AppError {
  const message = "Give another key: this one was used for a different request within the last 24 hours.";
  return AppError.invalid([{ field, message }], "idempotency_key_reused");
}

/**
 * The record that another request with the same key stored first, read with `find` after an insert failed with `error`.
 * Throws the error if it is not a conflict or nothing is found.
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
