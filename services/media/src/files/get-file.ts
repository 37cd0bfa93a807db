import { AppError } from "@hourglass/runtime";
import type { Files } from "../records/collections.js";
import { type FileRecord, USABLE } from "../records/file-record.js";

/** Reads the record of a file. AppError `not-found` if it is unknown or belongs to another company. */
export type GetFile = (fileId: number, companyId: number) => Promise<FileRecord>;

export function createGetFile({ files }: { files: Files }): GetFile {
  return async (fileId, companyId) => {
    const record = await files.get(fileId);
    if (record?.companyId === companyId && USABLE.includes(record.state)) return record;
    throw new AppError("not-found", "There is no file with this id: it was deleted, or the id is wrong.");
  };
}
