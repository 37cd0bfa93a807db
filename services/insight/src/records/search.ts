import type { Json } from "@hourglass/runtime";
import type { GapReason } from "../platforms/connector.js";
import type { CoverageSpan } from "./coverage-span.js";
import type { PlatformName } from "./insight.js";

/** As `PlatformStatus` in the proto. */
export type SearchStatus =
  "collecting" | "waiting" | "not_configured" | "auth_failed" | "budget_spent" | "failing" | "importing";

/** Totals since the creation of the insight, as `PlatformCounts` in the proto. */
export interface SearchCounts {
  requests: number;
  fetched: number;
  matched: number;
  stored: number;
  duplicates: number;
  skipped: number;
}

/** A poll that has begun and whose last page is not stored yet. It survives restarts. */
export interface Poll {
  startedAt: number;
  /** Oldest time of posting that this poll wants; the same for all its pages. */
  since: number;
  /** False: it reads without the cursor, to fill a gap of earlier polls. */
  fromCursor: boolean;
  /** Token of the next page. */
  page: Json;
  /** Pages stored so far. */
  pages: number;
  /** Postings stored so far that were new. */
  stored: number;
  /** Failed attempts at the next page. */
  failures: number;
  /** What its pages have missed. */
  gaps: { from: number; to: number; reason: GapReason }[];
}

/**
 * The collection of one insight from one platform. Its `dueAt` is the time of its next poll; a claim moves it ahead by a
 * lease, see due-records of the runtime. Times are milliseconds since the epoch.
 */
export interface SearchRecord {
  /** Insight and platform, see `searchId`. */
  id: string;
  insightId: number;
  companyId: number;
  platform: PlatformName;
  preview: boolean;
  /** The insight's epoch; both are raised together. */
  epoch: number;
  /** When the insight was created or resumed last. */
  startedAt: number;
  /** Null: paused, ended, or not configured. */
  dueAt: number | null;
  status: SearchStatus;
  /** Start of the next poll, for display: unlike `dueAt` it does not move with claims. */
  nextAt: number | null;
  /** Where the last complete poll ended. It moves only with the last page of a poll. */
  cursor: Json;
  poll: Poll | null;
  lastSuccessAt: number | null;
  /** Why the last poll failed, as a sentence that says what to do; null after a success. */
  lastError: string | null;
  /** Polls that failed in sequence. */
  failures: number;
  counts: SearchCounts;
  warnings: string[];
  /** What was collected of which span of time, in order of time, without gaps or overlaps; empty before the first poll. */
  coverage: CoverageSpan[];
  /** When a poll last read without the cursor to fill a gap. */
  fillTriedAt: number | null;
  /** How the search of a preview ended; null before, and for continuous searches. */
  outcome: "answered" | "failed" | null;
}

/** Id of the record for one insight and platform. */
export function searchId(insightId: number, platform: PlatformName): string {
  return `${insightId}:${platform}`;
}
