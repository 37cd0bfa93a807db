import { type Filter, readIdCursor, writeIdCursor } from "@hourglass/runtime";
import type { Files } from "./collections.js";
import type { FileRecord } from "./file-record.js";

const LIMIT_DEFAULT = 50;

export interface ListFilesRequest {
  companyId: number;
  limit: number | undefined;
  /** Empty for the first page. */
  cursor: string;
}

export interface FilePage {
  records: FileRecord[];
  /** Empty on the last page. */
  nextCursor: string;
}

/**
 * One page of the files that a company can still use in an operation, newest first. Throws AppError `invalid` for a cursor
 * that was not given out.
 */
export type ListFiles = (request: ListFilesRequest) => Promise<FilePage>;

export function createListFiles({ files }: { files: Files }): ListFiles {
  return async ({ companyId, limit = LIMIT_DEFAULT, cursor }) => {
    const filter: Filter<FileRecord> = { companyId, state: "unused" };
    if (cursor !== "") filter.id = { lt: readIdCursor(cursor) };
    const found = await files.find(filter, { sort: [["id", -1]], limit: limit + 1 });
    const records = found.slice(0, limit);
    const last = records.at(-1);
    return { records, nextCursor: found.length > limit && last !== undefined ? writeIdCursor(last.id) : "" };
  };
}
