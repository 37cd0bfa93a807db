import type { Completeness, GapReason } from "@hourglass/proto/insight/v1/coverage";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import type { JobRecord } from "@hourglass/runtime";
import type { RenderedFormat } from "../render/index.js";

/** Name of the job kind of exports. */
export const EXPORT = "export";

/** A search of an export, and how far it had stored postings when the export was created. */
export interface ExportedInsight {
  id: number;
  watermark: number;
}

/** A stored file: its size, and a digest of its bytes. */
export interface StoredFile {
  bytes: number;
  tag: string;
}

export type StoredFiles = Record<RenderedFormat, StoredFile>;

interface ExportedSpan {
  start: number;
  end: number;
  completeness: Completeness;
  reasons: GapReason[];
}

/** For which spans of time a search was collected completely. Enums are those of the contract. */
export interface ExportedCoverage {
  insightId: number;
  platforms: { platform: Platform; spans: ExportedSpan[] }[];
}

/** An export as it is stored. Times are milliseconds since the epoch. */
export interface ExportRecord extends JobRecord {
  insights: ExportedInsight[];
  /** As requested: `YYYY-MM-DD`, inclusive. */
  startDate: string;
  /** `YYYY-MM-DD`, exclusive. */
  endDate: string;
  /** Postings to export, and those of them whose analysis has ended; null until counted. */
  total: number | null;
  analysed: number | null;
  /** Number of postings; null unless `done`. */
  rows: number | null;
  /** Of the range of the export, when it was rendered; null unless `done`. */
  coverage: ExportedCoverage[] | null;
  /** Name of the set of files that the export has; null unless `done`. It changes with each revision. */
  fileSet: string | null;
  files: StoredFiles | null;
  /** Since when a part that the export needs has been away; null if none was. */
  awaySince?: number | null;
  /** When erased postings were last removed. */
  revisedAt: number | null;
  /** When it expires; null: never. */
  dueAt: number | null;
}

/** The fields of an export in addition to those of any job. */
export type ExportFields = Omit<ExportRecord, keyof JobRecord>;

/** The record of an export that no worker has begun. */
export function newExport(
  job: JobRecord,
  request: Pick<ExportRecord, "insights" | "startDate" | "endDate" | "dueAt">,
): ExportRecord {
  return {
    ...job,
    ...request,
    total: null,
    analysed: null,
    rows: null,
    coverage: null,
    awaySince: null,
    fileSet: null,
    files: null,
    revisedAt: null,
  };
}

/**
 * Names a set of files before the first of them is stored, so that what a crash leaves behind is found. Removed after the
 * files.
 */
export interface FileSet {
  /** A random name, part of the keys of its files. The set of a run is named by the token of its lease. */
  id: string;
  /** Absent in those of older releases. */
  companyId?: number;
  exportId: number;
  /** When the sweeper checks whether an export has the set, and otherwise removes it; null: an export has it. */
  dueAt: number | null;
}

/** The idempotency key of an export that was deleted. */
export interface DeletedKey {
  /** Id of the export. */
  id: number;
  /** Company and key; null once the key may be reused. */
  idempotency: string | null;
  requestHash: string | null;
  /** Creation time of the export. */
  createdAt: number;
  /** When it is removed. */
  dueAt: number;
}

/** An export that could not be revised. */
export interface FailedRevision {
  exportId: number;
  attempts: number;
  /** When it is tried again. */
  dueAt: number;
}

/** Erasures that the finished exports have followed, but for some, and the runs that may have read the postings before. */
export interface FollowedErasures {
  erasures: number[];
  runs: { exportId: number; run: number }[];
  /** Absent in records of older releases. */
  failed?: FailedRevision[];
}

/** A company with exports, for which the sweeper looks for erasures. */
export interface ExportingCompany {
  /** Id of the company. */
  id: number;
  dueAt: number;
  followed: FollowedErasures[];
  /** How many exports could not be revised yet; absent if none ever failed. */
  failing?: number;
}
