import { type IdPage, type IdPageRequest, readIdPage } from "@hourglass/runtime";
import type { Files } from "../records/collections.js";
import type { FileRecord } from "../records/file-record.js";

export interface ListFilesRequest extends IdPageRequest {
  companyId: number;
}

/**
 * One page of the company's files that an operation can still use, newest first. Throws AppError `invalid` for a cursor
 * that was not issued here.
 */
export type ListFiles = (request: ListFilesRequest) => Promise<IdPage<FileRecord>>;

export function createListFiles({ files }: { files: Files }): ListFiles {
  return ({ companyId, ...page }) => readIdPage(files, { companyId, state: "unused" }, page);
}
