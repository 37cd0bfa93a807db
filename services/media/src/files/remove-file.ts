import { type Blobs, IDEMPOTENCY_TTL_MS, isFresh } from "@hourglass/runtime";
import type { Files } from "../records/collections.js";
import { blobKeyOf, type FileRecord } from "../records/file-record.js";

export interface RemovalDeps {
  files: Files;
  blobs: Blobs;
  now: () => number;
}

/** Time after which an interrupted removal is resumed, in milliseconds. */
export const REMOVE_AGAIN_MS = 5 * 60_000;

/**
 * Removes a file in state `deleting`: the bytes first, so that after a crash the record remains and the sweeper
 * continues. Only the idempotency key of the upload is kept for a while, without any data about the file.
 */
export async function removeFile({ files, blobs, now }: RemovalDeps, record: FileRecord): Promise<void> {
  const { id } = record;
  await blobs.delete(blobKeyOf(id));
  if (!isFresh(record, now())) {
    await files.delete({ id, state: "deleting" });
    return;
  }
  const rest = { dueAt: record.createdAt + IDEMPOTENCY_TTL_MS, operationId: null, name: "", facts: null };
  await files.update({ id, state: "deleting" }, { set: { state: "gone", ...rest } });
}
