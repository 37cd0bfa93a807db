import type { PlatformName } from "./insight.js";

/**
 * An erasure that is not over: its postings are being removed here, or may still be in exports. Times are milliseconds
 * since the epoch.
 */
export interface PostingErasure {
  id: number;
  companyId: number;
  platform: PlatformName;
  by: "social_id" | "author_id";
  value: string;
  /**
   * When the sweeper goes on with it, if the process that began it has not ended it. Null: the postings are gone here, and
   * the erasure waits for the exports.
   */
  dueAt: number | null;
}

/** Says that postings of a company may be in exports. Stored before the first of them leaves this service. */
export interface ExportingCompany {
  /** Id of the company. */
  id: number;
}
