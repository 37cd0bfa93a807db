import type { PostingDraft } from "../../posting-draft.js";

/** A span of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where the stream was read to, for all searches together. Times are milliseconds since the epoch. */
export interface StreamRecord {
  id: string;
  /** When it may be claimed; a claim moves it ahead by a lease. */
  dueAt: number;
  /** When it is worth reading again. */
  nextAt: number;
  /** Time of the last event that was read, in microseconds since the epoch; null: nothing was. */
  cursor: number | null;
  /** Up to when all is read. */
  readUntil: number | null;
  /** A new query wants to be read from there on; null: none does. */
  rewindTo: number | null;
  /** Number of the last item. */
  seq: number;
  /** What the stream no longer had when it was read. */
  gaps: Span[];
}

/** Keywords that some search has. */
export interface QueryRecord {
  /** Digest of the keywords. */
  id: string;
  keywords: string;
  /** Since when the stream is matched against them. */
  coversFrom: number;
  /** When they are forgotten if no search polls until then. */
  lapsesAt: number;
}

/** A post that matches a query. */
export interface ItemRecord {
  /** Of the query and the post. */
  id: string;
  query: string;
  /** Searches read on from the last number that they have seen. A change gives a new one. */
  seq: number;
  /** Address of the post. */
  post: string;
  author: string;
  /** Of its last event, in microseconds since the epoch. */
  time: number;
  /** `read`: searches have had time to read it; what is left says whom to tell that it is gone. */
  state: "kept" | "read" | "gone";
  posting: PostingDraft | null;
  /** When it gets its next state, or is deleted. */
  keptUntil: number;
}
