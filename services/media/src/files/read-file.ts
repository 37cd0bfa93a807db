import { AppError, type Blobs } from "@hourglass/runtime";
import type { Files } from "../records/collections.js";
import { blobKeyOf, USABLE } from "../records/file-record.js";

/** Streams the bytes of a file. AppError `not-found` if it is unknown or belongs to another company. */
export type ReadFile = (fileId: number, companyId: number) => AsyncIterable<Uint8Array>;

export function createReadFile({ files, blobs }: { files: Files; blobs: Blobs }): ReadFile {
  return async function* (fileId, companyId) {
    const record = await files.get(fileId);
    if (record?.companyId !== companyId || !USABLE.includes(record.state)) {
      throw new AppError("not-found", "There is no file with this id: it was deleted, or the id is wrong.");
    }
    yield* blobs.get(blobKeyOf(fileId));
  };
}
