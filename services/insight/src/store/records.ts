import type { TextAnalysis } from "@hourglass/analysis";
import type { Author, DueRecord, Json, Metadata } from "@hourglass/runtime";
import { fold } from "@hourglass/runtime/text";
import type { FollowedSources, GapReason } from "../platforms/connector.js";
import type { PostingDraft } from "../platforms/posting-draft.js";

/** As the interface spells it, such as `youtube-videos`. */
export type PlatformName = string;

export type DimensionName = "textual" | "audial" | "visual";

/** `deleted`: invisible; its postings are being erased. */
type InsightStatus = "running" | "paused" | "completed" | "failed" | "deleted";

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
   * Raised by every pause, resume, change of the query and deletion. Work that began in an earlier epoch stores nothing: its writes require the
   * epoch that it began in.
   */
  epoch: number;
  /**
   * Number of the last write that inserted or erased postings: the watermark. Such a write requires the number that it
   * read and raises it by one, so writes to one insight are serialized, and what they read before is still true.
   */
  batch: number;
  /** Number of stored postings. */
  postings: number;
  /** When a posting was last stored for the first time; null: never. */
  activeAt: number | null;
  /** What lists by name are sorted by, see `sortNameOf`. */
  sortName: string;
  createdAt: number;
  /** When a preview ended. */
  finishedAt: number | null;
  /** Why a preview failed, as a sentence for its owner. */
  error: string | null;
  /** What its owner calls it, and notes on it; absent or empty: none. */
  name?: string;
  note?: string;
  /** For programs: `Metadata` as JSON, a text that a change can require as it was. Absent or empty: none. */
  metadata?: string;
  /** Who created it; absent: a service. */
  createdBy?: Author;
  /** Number of the query, when it was given and by whom; absent: the first one, of the creation. */
  version?: number;
  versionAt?: number;
  /** Null: a service. */
  versionBy?: Author | null;
  /** Platforms of earlier queries that the present one lacks: postings of theirs may be stored. Absent: none. */
  formerPlatforms?: PlatformName[];
  /** Company and idempotency key, unique; null without a key. */
  idempotency: string | null;
  requestHash: string | null;
  /** When the sweeper works on it next: it erases a deleted insight, and ends a preview. Null: never. */
  dueAt: number | null;
}

/** The platforms of which postings may be stored: those of the query and of earlier ones. */
export function platformsOf({ query, formerPlatforms = [] }: InsightRecord): PlatformName[] {
  return [...query.platforms, ...formerPlatforms];
}

/** An earlier query of an insight. Inserted by the commit that ends it. */
export interface FormerVersion {
  /** Insight and version, see `versionId`. */
  id: string;
  insightId: number;
  companyId: number;
  version: number;
  /** When it was given, in milliseconds since the epoch. */
  at: number;
  /** Null: a service. */
  by: Author | null;
  query: Pick<InsightQuery, "keywords" | "platforms" | "location" | "follow">;
}

/** Id of the record for one version of an insight. */
export function versionId(insightId: number, version: number): string {
  return `${insightId}:${version}`;
}

type Given = Pick<InsightRecord, "id" | "companyId" | "query" | "terms" | "createdAt">;
type Optional = Pick<InsightRecord, "idempotency" | "requestHash" | "name" | "note" | "metadata" | "createdBy">;

/** The metadata of an insight. */
export function metadataIn({ metadata = "" }: Pick<InsightRecord, "metadata">): Metadata {
  return metadata === "" ? [] : (JSON.parse(metadata) as Metadata);
}

/** Metadata as a record keeps it. */
export function storedMetadata(metadata: Metadata): string {
  return metadata.length === 0 ? "" : JSON.stringify(metadata);
}

/** Longer names are in order of their creation. */
const SORT_NAME_MAX = 120;

/** A text that puts insights in order of their names, in which neither case nor accents matter; without a name, of their terms. */
export function sortNameOf({ name = "", terms }: Pick<InsightRecord, "name" | "terms">): string {
  const shown = fold(name === "" ? terms : name);
  return [...shown.replace(/^[^\p{L}\p{N}]+/u, "")].slice(0, SORT_NAME_MAX).join("");
}

/** A running insight without postings. */
export function newInsight(given: Given & Partial<Optional>): InsightRecord {
  return {
    idempotency: null,
    requestHash: null,
    ...given,
    sortName: sortNameOf(given),
    activeAt: null,
    status: "running",
    epoch: 1,
    batch: 0,
    postings: 0,
    finishedAt: null,
    error: null,
    dueAt: null,
  };
}

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
 * lease, see due-record.ts of the runtime. Times are milliseconds since the epoch.
 */
export interface SearchRecord extends DueRecord {
  /** Insight and platform, see `searchId`. */
  id: string;
  insightId: number;
  companyId: number;
  platform: PlatformName;
  preview: boolean;
  /** The insight's epoch; both are raised together. */
  epoch: number;
  /** Raised by every write of a poll, so that a change of the query loses none; absent: none was counted yet. */
  writes?: number | null;
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
  /**
   * Spans of which imports have stated that all was imported, in order of time, apart from each other. Apart from `coverage`:
   * polls read as if nobody had stated anything. Absent: none.
   */
  stated?: TimeRange[];
  /** Raised with each change of `stated`. */
  statements?: number | null;
  /** When a poll last read without the cursor to fill a gap. */
  fillTriedAt: number | null;
  /** When a change of the query gave it what it asks for now; absent: it has asked for the same from the beginning. */
  askedSince?: number;
  /** When a change of the query added the platform last; absent: it belonged to the first one. */
  joinedAt?: number;
  /** When a change of the query removed the platform; absent or null: the query names it. */
  leftAt?: number | null;
  /** How the search of a preview ended; null before, and for continuous searches. */
  outcome: "answered" | "failed" | null;
}

/** Whether the query of the insight names the platform of a search. */
export function isNamed({ leftAt = null }: SearchRecord): boolean {
  return leftAt === null;
}

/** Id of the record for one insight and platform. */
export function searchId(insightId: number, platform: PlatformName): string {
  return `${insightId}:${platform}`;
}

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
  /** Whether it was imported and no poll has found it; absent: not known to be so. */
  imported?: boolean;
  /** Null if the platform gave none; they identify the posting and its author for erasure. */
  socialId: string | null;
  authorId: string | null;
  /** Time of posting once its first analysis has ended, so that lists find it; null before. */
  listedAt: number | null;
  /** When its last analysis ended; absent before the first one has. */
  analyzedAt?: number;
  /** Raised when what is analyzed changes; results for an earlier version are discarded. */
  version: number;
  /** The language of the text: the platform's, else the detected one. */
  language: string | null;
  /**
   * Labels of the analyses; null: not asked for, not analyzed yet, given up, or, of the emotion, without evidence of one.
   */
  sentiment: string | null;
  intention: string | null;
  /** As the platform last stated it, with extracted tags and mentions. */
  content: PostingDraft;
  analysis: PostingAnalysis | null;
}

/** The place of a posting in a list; the posting need not exist any more. With an empty id, the place before all of its time. */
export interface PostingPlace {
  /** Time of posting, in milliseconds since the epoch. */
  listedAt: number;
  /** Null: it has none. */
  socialId: string | null;
  id: string;
}

/** Results of the analyses that are no part of a filter. */
interface PostingAnalysis {
  /** At most eight. */
  topics: string[];
  /** Labels of faces, objects, activities and logos. */
  labels: string[];
  /** Results and errors that go to `more_info`. */
  moreInfo: OwnNotes;
  /** What its words were analyzed by, see `analyzedBy`. Absent: it has none, or an analysis failed. */
  by?: string;
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
  /** When it is put into a batch; null while it is in one. */
  dueAt: number | null;
  /** Id of its batch, which alone may end the work; null: none. */
  holder: string | null;
  /** Attempts that failed. */
  failures: number;
  /** Whether its words are analyzed again, by a reanalysis. Default: false. */
  again?: boolean;
}

/** Analyses of one company that are done together: a job. */
export interface AnalysisBatch extends DueRecord {
  id: string;
  companyId: number;
  preview: boolean;
  /** Ids of the postings. One that is not held by the batch any more is left out. */
  postings: readonly string[];
  /** Since when the first of them has waited. */
  since: number;
  /** Whether it is of a reanalysis. Default: false. */
  again?: boolean;
}

/**
 * Has the words of an insight's postings analyzed again: a job; its id is that of the insight. Times are milliseconds since
 * the epoch.
 */
export interface Reanalysis extends DueRecord {
  id: number;
  companyId: number;
  startedAt: number;
  /** Null: it is running. */
  finishedAt: number | null;
  /** The posting after which it continues; null: at the newest one. */
  after: PostingPlace | null;
  /** Whether the last posting was looked at. */
  isRead: boolean;
  /** Postings that were looked at, and those of them that were put into analysis. */
  seen: number;
  put: number;
  /** When some were put there last. */
  putAt: number;
}

/** Has a worker say why the models read a text as they do, for a process that analyzes nothing. */
export interface ExplanationRequest extends DueRecord {
  id: string;
  companyId: number;
  text: string;
  /** Milliseconds since the epoch. */
  askedAt: number;
  /** Null until a worker has answered. */
  outcome: TextAnalysis | null;
}

/** Has the dirty buckets of an insight recounted: a job; its id is that of the insight. */
export interface SummaryRecount extends DueRecord {
  id: number;
}

/** When the platform is last known to have had a posting. */
export function lastKnownAt({ seenAt, checkedAt = 0 }: Pick<PostingRecord, "seenAt" | "checkedAt">): number {
  return Math.max(seenAt, checkedAt);
}

/**
 * The comparison of a company's stored postings with their platform, in rounds over all of them. A claim moves `dueAt`
 * ahead by a lease, see due-record.ts of the runtime. Times are milliseconds since the epoch.
 */
export interface RecheckRecord {
  /** Company and platform, see `recheckId`. */
  id: string;
  companyId: number;
  platform: PlatformName;
  dueAt: number;
  /** Null between two rounds. */
  round: RecheckRound | null;
  /** Beginning of the latest round that reached all postings that were due. */
  doneAt: number;
  /** The shortest term of the platform, as it was stated last, in milliseconds. */
  termMs: number;
  /** Questions that failed in sequence. */
  failures: number;
  /** Why the last question failed, as a sentence that says what to do; null after an answer. */
  lastError: string | null;
}

/** A round that is under way. It survives restarts. */
export interface RecheckRound {
  startedAt: number;
  /** The posting after which it continues; null: at the first one. */
  after: { socialId: string; id: string } | null;
  /** False: the platform refused to be asked for some of the postings. */
  isWhole: boolean;
  /** Ids asked for, and postings erased. */
  asked: number;
  erased: number;
}

/** Id of the record for one company and platform. */
export function recheckId(companyId: number, platform: PlatformName): string {
  return `${companyId}:${platform}`;
}

/**
 * An import under an idempotency key. It moves ahead with each page that is stored, so that a repetition of the request
 * continues where a crash ended it, and counts everything once. Times are milliseconds since the epoch.
 */
export interface PostingImport {
  id: number;
  companyId: number;
  insightId: number;
  createdAt: number;
  /** Company and key, unique; null once the key may be reused. */
  idempotency: string | null;
  requestHash: string;
  /** Pages stored so far. */
  pages: number;
  accepted: number;
  /** Those known before, without the repeats within the request. */
  known: number;
  erased: number;
  /** When the sweeper removes it. */
  dueAt: number;
}

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
   * When the sweeper continues it, if the process that began it has not ended it. Null: the postings are gone here, and
   * the erasure waits for the exports.
   */
  dueAt: number | null;
}

/** Says that postings of a company may be in exports. Stored before the first of them leaves this service. */
export interface ExportingCompany {
  /** Id of the company. */
  id: number;
}

/** Marks an erased posting or author, so that no later poll or import stores it again. Holds no content. */
export interface Tombstone {
  /** Keyed digest of company, platform, and the id of the posting or author. */
  id: string;
  companyId: number;
  /** Milliseconds since the epoch. */
  erasedAt: number;
}

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

/** The analyzed postings of a span of time. Without postings there is no bucket. */
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
  /** Number of its segments; absent: none are stored, and its postings are read themselves. */
  segments?: number;
  /** When the last of its postings was analyzed, in milliseconds since the epoch; absent without segments. */
  analyzedAt?: number;
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

interface ListLoss {
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

/** Some postings of an hour or a day, a column for each of their values: what filters read instead of the postings. */
export interface PostingSegment {
  id: string;
  /** Id of the bucket. */
  bucket: string;
  revision: string;
  /** Number of the segment within its bucket. */
  number: number;
  /** Number of its postings, which are in the order of `postingOrder`. */
  size: number;
  /** The only group of columns in this record; `all`: it has all of them. */
  group: SegmentGroup | "all";
  columns: SegmentColumns;
}

/** Columns that are read together. */
export interface SegmentColumns {
  /** Values of which a posting has one or none, which is the empty one. */
  properties?: Record<Property | "platform", StoredColumn>;
  /** Ids without that of the insight, joined by separators; times of posting from the start of the bucket, in milliseconds. */
  places?: { ids: string; times: number[] };
  /** By name of the count; null: not stated. What does not fit into a number is a text. */
  counts?: Record<string, (number | string | null)[]>;
  /** When the postings were analyzed, in milliseconds since the epoch. */
  analyzed?: number[];
  topics?: StoredColumn;
  hashtags?: StoredColumn;
  authors?: StoredColumn;
  labels?: StoredColumn;
  domains?: StoredColumn;
}

/** Which columns are read together. */
export const SEGMENT_GROUPS = ["properties", "places", "counts", "analyzed", ...LIST_KINDS] as const;
export type SegmentGroup = (typeof SEGMENT_GROUPS)[number];

/** Values, and which of them each posting has: see columns.ts. */
export interface StoredColumn {
  /** Joined by separators. */
  values: string;
  codes: string;
}

/** A span of time of posting, in milliseconds since the epoch: from inclusive, to exclusive. */
export interface TimeRange {
  from: number;
  to: number;
}

/** A span of time of posting, and how much of what the platform published in it was collected; as in the proto. */
export interface CoverageSpan {
  /** Inclusive, in milliseconds since the epoch. */
  from: number;
  /** Exclusive. */
  to: number;
  completeness: "complete" | "thin" | "unknown";
  /** Empty if complete. */
  reasons: GapReason[];
}

/** Entries of `more_info` that the product writes. Imports do not take them over, so that nobody else's look like ours. */
export const OWN_NOTES = [
  "emotion",
  "errors",
  "intention_prob",
  "key",
  "posted_in_the_future",
  "sentiment_simple",
  "spam",
  "text_analysed_to",
  "text_cut_at",
] as const;

/** Notes of the product on a posting. */
export type OwnNotes = Partial<Record<(typeof OWN_NOTES)[number], Json>>;
