import { createHash } from "node:crypto";
import { AppError } from "@hourglass/runtime";
import type { CheckedOperation, NewOperation } from "./check-request.js";
import type { Collections } from "../records/collections.js";

/** For so long a key stands for its first request, in milliseconds. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/** One use of a key. */
export interface KeyUse {
  /** What the operation it leads to is marked with; the first field is unique. */
  mark: { idempotency: string; requestHash: string };
  now: number;
}

/** Nothing for a request without a key. */
export function keyUseOf(
  { idempotencyKey }: NewOperation,
  { checked, companyId, now }: { checked: CheckedOperation; companyId: number; now: number },
): KeyUse | undefined {
  if (idempotencyKey === "") return undefined;
  return { mark: { idempotency: `${companyId}:${idempotencyKey}`, requestHash: hashRequest(checked) }, now };
}

/**
 * Same request, same hash, in every release: what an older one does not know is left out where it is not asked for. Fed
 * piece by piece, since a request may be 20 MiB; lengths keep pieces apart.
 */
function hashRequest({ kind, analyses, groups, contents, explain }: CheckedOperation): string {
  const head = [kind, analyses, groups, contents.length, ...(explain ? [{ explain }] : [])];
  const hash = createHash("sha256").update(JSON.stringify(head));
  for (const content of contents) {
    const text = String(content);
    hash.update(`${text.length}:`).update(text);
  }
  return hash.digest("base64url");
}

/**
 * The operation that the key stands for, if any; it may have been deleted since. A key past its time is freed. Throws
 * AppError `invalid` when the key was used for another request.
 */
export async function findByKey(collections: Collections, use: KeyUse): Promise<number | undefined> {
  const { operations, leftovers } = collections;
  const { idempotency, requestHash } = use.mark;
  // A deletion notes the key among the leftovers before the record goes, so reading in this order misses neither.
  const [stored] = await operations.find({ idempotency }, { limit: 1 });
  const [deleted] = stored === undefined ? await leftovers.find({ idempotency }, { limit: 1 }) : [];
  const found = stored ?? deleted;
  if (found === undefined) return undefined;
  if (use.now - found.createdAt < IDEMPOTENCY_TTL_MS) {
    if (found.requestHash === requestHash) return found.id;
    throw keyReused();
  }
  await operations.update({ id: found.id, idempotency }, { set: { idempotency: null } });
  await leftovers.update({ id: found.id, idempotency }, { set: { idempotency: null } });
  return undefined;
}

function keyReused(): AppError {
  const message = "Give another key: this one was used for a different request within the last 24 hours.";
  return AppError.invalid([{ field: "idempotency_key", message }], "idempotency_key_reused");
}
