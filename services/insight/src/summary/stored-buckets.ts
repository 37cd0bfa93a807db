import { randomUUID } from "node:crypto";
import { AppError, LoopPace } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import {
  LIST_KINDS,
  type PostingSegment,
  PROPERTIES,
  type StoredList,
  type SummaryBucket,
  type SummaryLevel,
  type DirtyBucket,
  type SummaryPart,
  type SummaryPiece,
} from "../store/records.js";
import type { SegmentsBuilder } from "../segments/segment.js";
import { forEach, type Lists, type PlatformTally, type Tally } from "./tally.js";
import { LISTED_MAX, type ValueCounts } from "./value-counts.js";

/** A bucket and its pieces, as they are stored. */
export interface StoredBucket {
  bucket: SummaryBucket;
  pieces: SummaryPiece[];
  segments: PostingSegment[];
}

/** What was found in a bucket. */
export interface CountedPostings {
  tally: Tally;
  segments: SegmentsBuilder;
}

/** Characters of a piece; a longer value has its own piece. */
const PIECE_CHARACTERS = 200_000;
/** Characters of one list of one platform. */
const LIST_CHARACTERS_MAX = 4_000_000;

/** The stored form of what was counted; undefined without postings. */
export function toStored(
  { id, insightId, level, start }: Pick<DirtyBucket, "id" | "insightId" | "level" | "start">,
  { tally, segments: built }: CountedPostings,
): StoredBucket | undefined {
  if (tally.platforms.size === 0) return undefined;
  const revision = randomUUID();
  const lists = [...tally.platforms].flatMap(([platform, part]) =>
    LIST_KINDS.flatMap((kind) => storedLists(part.lists, { platform, kind })),
  );
  const pieces = packed(lists).map((some, index) => ({ id: `${id}:${index}`, bucket: id, revision, lists: some }));
  // After the lists, which may have been cut.
  const parts = [...tally.platforms].map(([platform, part]) => toPart(platform, part));
  const { records, ...ofBucket } = built.records(revision) ?? { records: [] };
  const bucket = { id, insightId, level, start, revision, pieces: pieces.length, ...ofBucket, parts };
  return { bucket, pieces, segments: records };
}

function toPart(platform: string, { counts, lists }: PlatformTally): SummaryPart {
  return {
    platform,
    postings: counts.postings,
    properties: forEach(PROPERTIES, (property) => [...counts.properties[property]]),
    engagement: [...counts.engagement].map(([name, { sum, postings }]) => [name, sum.toString(), postings]),
    lists: forEach(LIST_KINDS, (kind) => ({ error: lists[kind].error, dropped: lists[kind].dropped })),
  };
}

/** A list in parts of limited size; cuts the list if it is too long. */
function storedLists(lists: Lists, of: Pick<StoredList, "platform" | "kind">): StoredList[] {
  const list = lists[of.kind];
  list.cut(Math.min(LISTED_MAX, lengthWithin(LIST_CHARACTERS_MAX, list)));
  return list.joined(PIECE_CHARACTERS).map((part) => ({ ...of, ...part }));
}

/** The values that fit in, the most frequent first. */
function lengthWithin(characters: number, list: ValueCounts): number {
  if (list.characters <= characters) return list.size;
  let left = characters;
  return list.sorted().findIndex(([value]) => (left -= list.charactersOf(value)) < 0);
}

/** Small lists share a piece. */
function packed(lists: readonly StoredList[]): StoredList[][] {
  const pieces: StoredList[][] = [];
  let characters = Infinity;
  for (const list of lists) {
    if (characters + list.values.length > PIECE_CHARACTERS) {
      pieces.push([]);
      characters = 0;
    }
    pieces.at(-1)?.push(list);
    characters += list.values.length;
  }
  return pieces;
}

/** A bucket and its lists, both of one count. */
interface WholeBucket {
  bucket: SummaryBucket;
  lists: StoredList[];
}

/** Pieces read at a time; hours have small ones. A bucket with more of them is read alone. */
const PIECES_AT_ONCE: Readonly<Record<SummaryLevel, number>> = { hour: 32, day: 8, month: 4 };
const READS_MAX = 20;

/** The lists of buckets, a few at a time. A bucket that is counted meanwhile is read again. */
export async function* readStored(
  collections: Pick<Collections, "summaryBuckets" | "summaryPieces">,
  buckets: readonly SummaryBucket[],
): AsyncGenerator<WholeBucket> {
  const pace = new LoopPace();
  for (const some of readTogether(buckets)) {
    await pace.step();
    const pieces = await collections.summaryPieces.find({ bucket: { in: some.map(({ id }) => id) } });
    for (const bucket of some) {
      const lists = listsOf(bucket, pieces) ?? undefined;
      const whole = lists === undefined ? await readAgain(collections, bucket.id) : { bucket, lists };
      if (whole !== undefined) yield whole;
    }
  }
}

function readTogether(buckets: readonly SummaryBucket[]): SummaryBucket[][] {
  const groups: SummaryBucket[][] = [];
  let left = 0;
  for (const bucket of buckets) {
    // The first ones may have no pieces.
    if (groups.length === 0 || left < bucket.pieces) {
      groups.push([]);
      left = PIECES_AT_ONCE[bucket.level];
    }
    groups.at(-1)?.push(bucket);
    left -= bucket.pieces;
  }
  return groups;
}

/** Undefined if the bucket is gone: its last posting was removed. */
async function readAgain(
  { summaryBuckets, summaryPieces }: Pick<Collections, "summaryBuckets" | "summaryPieces">,
  id: string,
): Promise<WholeBucket | undefined> {
  for (let tries = 0; tries < READS_MAX; tries++) {
    const bucket = await summaryBuckets.get(id);
    if (bucket === undefined) return undefined;
    const lists = listsOf(bucket, await summaryPieces.find({ bucket: id }));
    if (lists !== undefined) return { bucket, lists };
  }
  throw new AppError("unavailable", "The postings change too fast to be counted. Try again later.");
}

/** Undefined if the pieces are those of another count. */
function listsOf({ id, revision, pieces: count }: SummaryBucket, pieces: readonly Piece[]): StoredList[] | undefined {
  const own = pieces.filter((piece) => piece.bucket === id && piece.revision === revision);
  return own.length === count ? own.flatMap(({ lists }) => lists) : undefined;
}

type Piece = { bucket: string; revision: string; lists: StoredList[] };
