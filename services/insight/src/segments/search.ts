import type { Count } from "../platforms/posting-draft.js";
import type { Collections } from "../store/collections.js";
import { postingOrder } from "../store/posting-order.js";
import type { InsightRecord, PostingPlace, SummaryBucket } from "../store/records.js";
import { Buckets, type BucketsDeps } from "../summary/buckets.js";
import { DAY_MS, endOf, type Span, startOf } from "../summary/periods.js";
import { EARLIEST, type ParsedFilter } from "./filter.js";
import { findHits, type Hit, hitsBehind, orderedHits } from "./hits.js";

/** Length of the first window of time that is read, and that of the longest, in milliseconds. */
const WINDOW_MS = { first: DAY_MS, max: 400 * DAY_MS };
/** A window that took less time is followed by a longer one; one that took more, by a shorter one. In milliseconds. */
const TOOK_MS = { little: 60, much: 400 };
const FACTOR = 4;
/** Buckets whose hits are read at a time. */
const BUCKETS_AT_ONCE = 8;

/** A part of the hits. */
export interface FoundHits {
  /** In the order that was asked for. */
  hits: Hit[];
  /** All hits before this place in that order have been found; absent: there are more, after those. */
  reached?: PostingPlace;
}

/** What hits are ordered by before their time. */
interface Ranked {
  /** Absent: not stated. */
  value?: Count | undefined;
}

/** A place in a list of hits that may be ordered by a value. */
export type RankedPlace = PostingPlace & Ranked;

/** A hit with the value that it is ordered by. */
export type RankedHit = Hit & Ranked;

/** Finds postings of an insight by the columns of its segments. */
export class PostingSearch {
  private constructor(
    private readonly deps: BucketsDeps,
    private readonly insight: Pick<InsightRecord, "id">,
    private readonly filter: ParsedFilter,
    /** Undefined: there is no posting. */
    private readonly span: Span | undefined,
  ) {}

  /** A search in the range of time of the filter; it leaves out what only postings themselves answer. */
  static async open(
    deps: BucketsDeps,
    insight: Pick<InsightRecord, "id">,
    filter: ParsedFilter,
  ): Promise<PostingSearch> {
    const listed = await listedSpan(deps.collections, insight);
    const { start = EARLIEST, end = Infinity } = filter;
    const span = listed && { start: Math.max(start, listed.start), end: Math.min(end, listed.end) };
    return new PostingSearch(deps, insight, filter, span && span.start < span.end ? span : undefined);
  }

  /**
   * The hits after a place in order of time, window by window, so that a reader may stop. Ends when there are no more.
   * Windows grow while they take little time.
   */
  async *inOrder({
    after,
    ascending,
  }: {
    after: PostingPlace | undefined;
    ascending: boolean;
  }): AsyncGenerator<FoundHits> {
    const span = this.span && cutAt(this.span, after, ascending);
    if (span === undefined) return;
    for (const window of new Windows(span, ascending)) {
      const buckets = await this.bucketsIn(window);
      if (!ascending) buckets.reverse();
      const found = await this.withHits(buckets);
      for (let from = 0; from < found.length; from += BUCKETS_AT_ONCE) {
        const some = found.slice(from, from + BUCKETS_AT_ONCE);
        const all = await this.hitsOf(some, span, ascending);
        const hits = after === undefined ? all : await this.behind(all, { place: after, ascending });
        if (hits.length > 0) yield { hits };
      }
      const reached = ascending ? window.end : window.start;
      yield { hits: [], reached: { listedAt: reached, socialId: null, id: "" } };
    }
  }

  /** Of hits in the order of a list, those after a place. */
  private async behind(
    hits: readonly Hit[],
    { place, ascending }: { place: PostingPlace; ascending: boolean },
  ): Promise<Hit[]> {
    const later = hits.filter(({ listedAt }) => (ascending ? listedAt > place.listedAt : listedAt < place.listedAt));
    const tied = hits.filter(({ listedAt }) => listedAt === place.listedAt);
    if (tied.length === 0) return later;
    if (!ascending) tied.reverse();
    const next = await hitsBehind(this.deps.collections.postings, tied, { place, ascending });
    return next.concat(later);
  }

  /** The first hits by their values after a place, the largest first unless ascending; what states none comes last. */
  async ranked(
    name: string,
    { after, ascending, limit }: { after: RankedPlace | undefined; ascending: boolean; limit: number },
  ): Promise<RankedHit[]> {
    if (this.span === undefined) return [];
    const { postings } = this.deps.collections;
    // Postings of equal time are in one bucket.
    const compare = (one: PlacedHit, other: PlacedHit) =>
      byValue(one, other, ascending) || (ascending ? one.at - other.at : other.at - one.at);
    let best: PlacedHit[] = [];
    const tied: PlacedHit[] = [];
    for (const window of new Windows(this.span, false)) {
      const buckets = await this.bucketsIn(window);
      for await (const found of this.find(buckets, ["places", "counts"])) {
        for (const [at, { id, listedAt, of, index }] of Array.from(orderedHits(found, this.span)).entries()) {
          const hit = { id, listedAt, at, value: of.segment.columns.counts[name]?.[index] ?? undefined };
          const order = after === undefined ? 1 : byValue(hit, after, ascending);
          if (order > 0) best.push(hit);
          if (order === 0) tied.push(hit);
        }
        if (best.length > PRUNED_ABOVE + limit) best = best.sort(compare).slice(0, limit);
      }
    }
    const next = after === undefined ? [] : await hitsBehind(postings, tied, { place: after, ascending });
    return next.concat(best.sort(compare)).slice(0, limit);
  }

  /** The number of hits, counted until there are more than that. */
  async count(max: number): Promise<number> {
    let count = 0;
    if (this.span === undefined) return count;
    for (const window of new Windows(this.span, false)) {
      const buckets = await this.bucketsIn(window);
      const whole = buckets.filter((bucket) => isWithin(bucket, this.span ?? window));
      for await (const { hits } of this.find(whole, [])) for (const { count: some } of hits) count += some;
      const atEdges = buckets.filter((bucket) => !whole.includes(bucket));
      count += (await this.hitsOf(atEdges, this.span, true)).length;
      if (count > max) break;
    }
    return count;
  }

  private async bucketsIn(window: Span): Promise<SummaryBucket[]> {
    const span = { start: startOf("hour", window.start), end: endOf("hour", startOf("hour", window.end - 1)) };
    const buckets = await Buckets.open(this.deps, this.insight, span);
    const read: SummaryBucket[] = [];
    for await (const bucket of buckets.read(span, "day")) read.push(bucket);
    return read;
  }

  private async withHits(buckets: readonly SummaryBucket[]): Promise<SummaryBucket[]> {
    const found: SummaryBucket[] = [];
    for await (const { bucket } of this.find(buckets, [])) found.push(bucket);
    return found;
  }

  private async hitsOf(buckets: readonly SummaryBucket[], span: Span, ascending: boolean): Promise<Hit[]> {
    const hits: Hit[] = [];
    for await (const found of this.find(buckets, ["places"])) {
      const own = Array.from(orderedHits(found, span), ({ id, listedAt }) => ({ id, listedAt }));
      // One by one: a call takes fewer arguments than a large day has hits.
      for (const hit of ascending ? own : own.reverse()) hits.push(hit);
    }
    return hits;
  }

  private find<G extends "places" | "counts">(buckets: readonly SummaryBucket[], groups: readonly G[]) {
    const { collections, signal } = this.deps;
    return findHits(collections, buckets, { conditions: this.filter.conditions, groups, signal });
  }
}

/** A hit, and its number among those of its bucket. */
interface PlacedHit extends RankedHit {
  at: number;
}

/** Hits that are held besides those that are wanted. */
const PRUNED_ABOVE = 2_000;

/** Windows of time from one end of a span to the other, at the bounds of days. */
class Windows {
  private length = WINDOW_MS.first;

  constructor(
    private readonly span: Span,
    private readonly ascending: boolean,
  ) {}

  *[Symbol.iterator](): Generator<Span> {
    let left = this.span;
    while (left.start < left.end) {
      const begin = performance.now();
      const window = this.ascending
        ? { start: left.start, end: Math.min(left.end, startOf("day", left.start + this.length)) }
        : { start: Math.max(left.start, startOf("day", left.end - this.length)), end: left.end };
      yield window;
      left = this.ascending ? { ...left, start: window.end } : { ...left, end: window.start };
      this.adapt(performance.now() - begin);
    }
  }

  private adapt(tookMs: number): void {
    if (tookMs < TOOK_MS.little) this.length = Math.min(WINDOW_MS.max, this.length * FACTOR);
    if (tookMs > TOOK_MS.much) this.length = Math.max(WINDOW_MS.first, this.length / FACTOR);
  }
}

/** The span in which an insight has listed postings. */
async function listedSpan(
  { postings }: Pick<Collections, "postings">,
  { id: insightId }: Pick<InsightRecord, "id">,
): Promise<Span | undefined> {
  const edge = async (direction: 1 | -1) => {
    const filter = { insightId, listedAt: { gte: EARLIEST } };
    const [posting] = await postings.find(filter, { sort: postingOrder("listedAt", direction), limit: 1 });
    return posting?.listedAt ?? undefined;
  };
  const [first, last] = [await edge(1), await edge(-1)];
  return first === undefined || last === undefined ? undefined : { start: first, end: last + 1 };
}

/** What is left of a span after a place. */
function cutAt({ start, end }: Span, after: PostingPlace | undefined, ascending: boolean): Span | undefined {
  if (after === undefined) return { start, end };
  const { listedAt } = after;
  const left = ascending ? { start: Math.max(start, listedAt), end } : { start, end: Math.min(end, listedAt + 1) };
  return left.start < left.end ? left : undefined;
}

function isWithin({ level, start }: SummaryBucket, span: Span): boolean {
  return start >= span.start && endOf(level, start) <= span.end;
}

type Valued = Ranked & Pick<Hit, "listedAt">;

/** Above 0: the one comes after the other. 0: their ids decide. */
function byValue(one: Valued, other: Valued, ascending: boolean): number {
  if (one.value === undefined || other.value === undefined) {
    const unstated = Number(one.value === undefined) - Number(other.value === undefined);
    return unstated || byTime(one, other, ascending);
  }
  const order = compareCounts(one.value, other.value);
  return (ascending ? order : -order) || byTime(one, other, ascending);
}

function compareCounts(one: Count, other: Count): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [left, right] = [BigInt(one), BigInt(other)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function byTime(one: Valued, other: Valued, ascending: boolean): number {
  return ascending ? one.listedAt - other.listedAt : other.listedAt - one.listedAt;
}
