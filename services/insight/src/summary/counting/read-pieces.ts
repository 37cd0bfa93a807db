import { AppError, LoopPace } from "@hourglass/runtime";
import type { Collections } from "../../records/collections.js";
import type { StoredList, SummaryBucket, SummaryLevel } from "../../records/summary.js";

/** A bucket and its lists, both of one count. */
export interface WholeBucket {
  bucket: SummaryBucket;
  lists: StoredList[];
}

/** Pieces read at a time; hours have small ones. A bucket with more of them is read alone. */
const PIECES_MAX: Readonly<Record<SummaryLevel, number>> = { hour: 32, day: 8, month: 4 };
const TRIES_MAX = 20;

/** The lists of buckets, a few at a time. A bucket that is counted meanwhile is read again. */
export async function* readWhole(
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
    if (left < bucket.pieces) {
      groups.push([]);
      left = PIECES_MAX[bucket.level];
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
  for (let tries = 0; tries < TRIES_MAX; tries++) {
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
