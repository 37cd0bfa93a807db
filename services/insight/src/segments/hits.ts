import { LoopPace } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import { compareIds, postingOrder } from "../store/posting-order.js";
import {
  type PostingPlace,
  SEPARATOR,
  type SegmentGroup,
  type StoredColumn,
  type SummaryBucket,
} from "../store/records.js";
import { endOf, type Span } from "../summary/periods.js";
import { codesOf, keepAccepted, keepListed, type Mask, valuesOf } from "./columns.js";
import type { ColumnCondition } from "./filter.js";
import { type ReadSegment, readSegments } from "./read.js";
import { NAME_SEPARATOR, SegmentBuilder } from "./segment.js";

/** The hits among the postings of a segment. */
export interface SegmentHits<G extends SegmentGroup = never> {
  segment: ReadSegment<G>;
  mask: Mask;
  /** How many there are. */
  count: number;
}

/** The segments of a bucket that have hits, in order of time. */
export interface BucketHits<G extends SegmentGroup = never> {
  bucket: SummaryBucket;
  hits: SegmentHits<G>[];
}

type HitCollections = Pick<Collections, "segments" | "postings">;

interface HitQuery<G extends SegmentGroup> {
  conditions: readonly ColumnCondition[];
  /** Columns to read besides those of the conditions. */
  groups: readonly G[];
  signal: AbortSignal;
}

/**
 * The postings of buckets that meet all conditions, bucket by bucket in the order given; buckets without any are left out.
 * Rejects if the signal aborts.
 */
export async function* findHits<G extends SegmentGroup = never>(
  collections: HitCollections,
  buckets: readonly SummaryBucket[],
  { conditions, groups, signal }: HitQuery<G>,
): AsyncGenerator<BucketHits<G>> {
  const possible = buckets.filter((bucket) => mayHave(bucket, conditions));
  const asked = [...conditions.map(groupOf), ...groups];
  // Without any, a segment would not be found.
  const wanted = [...new Set(asked.length === 0 ? (["properties"] as const) : asked)];
  for await (const { bucket, segments } of readSegments(collections, possible, wanted)) {
    signal.throwIfAborted();
    const hits: SegmentHits<G>[] = [];
    for await (const segment of segments ?? builtSegments(collections.postings, bucket, signal)) {
      const mask: Mask = new Uint8Array(segment.size).fill(1);
      let count = segment.size;
      for (const condition of conditions) if (count > 0) count = keep(mask, segment.columns, condition);
      if (count > 0) hits.push({ segment: narrowed(segment, groups), mask, count });
    }
    if (hits.length > 0) yield { bucket, hits };
  }
}

/** With those columns only, so that many segments fit into memory. */
function narrowed<G extends SegmentGroup>(
  { number, size, columns }: ReadSegment,
  groups: readonly G[],
): ReadSegment<G> {
  const kept = Object.fromEntries(groups.map((group) => [group, columns[group]]));
  return { number, size, columns: kept as ReadSegment<G>["columns"] };
}

function groupOf({ column }: ColumnCondition): SegmentGroup {
  switch (column) {
    case "topics":
    case "hashtags":
    case "authors":
    case "labels":
    case "domains":
    case "analyzed":
      return column;
    default:
      return "properties";
  }
}

/** False if the counts of the bucket show that no posting meets all conditions. */
function mayHave({ parts, analyzedAt = Infinity }: SummaryBucket, conditions: readonly ColumnCondition[]): boolean {
  return conditions.every((condition) => {
    if (condition.column === "analyzed") return analyzedAt >= condition.since;
    if (!("accepts" in condition)) return true;
    const { column, accepts } = condition;
    if (column === "platform") return parts.some(({ platform }) => accepts(platform));
    return parts.some(({ postings, properties }) => {
      const kept = properties[column].reduce((sum, [, count]) => sum + count, 0);
      return kept < postings || properties[column].some(([value]) => accepts(value));
    });
  });
}

function keep(mask: Mask, columns: ReadSegment["columns"], condition: ColumnCondition): number {
  if ("accepts" in condition) return keepAccepted(mask, columns.properties[condition.column], condition.accepts);
  if (condition.column === "analyzed") return keepSince(mask, columns.analyzed, condition.since);
  const column = columns[condition.column];
  const { values, none } = condition;
  const codes = condition.column === "authors" ? codesOfAuthors(column, values) : codesOf(column, values);
  if (codes.size > 0 || none) return keepListed(mask, column, { codes, none });
  mask.fill(0);
  return 0;
}

function keepSince(mask: Mask, analyzed: readonly number[], since: number): number {
  let hits = 0;
  for (let index = 0; index < mask.length; index++) {
    if ((analyzed[index] ?? 0) < since) mask[index] = 0;
    hits += mask[index] ?? 0;
  }
  return hits;
}

/** Authors are looked for by any of their names. */
function codesOfAuthors(column: StoredColumn, wanted: readonly string[]): Set<number> {
  const codes = new Set<number>();
  const present = wanted.filter((name) => column.values.includes(NAME_SEPARATOR + name));
  if (present.length === 0) return codes;
  valuesOf(column).forEach((value, code) => {
    const [, ...names] = value.split(NAME_SEPARATOR);
    if (present.some((name) => names.includes(name))) codes.add(code);
  });
  return codes;
}

const OLDEST_FIRST = { sort: postingOrder("listedAt") };

/** The segments of a bucket that has none stored, from its postings, one at a time. */
async function* builtSegments(
  postings: Collections["postings"],
  { insightId, level, start }: SummaryBucket,
  signal: AbortSignal,
): AsyncGenerator<ReadSegment> {
  const pace = new LoopPace();
  let builder = new SegmentBuilder(start);
  let number = 0;
  const listedAt = { gte: start, lt: endOf(level, start) };
  for await (const posting of postings.stream({ insightId, listedAt }, OLDEST_FIRST)) {
    signal.throwIfAborted();
    await pace.step();
    builder.add(posting);
    if (!builder.isFull) continue;
    yield { number: number++, ...builder.built() };
    builder = new SegmentBuilder(start);
  }
  if (builder.size > 0) yield { number, ...builder.built() };
}

/** A posting that is a hit. */
export type Hit = Pick<PostingPlace, "id" | "listedAt">;

/** A hit, with its segment and its index there. */
interface HitIn<S> extends Hit {
  of: S;
  index: number;
}

/** The hits of a bucket that lie in a range of time, oldest first, those of equal time in the order of their postings. */
export function* orderedHits<S extends SegmentHits<"places">>(
  { bucket, hits }: { bucket: SummaryBucket; hits: readonly S[] },
  { start, end }: Span,
): Generator<HitIn<S>> {
  for (const of of hits) {
    const { ids, times } = of.segment.columns.places;
    const names = ids.split(SEPARATOR);
    for (let index = of.mask.indexOf(1); index >= 0; index = of.mask.indexOf(1, index + 1)) {
      const listedAt = bucket.start + (times[index] ?? 0);
      if (listedAt < start || listedAt >= end) continue;
      yield { id: `${bucket.insightId}:${names[index] ?? ""}`, listedAt, of, index };
    }
  }
}

/**
 * Of hits of one time, in the order of their postings, those that come after a place in a list, in its direction. Only if its
 * posting is no hit any more, some postings are read.
 */
export async function hitsBehind<H extends Hit>(
  postings: Collections["postings"],
  hits: readonly H[],
  { place, ascending }: { place: PostingPlace; ascending: boolean },
): Promise<H[]> {
  const left = [...hits];
  const own = left.findIndex(({ id }) => id === place.id);
  if (own >= 0) return ascending ? left.slice(own + 1) : left.slice(0, own).reverse();
  let [low, high] = [0, place.id === "" ? 0 : left.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const posting = await postings.get(left[middle]?.id ?? "");
    if (posting === undefined) {
      // It was erased meanwhile, and would be on no page.
      left.splice(middle, 1);
      high -= 1;
    } else if (compareIds(posting, place) < 0) low = middle + 1;
    else high = middle;
  }
  return ascending ? left.slice(low) : left.slice(0, low).reverse();
}
