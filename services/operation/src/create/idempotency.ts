import { createHash } from "node:crypto";
import { findByMark, keyReused, LoopPace, markOf } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { CheckedOperation, NewOperation } from "./check-request.js";

/** One use of a key. */
export interface KeyUse {
  /** Fields stored in the operation that the key leads to; the first is unique. */
  mark: { idempotency: string; requestHash: string };
  now: number;
}

/** Undefined for a request without a key. */
export async function keyUseOf(
  { idempotencyKey }: NewOperation,
  { checked, companyId, now }: { checked: CheckedOperation; companyId: number; now: number },
): Promise<KeyUse | undefined> {
  const idempotency = markOf(companyId, idempotencyKey);
  return idempotency === undefined
    ? undefined
    : { mark: { idempotency, requestHash: await hashRequest(checked) }, now };
}

/**
 * Equal requests have equal hashes in every release: fields that an older release does not know are omitted unless they
 * are used. The hash is fed piece by piece and in turns, since a request may be 20 MiB; lengths separate the pieces.
 */
async function hashRequest({ kind, analyses, groups, contents, explain, offsets }: CheckedOperation): Promise<string> {
  const options = [...(explain ? [{ explain }] : []), ...(offsets === "utf16" ? [{ offsets }] : [])];
  const head = [kind, analyses, groups, contents.length, ...options];
  const hash = createHash("sha256").update(JSON.stringify(head));
  const pace = new LoopPace();
  for (const content of contents) {
    await pace.step();
    const text = String(content);
    hash.update(`${text.length}:`).update(text);
  }
  return hash.digest("base64url");
}

/**
 * The id of the operation that the key stands for, if any; it may have been deleted since. Throws AppError `invalid` if
 * the key was used for another request.
 */
export async function findByKey(
  { operations, cleanupNotes }: Collections,
  { mark: { idempotency, requestHash }, now }: KeyUse,
): Promise<number | undefined> {
  // A deletion stores the key in a note before it removes the record, so reading in this order misses neither.
  const stored = await findByMark(operations, idempotency, now);
  const found = stored ?? (await findByMark(cleanupNotes, idempotency, now));
  if (found === undefined || found.requestHash === requestHash) return found?.id;
  throw keyReused("idempotency_key");
}
