import { AppError } from "@hourglass/runtime";
import type { Files } from "./collections.js";
import type { FileRecord } from "./file-record.js";

/** For so long a key stands for its first upload, in milliseconds. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/** What a record of an upload with this key is marked with; nothing without a key. */
export function markOf(companyId: number, idempotencyKey: string): string | undefined {
  return idempotencyKey === "" ? undefined : `${companyId}:${idempotencyKey}`;
}

/** The upload that the key stands for, if any; its file may have been deleted since. A key past its time is freed. */
export async function findByMark(files: Files, idempotency: string, now: number): Promise<FileRecord | undefined> {
  const [found] = await files.find({ idempotency }, { limit: 1 });
  if (found === undefined || isFresh(found, now)) return found;
  await files.update({ id: found.id, idempotency }, { set: { idempotency: null } });
  return undefined;
}

/** Whether the record's key still stands for it. */
export function isFresh({ idempotency, createdAt }: FileRecord, now: number): boolean {
  return idempotency !== null && now - createdAt < IDEMPOTENCY_TTL_MS;
}

/** The id that the first upload got. Throws AppError `invalid` when the key was used for other bytes. */
export function sameUpload({ id, sha256 }: FileRecord, uploadedSha256: string | null): number {
  if (sha256 === uploadedSha256) return id;
  const message = "Give another key: this one was used for a different request within the last 24 hours.";
  throw AppError.invalid([{ field: "metadata.idempotency_key", message }], "idempotency_key_reused");
}
