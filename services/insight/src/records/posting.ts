import type { PostingDraft } from "../platforms/posting-draft.js";
import type { PlatformName } from "./insight.js";
import type { OwnNotes } from "./own-notes.js";

/** A stored posting. Only top-level fields can be part of a filter. Times are milliseconds since the epoch. */
export interface PostingRecord {
  /** Insight, platform and a digest of the identity on the platform, so that a posting is stored once per insight. */
  id: string;
  insightId: number;
  companyId: number;
  platform: PlatformName;
  /** Time of posting. */
  postedAt: number;
  /** The insight's batch that inserted it. */
  batch: number;
  /** When it was first stored, and when it was last seen on the platform. */
  storedAt: number;
  seenAt: number;
  /** When the platform was last asked for it by its id, and had it; absent: never. */
  checkedAt?: number;
  /** Whether it was brought in and no poll has found it; absent: not known to be so. */
  imported?: boolean;
  /** Null if the platform gave none; they identify the posting and its author for erasure. */
  socialId: string | null;
  authorId: string | null;
  /** Time of posting once its first analysis has ended, so that lists find it; null before. */
  listedAt: number | null;
  /** Raised when what is analysed changes; results for an earlier version are discarded. */
  version: number;
  /** The language of the text: the platform's, else the detected one. */
  language: string | null;
  /** Labels of the analyses; null: not asked for, not analysed yet, or given up. */
  sentiment: string | null;
  intention: string | null;
  /** As the platform last stated it, with extracted tags and mentions. */
  content: PostingDraft;
  analysis: PostingAnalysis | null;
}

/** Results of the analyses that are no part of a filter. */
export interface PostingAnalysis {
  /** At most eight. */
  topics: string[];
  /** Labels of faces, objects, activities and logos. */
  labels: string[];
  /** Results and errors that go to `more_info`. */
  moreInfo: OwnNotes;
}

/** An analysis to do: inserted with the posting or its new version, deleted with the results. */
export interface PostingWork {
  /** Id of the posting. */
  id: string;
  insightId: number;
  companyId: number;
  /** Batch of the posting: an export waits for the work up to its watermark. */
  batch: number;
  postedAt: number;
  version: number;
  preview: boolean;
  /** When it is analysed next; a claim moves it ahead by a lease. */
  dueAt: number;
  /** Token of the latest claim; only its holder may end the work. Null before the first one. */
  holder: string | null;
  /** Number of claims. It bounds the work on a posting that ends its process each time. */
  claims: number;
  /** Attempts that failed. */
  failures: number;
}

/** When the platform is last known to have had a posting. */
export function lastKnownAt({ seenAt, checkedAt = 0 }: Pick<PostingRecord, "seenAt" | "checkedAt">): number {
  return Math.max(seenAt, checkedAt);
}
