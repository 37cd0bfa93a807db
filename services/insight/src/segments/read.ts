import { LoopPace } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import {
  type PostingSegment,
  SEGMENT_GROUPS,
  type SegmentColumns,
  type SegmentGroup,
  type SummaryBucket,
} from "../store/records.js";

/** Records read at a time: to read more takes long enough to be noticed by other requests. */
const RECORDS_AT_ONCE = 16;

/** The columns of a segment that were read. */
export interface ReadSegment<G extends SegmentGroup = SegmentGroup> {
  number: number;
  size: number;
  columns: Required<Pick<SegmentColumns, G>>;
}

/** The segments of a bucket from records that hold all of its columns; undefined if they are not those of its count. */
export function wholeSegments(bucket: SummaryBucket, records: readonly PostingSegment[]): ReadSegment[] | undefined {
  return segmentsOf(bucket, records, SEGMENT_GROUPS);
}

/**
 * Some columns of the segments of buckets, in their order, a few buckets at a time. Undefined for a bucket that has no
 * segments, or was counted again meanwhile: its postings are to be read themselves.
 */
export async function* readSegments<G extends SegmentGroup>(
  { segments }: Pick<Collections, "segments">,
  buckets: readonly SummaryBucket[],
  groups: readonly G[],
): AsyncGenerator<{ bucket: SummaryBucket; segments: ReadSegment<G>[] | undefined }> {
  const pace = new LoopPace();
  const atOnce = Math.max(1, Math.floor(RECORDS_AT_ONCE / groups.length));
  for (let from = 0; from < buckets.length; from += atOnce) {
    const some = buckets.slice(from, from + atOnce);
    const wanted = { bucket: { in: some.map(({ id }) => id) }, group: { in: [...groups, "all" as const] } };
    const found = new Map(some.map(({ id }) => [id, [] as PostingSegment[]]));
    for (const record of await segments.find(wanted)) found.get(record.bucket)?.push(record);
    for (const bucket of some) {
      await pace.step();
      yield { bucket, segments: segmentsOf(bucket, found.get(bucket.id) ?? [], groups) };
    }
  }
}

function segmentsOf<G extends SegmentGroup>(
  { id, revision, segments: count }: SummaryBucket,
  records: readonly PostingSegment[],
  groups: readonly G[],
): ReadSegment<G>[] | undefined {
  if (count === undefined) return undefined;
  const read = new Map<number, { number: number; size: number; columns: SegmentColumns }>();
  for (const { bucket, revision: own, number, size, columns } of records) {
    if (bucket !== id || own !== revision) continue;
    const known = read.get(number);
    if (known === undefined) read.set(number, { number, size, columns: { ...columns } });
    else Object.assign(known.columns, columns);
  }
  const all = [...read.values()].filter(({ columns }) => groups.every((group) => columns[group] !== undefined));
  if (all.length !== count) return undefined;
  return all.sort((one, other) => one.number - other.number) as ReadSegment<G>[];
}
