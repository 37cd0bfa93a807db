import { type IdPage, type IdPageRequest, type Jobs, readIdPage } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { ExportRecord } from "../records/export.js";
import { findExport } from "./find-export.js";

export interface GetExportRequest {
  id: number;
  companyId: number;
  /** 0: answer at once. */
  waitMs: number;
}

/**
 * Reads an export; waits until it has ended, the wait is over, or the signal aborts. Throws AppError `not-found` if it is
 * unknown or another company's.
 */
export type GetExport = (request: GetExportRequest, signal: () => AbortSignal) => Promise<ExportRecord>;

export function createGetExport(collections: Collections, jobs: Jobs<ExportRecord>): GetExport {
  return ({ id, companyId, waitMs }, signal) =>
    jobs.readWhenEnded({ id, waitMs, signal }, () => findExport(collections, id, companyId));
}

/** One page, newest first. Throws AppError `invalid` for a cursor that was not issued here. */
export type ListExports = (companyId: number, page: IdPageRequest) => Promise<IdPage<ExportRecord>>;

export function createListExports({ exports }: Pick<Collections, "exports">): ListExports {
  return (companyId, page) => readIdPage(exports, { companyId }, page);
}
