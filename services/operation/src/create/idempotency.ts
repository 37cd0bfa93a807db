import { createHash } from "node:crypto";
import { findByMark, keyReused, markOf } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { CheckedOperation, NewOperation } from "./check-request.js";

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
  const idempotency = markOf(companyId, idempotencyKey);
  return idempotency === undefined ? undefined : { mark: { idempotency, requestHash: hashRequest(checked) }, now };
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
 * The operation that the key stands for, if any; it may have been deleted since. Throws AppError `invalid` when the key
 * was used for another request.
 */
export async function findByKey(
  { operations, cleanupNotes }: Collections,
  { mark: { idempotency, requestHash }, now }: KeyUse,
): Promise<number | undefined> {
  // A deletion notes the key before the record goes, so reading in this order misses neither.
  const stored = await findByMark(operations, idempotency, now);
  const found = stored ?? (await findByMark(cleanupNotes, idempotency, now));
  if (found === undefined || found.requestHash === requestHash) return found?.id;
  throw keyReused("idempotency_key");
}
