import type { Count } from "../platforms/posting-draft.js";
import {
  LIST_KINDS,
  type PostingRecord,
  type PostingSegment,
  PROPERTIES,
  SEPARATOR,
  SEGMENT_GROUPS,
  type SegmentColumns,
  type SummaryBucket,
  type SummaryLevel,
} from "../store/records.js";
import { authorNamesOf, forEach, listedOf, propertiesOf } from "../summary/tally.js";
import { ColumnBuilder, VALUES_MAX } from "./columns.js";

/** Before each name of an author. */
export const NAME_SEPARATOR = "\x1f";

/** Postings of a segment. */
const POSTINGS_MAX = 4_096;
/** Values of a column above which the next posting gets another segment: a posting has fewer than the rest. */
const VALUES_FULL = VALUES_MAX - 15_000;
/** Postings of a bucket: one with more has no segments, so that building them takes a bounded amount of memory. */
const BUCKET_MAX: Readonly<Record<SummaryLevel, number>> = { hour: 50_000, day: 250_000, month: 0 };
/** A segment with fewer postings is one record. */
const TOGETHER_MAX = 256;

const COLUMNS = [...PROPERTIES, "platform"] as const;

/** Counts that are engagement: reactions, comments and shares, not views. */
const SINGLE_REACTIONS = [
  "like_count",
  "angry_count",
  "laugh_count",
  "love_count",
  "sad_count",
  "support_count",
  "wow_count",
  "appreciation_count",
  "empathy_count",
  "interest_count",
  "maybe_count",
  "praise_count",
  "digg_count",
] as const;
const OTHERS = ["comment_count", "share_count", "share_with_comment_count"] as const;

/**
 * Reactions, comments and shares of a posting together; the total of its reactions, where it is stated, stands for the
 * single ones. Undefined if it states none of them.
 */
export function engagementOf({ content: { counts = {} } }: Pick<PostingRecord, "content">): Count | undefined {
  const reactions = counts.reaction_total_count === undefined ? SINGLE_REACTIONS : (["reaction_total_count"] as const);
  const stated = [...reactions, ...OTHERS].flatMap((name) => counts[name] ?? []);
  if (stated.length === 0) return undefined;
  if (stated.every((count) => typeof count === "number")) {
    const sum = stated.reduce((one, other) => one + other, 0);
    if (Number.isSafeInteger(sum)) return sum;
  }
  return stated.reduce((sum: bigint, count) => sum + BigInt(count), 0n).toString();
}

/** The name of the sum of a posting's reactions, comments and shares beside its counts. */
export const ENGAGEMENT = "engagement";

/** All columns of a segment. */
export type WholeColumns = Required<SegmentColumns>;

interface BuiltSegment {
  size: number;
  columns: WholeColumns;
}

/** Builds the segments of a bucket from its postings, which come in the order of `postingOrder`. */
export class SegmentsBuilder {
  private readonly done: BuiltSegment[] = [];
  private next: SegmentBuilder;
  private postings = 0;

  constructor(private readonly bucket: Pick<SummaryBucket, "id" | "level" | "start">) {
    this.next = new SegmentBuilder(bucket.start);
  }

  add(posting: PostingRecord): void {
    this.postings += 1;
    if (this.isTooMany) return;
    this.next.add(posting);
    if (this.next.isFull) this.close();
  }

  /** Adds a segment of a bucket of the level below, which starts there. */
  append(segment: BuiltSegment, start: number): void {
    this.postings += segment.size;
    if (this.isTooMany) return;
    if (this.next.size + segment.size > POSTINGS_MAX) this.close();
    this.next.append(segment, start);
    if (this.next.isFull) this.close();
  }

  /** Leaves the bucket without segments, since those of one below are missing. */
  giveUp(): void {
    this.postings = Infinity;
  }

  /** The records, as those of one count, and what the bucket says of them; undefined if there are too many postings. */
  records(
    revision: string,
  ): (Pick<SummaryBucket, "segments" | "analyzedAt"> & { records: PostingSegment[] }) | undefined {
    if (this.isTooMany) return undefined;
    this.close();
    const records = this.done.flatMap((segment, number) => this.recordsOf(segment, { revision, number }));
    let analyzedAt = 0;
    for (const { columns } of this.done) for (const each of columns.analyzed) analyzedAt = Math.max(analyzedAt, each);
    return { segments: this.done.length, analyzedAt, records };
  }

  private recordsOf(
    { size, columns }: BuiltSegment,
    of: Pick<PostingSegment, "revision" | "number">,
  ): PostingSegment[] {
    const record = (group: PostingSegment["group"], some: SegmentColumns): PostingSegment => {
      return {
        id: `${this.bucket.id}:${of.number}:${group}`,
        bucket: this.bucket.id,
        ...of,
        size,
        group,
        columns: some,
      };
    };
    if (this.bucket.level === "hour" || size < TOGETHER_MAX) return [record("all", columns)];
    return SEGMENT_GROUPS.map((group) => record(group, { [group]: columns[group] }));
  }

  private get isTooMany(): boolean {
    return this.postings > BUCKET_MAX[this.bucket.level];
  }

  private close(): void {
    if (this.next.size > 0) this.done.push(this.next.built());
    this.next = new SegmentBuilder(this.bucket.start);
  }
}

/** Builds one segment of a bucket that starts there, from postings that come in the order of `postingOrder`. */
export class SegmentBuilder {
  size = 0;
  private readonly properties = forEach(COLUMNS, () => new ColumnBuilder());
  private readonly lists = forEach(LIST_KINDS, () => new ColumnBuilder());
  private readonly ids: string[] = [];
  private readonly times: number[] = [];
  private readonly analyzed: number[] = [];
  private readonly counts: Record<string, (Count | null)[]> = {};

  constructor(private readonly start: number) {}

  get isFull(): boolean {
    return this.size >= POSTINGS_MAX || LIST_KINDS.some((kind) => this.lists[kind].size > VALUES_FULL);
  }

  add(posting: PostingRecord): void {
    const values = propertiesOf(posting);
    for (const property of PROPERTIES) this.properties[property].addOne(inColumn(values[property]));
    this.properties.platform.addOne(posting.platform);
    const listed = listedOf(posting);
    for (const kind of LIST_KINDS) {
      if (kind !== "authors") this.lists[kind].addList(listed[kind]);
    }
    this.lists.authors.addList(listed.authors.map((key) => namesOf(key, posting)));
    this.ids.push(posting.id.slice(posting.id.indexOf(":") + 1));
    this.times.push(posting.postedAt - this.start);
    this.analyzed.push(posting.analyzedAt ?? 0);
    const stated: Readonly<Record<string, Count | undefined>> = {
      ...posting.content.counts,
      [ENGAGEMENT]: engagementOf(posting),
    };
    for (const [name, count] of Object.entries(stated)) {
      if (count !== undefined && (typeof count !== "number" || Number.isSafeInteger(count))) {
        this.countsOf(name)[this.size] = count;
      }
    }
    this.size += 1;
  }

  append({ size, columns }: BuiltSegment, start: number): void {
    for (const name of COLUMNS) this.properties[name].append(columns.properties[name]);
    for (const kind of LIST_KINDS) this.lists[kind].append(columns[kind]);
    this.ids.push(...columns.places.ids.split(SEPARATOR));
    for (const time of columns.places.times) this.times.push(time + start - this.start);
    this.analyzed.push(...columns.analyzed);
    for (const [name, counts] of Object.entries(columns.counts)) {
      const own = this.countsOf(name);
      counts.forEach((count, index) => (own[this.size + index] = count));
    }
    this.size += size;
  }

  built(): BuiltSegment {
    const counts = Object.entries(this.counts).map(([name, some]) => [name, filledUp(some, this.size)] as const);
    const columns = {
      properties: forEach(COLUMNS, (name) => this.properties[name].stored()),
      places: { ids: this.ids.join(SEPARATOR), times: this.times },
      counts: Object.fromEntries(counts),
      analyzed: this.analyzed,
      ...forEach(LIST_KINDS, (kind) => this.lists[kind].stored()),
    };
    return { size: this.size, columns };
  }

  private countsOf(name: string): (Count | null)[] {
    return (this.counts[name] ??= []);
  }
}

function filledUp(counts: readonly (Count | null | undefined)[], size: number): (Count | null)[] {
  return Array.from({ length: size }, (_, index) => counts[index] ?? null);
}

/** An author's key with all that the author may be looked for by. */
function namesOf(key: string, posting: PostingRecord): string {
  return [key, ...authorNamesOf(posting)].join(NAME_SEPARATOR);
}

const SEPARATORS = new RegExp(`[${SEPARATOR}${NAME_SEPARATOR}]`, "g");

/** Without separators, which only imports could state. */
function inColumn(value: string): string {
  return value.replace(SEPARATORS, " ");
}
