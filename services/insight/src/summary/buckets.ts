import { LoopPace, type Store } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import type { InsightRecord, PlatformName, SummaryBucket, SummaryLevel } from "../store/records.js";
import { bucketId, endOf, type Span, startOf } from "./periods.js";
import { addLosses, addStored, recountDirty } from "./rollup.js";
import { readStored } from "./stored-buckets.js";
import type { Lists } from "./tally.js";

export interface BucketsDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "postings" | "dirtyBuckets" | "summaryBuckets" | "summaryPieces" | "segments">;
  now: () => number;
  signal: AbortSignal;
}

/** Undefined: all. */
type Platforms = ReadonlySet<PlatformName> | undefined;

/** Buckets without lists are small: reading some at once takes a fraction of reading them one by one. */
const PAGE = { sort: [["start", 1]], limit: 100 } as const;
/** Dirty buckets read at a time. */
const DIRTY_AT_ONCE = 96;

/** The buckets of an insight in a span of time, as they were when it was opened, or later. */
export class Buckets {
  private readonly pace = new LoopPace();

  private constructor(
    private readonly deps: BucketsDeps,
    private readonly insightId: number,
    private readonly dirty: ReadonlySet<string>,
  ) {}

  /** Recounts what is dirty in the span, so that whatever was written before is seen. */
  static async open(deps: BucketsDeps, { id: insightId }: Pick<InsightRecord, "id">, span: Span): Promise<Buckets> {
    await recountHours(deps, insightId, span);
    return new Buckets(deps, insightId, await readDirty(deps, insightId, span));
  }

  /** The buckets of a part of the span, in order of time, none coarser than that level. */
  async *read(span: Span, coarsest: SummaryLevel): AsyncGenerator<SummaryBucket> {
    const isDirty = (level: SummaryLevel, start: number) => this.dirty.has(bucketId(this.insightId, level, start));
    for (const run of bucketsCovering(span, coarsest, isDirty)) {
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
    const buckets: SummaryBucket[] = [];
    for await (const bucket of this.read(span, "month")) buckets.push(bucket);
    for await (const { bucket, lists } of readStored(this.deps.collections, buckets)) {
      this.deps.signal.throwIfAborted();
      for (const part of bucket.parts) if (platforms?.has(part.platform) ?? true) addLosses(into, part);
      for (const list of lists) {
        if (!(platforms?.has(list.platform) ?? true)) continue;
        addStored(into, list);
        await this.pace.step();
      }
    }
  }
}

/** The dirty days and months. A month becomes dirty once its days are recounted, so a dirty day implies it. */
async function readDirty({ collections }: BucketsDeps, insightId: number, span: Span): Promise<Set<string>> {
  const dirty = new Set<string>();
  for (const level of ["day", "month"] as const) {
    const within = { gte: startOf(level, span.start), lt: span.end };
    for (const { start } of await collections.dirtyBuckets.find({ insightId, level, start: within })) {
      dirty.add(bucketId(insightId, level, start)).add(bucketId(insightId, "month", startOf("month", start)));
    }
  }
  return dirty;
}

/** Goes through the hours once: what changes later need not be seen. */
async function recountHours(deps: BucketsDeps, insightId: number, { start: from, end }: Span): Promise<void> {
  for (let start = from; ;) {
    const filter = { insightId, level: "hour" as const, start: { gte: start, lt: end } };
    const dirty = await deps.collections.dirtyBuckets.find(filter, { sort: [["start", 1]], limit: DIRTY_AT_ONCE });
    await recountDirty(deps, dirty);
    const last = dirty.at(-1);
    if (last === undefined || dirty.length < DIRTY_AT_ONCE) return;
    start = last.start + 1;
  }
}

/** Consecutive buckets of one level. */
interface Run extends Span {
  level: SummaryLevel;
}

const COARSEST_FIRST = ["month", "day", "hour"] as const;

/**
 * The fewest buckets that are a span of whole hours, none coarser than `coarsest`, as runs in order of time. A dirty
 * bucket is replaced by those of the level below.
 */
function bucketsCovering(
  span: Span,
  coarsest: SummaryLevel,
  isDirty: (level: SummaryLevel, start: number) => boolean,
): Run[] {
  const levels = COARSEST_FIRST.slice(COARSEST_FIRST.indexOf(coarsest));
  const fits = (level: SummaryLevel, at: number) =>
    startOf(level, at) === at && endOf(level, at) <= span.end && !isDirty(level, at);
  const runs: Run[] = [];
  for (let at = span.start; at < span.end;) {
    const level = levels.find((each) => fits(each, at)) ?? "hour";
    const end = endOf(level, at);
    const last = runs.at(-1);
    if (last?.level === level) last.end = end;
    else runs.push({ level, start: at, end });
    at = end;
  }
  return runs;
}
