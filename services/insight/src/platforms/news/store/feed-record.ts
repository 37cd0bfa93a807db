import type { PostingDraft } from "../../posting-draft.js";
import type { FeedWishes } from "../feed/entry.js";

/** Why a feed cannot be read. `gone`: its server says that it has ended; `refused`: until somebody repairs it; `temporary`: it may pass. */
export type ProblemKind = "gone" | "refused" | "busy" | "temporary";

/** Why the last attempt at a feed failed. */
export interface FeedProblem {
  kind: ProblemKind;
  /** A sentence for those who follow the feed. */
  message: string;
}

export interface CrowdedOut {
  /** Number of the item: a search whose position is below has missed it, and perhaps others before it. */
  seq: number;
  /** All of these items were posted before this time. */
  until: number;
}

/** A feed that some search follows, fetched once for all of them. Times are milliseconds since the epoch. */
export interface FeedRecord {
  /** Digest of `url`. */
  id: string;
  /** As it was named. */
  url: string;
  /** Where it is now: permanent redirects are stored. */
  address: string;
  /** When it may be fetched next; a claim moves it ahead by a lease. */
  dueAt: number;
  /** Validators of the last answer, exactly as they came. */
  etag: string | null;
  lastModified: string | null;
  /** Digest of the last document, for servers without validators. */
  documentHash: string | null;
  wishes: FeedWishes;
  /** Whether the last document had more entries than are read. */
  isCut: boolean;
  /** Whether these entries were the newest ones, because the document states the oldest first. */
  lacksNewest: boolean;
  /** The last item that was deleted because there were too many, although searches may not have read it. */
  crowdedOut: CrowdedOut | null;
  /** Number of the last item; items are numbered in the order in which they were found or changed. */
  seq: number;
  /** When it was last answered with a feed or with 304. */
  readAt: number | null;
  /**
   * Oldest time of posting from which no item is missing: that of the first document, and of a later one that shares no
   * item with what is stored. Null before the first one.
   */
  coversFrom: number | null;
  /** When its items are deleted, because nobody has read it for so long. Null: it has none. */
  lapsesAt: number | null;
  /** Failed attempts in sequence. */
  failures: number;
  /** When the last of them was. */
  failedAt: number | null;
  problem: FeedProblem | null;
}

/** An item of a feed, kept for searches that have not read it yet. */
export interface FeedItem {
  /** Feed and a digest of the identity of the item. */
  id: string;
  /** Id of the feed. */
  feed: string;
  /** Greater than that of all items that were found or changed before; a changed item gets a new one. */
  seq: number;
  /** When it was first seen. */
  seenAt: number;
  /** Digest of what readers see. */
  hash: string;
  posting: PostingDraft;
}
