import { LoopPace, type Store } from "@hourglass/runtime";
import type { Collections } from "../../records/collections.js";
import type { InsightRecord, PlatformName } from "../../records/insight.js";
import type { SummaryBucket, SummaryLevel } from "../../records/summary.js";
import { addLosses, addStored } from "../counting/count-bucket.js";
import { countMarked } from "../counting/count-marked.js";
import { readWhole } from "../counting/read-pieces.js";
import type { Lists } from "../counting/tally.js";
import { bucketId, type Span, startOf } from "../../marks/periods.js";
import { coverOf, type Run } from "./cover.js";
import type { KeptLists } from "./kept-lists.js";

export interface BucketsDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "postings" | "summaryMarks" | "summaryBuckets" | "summaryPieces">;
  now: () => number;
  signal: AbortSignal;
}

/** Undefined: all. */
type Platforms = ReadonlySet<PlatformName> | undefined;

/** Buckets without lists are small: reading some at once takes a fraction of reading them one by one. */
const PAGE = { sort: [["start", 1]], limit: 100 } as const;
/** Marks read at a time. */
const MARKS_AT_ONCE = 96;

/** The buckets of an insight in a span of time, as they were when it was opened, or later. */
export class Buckets {
  private readonly pace = new LoopPace();

  private constructor(
    private readonly deps: BucketsDeps,
    private readonly insightId: number,
    private readonly marked: ReadonlySet<string>,
  ) {}

  /** Counts what is marked in the span, so that whatever was written before is seen. */
  static async open(deps: BucketsDeps, { id: insightId }: Pick<InsightRecord, "id">, span: Span): Promise<Buckets> {
    await countHours(deps, insightId, span);
    return new Buckets(deps, insightId, await readMarked(deps, insightId, span));
  }

  /** The buckets of a part of the span, in order of time, none coarser than that level. */
  async *read(span: Span, coarsest: SummaryLevel): AsyncGenerator<SummaryBucket> {
    for (const run of this.cover(span, coarsest)) {
      for (let from = run.start; ;) {
        const filter = { insightId: this.insightId, level: run.level, start: { gte: from, lt: run.end } };
        const found = await this.deps.collections.summaryBuckets.find(filter, PAGE);
        yield* found;
        const last = found.at(-1);
        if (last === undefined || found.length < PAGE.limit) break;
        from = last.start + 1;
        await this.pace.step();
      }
    }
  }

  /** Adds the lists of a part of the span. */
  async addLists(span: Span, into: Partial<Lists>, platforms: Platforms): Promise<void> {
    await this.addListsOf(await this.readAll(span), into, platforms);
  }

  /**
   * The lists of a part of the span, added to empty ones, unless those of its days and months have been kept since an
   * earlier summary: hours change too often for that.
   */
  async listsOf(span: Span, platforms: Platforms, { kept, empty }: { kept: KeptLists; empty: Lists }): Promise<Lists> {
    const buckets = await this.readAll(span);
    const lasting = buckets.filter(({ level }) => level !== "hour");
    const hours = buckets.filter(({ level }) => level === "hour");
    const key = [this.insightId, span.start, span.end, ...[...(platforms ?? [])].sort()].join(" ");
    const known = kept.get(key, lasting);
    if (known === undefined && (await this.addListsOf(lasting, empty, platforms))) kept.set(key, lasting, empty);
    const lists = known ?? empty;
    await this.addListsOf(hours, lists, platforms);
    return lists;
  }

  private async readAll(span: Span): Promise<SummaryBucket[]> {
    const buckets: SummaryBucket[] = [];
    for await (const bucket of this.read(span, "month")) buckets.push(bucket);
    return buckets;
  }

  /** False if some buckets were counted anew meanwhile; what was added is then that of the new ones. */
  private async addListsOf(
    buckets: readonly SummaryBucket[],
    into: Partial<Lists>,
    platforms: Platforms,
  ): Promise<boolean> {
    let asGiven = 0;
    const given = new Set(buckets);
    for await (const { bucket, lists } of readWhole(this.deps.collections, buckets)) {
      this.deps.signal.throwIfAborted();
      if (given.has(bucket)) asGiven++;
      for (const part of bucket.parts) if (platforms?.has(part.platform) ?? true) addLosses(into, part);
      for (const list of lists) {
        if (!(platforms?.has(list.platform) ?? true)) continue;
        addStored(into, list);
        await this.pace.step();
      }
    }
    return asGiven === buckets.length;
  }

  private cover(span: Span, coarsest: SummaryLevel): Run[] {
    return coverOf(span, coarsest, (level, start) => this.marked.has(bucketId(this.insightId, level, start)));
  }
}

/** The days and months to be counted. A month is marked once its days are counted, so a marked day says the same. */
async function readMarked({ collections }: BucketsDeps, insightId: number, span: Span): Promise<Set<string>> {
  const marked = new Set<string>();
  for (const level of ["day", "month"] as const) {
    const within = { gte: startOf(level, span.start), lt: span.end };
    for (const { start } of await collections.summaryMarks.find({ insightId, level, start: within })) {
      marked.add(bucketId(insightId, level, start)).add(bucketId(insightId, "month", startOf("month", start)));
    }
  }
  return marked;
}

/** Goes through the hours once: what changes later need not be seen. */
async function countHours(deps: BucketsDeps, insightId: number, { start: from, end }: Span): Promise<void> {
  for (let start = from; ;) {
    const filter = { insightId, level: "hour" as const, start: { gte: start, lt: end } };
    const marks = await deps.collections.summaryMarks.find(filter, { sort: [["start", 1]], limit: MARKS_AT_ONCE });
    await countMarked(deps, marks);
    const last = marks.at(-1);
    if (last === undefined || marks.length < MARKS_AT_ONCE) return;
    start = last.start + 1;
  }
}
