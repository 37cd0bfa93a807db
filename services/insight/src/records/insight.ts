import type { FollowedSources } from "../platforms/connector.js";

/** As the interface spells it, such as `youtube-videos`. */
export type PlatformName = string;

export type DimensionName = "textual" | "audial" | "visual";

/** `deleted`: invisible; its postings are being erased. */
export type InsightStatus = "running" | "paused" | "completed" | "failed" | "deleted";

/** What the owner of an insight asked for. */
export interface InsightQuery {
  keywords: string;
  platforms: PlatformName[];
  dimensions: DimensionName[];
  /** Empty: everywhere. */
  location: string;
  sneakPeek: boolean;
  follow: { -readonly [K in keyof FollowedSources]: string[] };
}

/** An insight. Times are milliseconds since the epoch. */
export interface InsightRecord {
  id: number;
  companyId: number;
  status: InsightStatus;
  query: InsightQuery;
  /** The subject terms, joined by ", ". */
  terms: string;
  /**
   * Raised by every pause, resume and deletion. Work that began in an earlier epoch stores nothing: its writes require the
   * epoch that it began in.
   */
  epoch: number;
  /**
   * Number of the last write that inserted or erased postings: the watermark. Such a write requires the number that it
   * read and raises it by one, so writes to one insight are serialised, and what they read before is still true.
   */
  batch: number;
  /** Number of stored postings. */
  postings: number;
  createdAt: number;
  /** When a preview ended. */
  finishedAt: number | null;
  /** Why a preview failed, as a sentence for its owner. */
  error: string | null;
  /** Company and idempotency key, unique; null without a key. */
  idempotency: string | null;
  requestHash: string | null;
  /** When the sweeper works on it next: it erases a deleted insight, and ends a preview. Null: never. */
  dueAt: number | null;
}

type Given = Pick<InsightRecord, "id" | "companyId" | "query" | "terms" | "createdAt">;
type Key = Pick<InsightRecord, "idempotency" | "requestHash">;

/** A running insight without postings. */
export function newInsight(given: Given & Partial<Key>): InsightRecord {
  return {
    idempotency: null,
    requestHash: null,
    ...given,
    status: "running",
    epoch: 1,
    batch: 0,
    postings: 0,
    finishedAt: null,
    error: null,
    dueAt: null,
  };
}
