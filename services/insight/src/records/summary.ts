import type { PlatformName } from "./insight.js";

/** Spans of time that are counted: hours from the postings, days from their hours, months from their days; all UTC. */
export type SummaryLevel = "hour" | "day" | "month";

/** A bucket that no longer agrees with its postings, until it is recounted. Written with each change of a posting. */
export interface DirtyBucket {
  /** The id of the bucket. */
  id: string;
  insightId: number;
  level: SummaryLevel;
  /** Start of the bucket, in milliseconds since the epoch. */
  start: number;
  /** Random, another one with each change: a recount removes this record only if it is still the one that was read. */
  token: string;
  /** When the bucket is counted, unless a summary needs it earlier. */
  dueAt: number;
}

/** Properties of which a posting has one value or none. */
export const PROPERTIES = ["sentiment", "polarity", "intention", "spam", "language", "country", "type"] as const;
export type Property = (typeof PROPERTIES)[number];

/** Lists of which a posting may have several values. */
export const LIST_KINDS = ["topics", "hashtags", "authors", "labels", "domains"] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** The analysed postings of a span of time. Without postings there is no bucket. */
export interface SummaryBucket {
  /** Insight, level and start. */
  id: string;
  insightId: number;
  level: SummaryLevel;
  start: number;
  /** Random, another one with each count; that of its pieces. */
  revision: string;
  /** Number of its pieces. */
  pieces: number;
  parts: SummaryPart[];
}

/** The postings of one platform in a bucket. Counts are pairs, since values may be names of any kind. */
export interface SummaryPart {
  platform: PlatformName;
  postings: number;
  /** Postings by value; the empty value are those without one, and what is missing in all are those with rarer values. */
  properties: Record<Property, [value: string, count: number][]>;
  /** By name of the count: the sum, as a decimal number, and the postings that state it. */
  engagement: [name: string, sum: string, postings: number][];
  /** What the stored lists leave out. */
  lists: Record<ListKind, ListLoss>;
}

export interface ListLoss {
  /** By how much a count may be too low at most, also that of a value which is left out. */
  error: number;
  /** Values left out, at most. */
  dropped: number;
}

/** Lists of a bucket, or a part of them; apart from the bucket, since most readers do not need them. */
export interface SummaryPiece {
  id: string;
  /** Id of the bucket. */
  bucket: string;
  revision: string;
  lists: StoredList[];
}

/** Between values, none of which has it. Unlike a line feed, JSON writes it as it is: such texts are parsed twice as fast. */
export const SEPARATOR = "\x7f";

/** Values that occur, without a number of them, so that large lists are read quickly. */
export interface StoredList {
  platform: PlatformName;
  kind: ListKind;
  /** Joined by separators. */
  values: string;
  counts: number[];
}
