import { AppError, LoopPace } from "@hourglass/runtime";
import { addHits, countedValues } from "../segments/count.js";
import { fits } from "../segments/filter.js";
import { findHits } from "../segments/hits.js";
import { PostingSearch } from "../segments/search.js";
import { postingOrder } from "../store/posting-order.js";
import { type InsightRecord, LIST_KINDS, type PostingRecord, type SummaryBucket } from "../store/records.js";
import { Buckets, type BucketsDeps } from "./buckets.js";
import { DAY_MS, endOf, HOUR_MS, type Span, startOf } from "./periods.js";
import type { SummaryQuery } from "./summary-request.js";
import { addToLists, Counts, type Lists, newLists } from "./tally.js";

/** Values of a list that stay in memory while buckets are merged. */
const MERGED_MAX = 200_000;

/** What a summary counts. */
export interface Overview {
  totals: Counts;
  series: { step: Span; counts: Counts }[];
  lists: Lists;
}

function emptyOverview({ span, interval, calendar }: Pick<SummaryQuery, "span" | "interval" | "calendar">): Overview {
  return {
    totals: new Counts(),
    series: calendar.stepsOf(span, interval).map((step) => ({ step, counts: new Counts() })),
    lists: newLists(MERGED_MAX),
  };
}

/** The counts of the step in which a time lies. */
function countsAt({ series }: Overview, time: number): Counts | undefined {
  let [low, high] = [0, series.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((series[middle]?.step.start ?? Infinity) <= time) low = middle;
    else high = middle;
  }
  return series[low]?.counts;
}

/** What of a series buckets answer, and hours that belong to two steps, or to the span in part. */
interface Parts {
  /** The coarsest buckets of which none belongs to two steps. */
  coarsest: "hour" | "day";
  whole: Span[];
  divided: Span[];
}

function partsOf({ span, interval }: SummaryQuery, { series }: Overview): Parts {
  const edges = [...series.map(({ step }) => step.start), span.end];
  const isWithoutDays = interval === "hour" || edges.slice(1, -1).some((edge) => edge % DAY_MS !== 0);
  const hours = new Set(edges.filter((edge) => edge % HOUR_MS !== 0).map((edge) => startOf("hour", edge)));
  const parts: Parts = { coarsest: isWithoutDays ? "hour" : "day", whole: [], divided: [] };
  let { start } = span;
  for (const hour of hours) {
    if (start < hour) parts.whole.push({ start, end: hour });
    const end = Math.min(span.end, hour + HOUR_MS);
    parts.divided.push({ start: Math.max(span.start, hour), end });
    start = end;
  }
  if (start < span.end) parts.whole.push({ start, end: span.end });
  return parts;
}

function wholeHours({ start, end }: Span): Span {
  return { start: startOf("hour", start), end: endOf("hour", startOf("hour", end - 1)) };
}

/** Adds up the buckets of a span. */
async function countBuckets(deps: BucketsDeps, query: SummaryQuery): Promise<Overview> {
  const { span, platforms, insight } = query;
  const overview = emptyOverview(query);
  const { coarsest, whole, divided } = partsOf(query, overview);
  const buckets = await Buckets.open(deps, insight, wholeHours(span));
  for (const part of whole) {
    for await (const { start, parts } of buckets.read(part, coarsest)) {
      const counts = countsAt(overview, start);
      for (const each of parts) {
        if (platforms?.has(each.platform) === false) continue;
        overview.totals.addPart(each);
        counts?.addPart(each);
      }
    }
  }
  // Divided hours between two steps are whole in this span.
  const inner = { start: whole[0]?.start ?? span.end, end: whole.at(-1)?.end ?? span.start };
  if (inner.start < inner.end) await buckets.addLists(inner, overview.lists, platforms);
  for (const part of divided) {
    const isListed = part.start >= inner.start && part.end <= inner.end;
    await countPostings(deps, query, { part, overview, lists: isListed ? undefined : overview.lists });
  }
  return overview;
}

/** Counts the postings of an hour themselves. */
async function countPostings(
  { collections, signal }: BucketsDeps,
  { insight, filter }: SummaryQuery,
  { part, overview, lists }: { part: Span; overview: Overview; lists: Lists | undefined },
): Promise<void> {
  const fit = fits(filter);
  const pace = new LoopPace();
  const where = { insightId: insight.id, listedAt: { gte: part.start, lt: part.end } };
  for await (const posting of collections.postings.stream(where, { sort: postingOrder("listedAt") })) {
    signal.throwIfAborted();
    await pace.step();
    if (!fit(posting)) continue;
    addPosting(overview, posting);
    if (lists !== undefined) addToLists(lists, posting);
  }
}

function addPosting(overview: Overview, posting: PostingRecord): void {
  overview.totals.add(posting);
  countsAt(overview, posting.postedAt)?.add(posting);
}

/** Counts what a summary is asked for. Throws AppError `invalid` for a query that would have too many postings read. */
export async function countQuery(deps: BucketsDeps, query: SummaryQuery): Promise<Overview> {
  if (query.filter.matches !== undefined) return countMatching(deps, query);
  return query.isFiltered ? countFound(deps, query) : countBuckets(deps, query);
}

/** Counts the hits of a filter by the columns of segments. Rejects if the signal aborts. */
async function countFound(deps: BucketsDeps, query: SummaryQuery): Promise<Overview> {
  const { span, filter, insight } = query;
  const overview = emptyOverview(query);
  const { coarsest, whole, divided } = partsOf(query, overview);
  const buckets = await Buckets.open(deps, insight, wholeHours(span));
  const all: SummaryBucket[] = [];
  for (const part of whole) for await (const bucket of buckets.read(part, coarsest)) all.push(bucket);
  const asked = { conditions: filter.conditions, groups: COUNTED, signal: deps.signal };
  const pace = new LoopPace();
  for await (const { bucket, hits } of findHits(deps.collections, all, asked)) {
    const counts = countsAt(overview, bucket.start);
    for (const each of hits) {
      const counted = countedValues(each);
      overview.totals.addCounted(counted);
      counts?.addCounted(counted);
      addHits(overview.lists, each);
      await pace.step();
    }
  }
  for (const part of divided) await countPostings(deps, query, { part, overview, lists: overview.lists });
  return overview;
}

const COUNTED = ["properties", "counts", ...LIST_KINDS] as const;

/** Postings of which the text is read for one summary: more would take longer than anybody waits. */
const MATCHED_MAX = 50_000;

/** Counts the postings whose text matches a query, which no column answers, yielding to the event loop. */
async function countMatching(deps: BucketsDeps, query: SummaryQuery): Promise<Overview> {
  const filter = { ...query.filter, ...query.span };
  const overview = emptyOverview(query);
  const search = await PostingSearch.open(deps, query.insight, filter);
  if ((await search.count(MATCHED_MAX)) > MATCHED_MAX) {
    const message = `Give a shorter span of time or another filter beside q: it is looked for in at most ${MATCHED_MAX.toLocaleString("en-US")} postings.`;
    throw AppError.invalid([{ field: "filter.q", message }]);
  }
  const fit = fits(filter);
  const pace = new LoopPace();
  for await (const { hits } of search.inOrder({ after: undefined, ascending: true })) {
    for (let from = 0; from < hits.length; from += READ_AT_ONCE) {
      const ids = hits.slice(from, from + READ_AT_ONCE).map(({ id }) => id);
      for (const posting of await deps.collections.postings.find({ id: { in: ids } })) {
        deps.signal.throwIfAborted();
        await pace.step();
        if (!fit(posting)) continue;
        addPosting(overview, posting);
        addToLists(overview.lists, posting);
      }
    }
  }
  return overview;
}

const READ_AT_ONCE = 200;

/** How much is said about an insight, and by how many. */
export interface Voice {
  insight: Pick<InsightRecord, "id" | "terms">;
  postings: number;
  authors: number;
  /** By how much the number of authors may be too low at most. */
  authorError: number;
}

/** The insight of the summary and those to compare it with, in that order; none if there are none to compare with. */
export async function compareVoices(deps: BucketsDeps, query: SummaryQuery, own: Overview): Promise<Voice[]> {
  if (query.others.length === 0) return [];
  const voices = [voiceOf(query.insight, { postings: own.totals.postings, lists: own.lists })];
  for (const insight of query.others) voices.push(await readVoice(deps, { ...query, insight }));
  return voices;
}

async function readVoice(deps: BucketsDeps, query: SummaryQuery): Promise<Voice> {
  const { insight, span, platforms } = query;
  if (query.isFiltered) {
    const { totals, lists } = await countQuery(deps, query);
    return voiceOf(insight, { postings: totals.postings, lists });
  }
  if (wholeHours(span).start !== span.start || wholeHours(span).end !== span.end) {
    const { totals, lists } = await countBuckets(deps, query);
    return voiceOf(insight, { postings: totals.postings, lists });
  }
  const buckets = await Buckets.open(deps, insight, span);
  let postings = 0;
  for await (const { parts } of buckets.read(span, "month")) {
    for (const part of parts) if (platforms?.has(part.platform) ?? true) postings += part.postings;
  }
  const { authors } = newLists();
  await buckets.addLists(span, { authors }, platforms);
  return voiceOf(insight, { postings, lists: { authors } });
}

function voiceOf(
  { id, terms }: InsightRecord,
  { postings, lists: { authors } }: { postings: number; lists: Pick<Overview["lists"], "authors"> },
): Voice {
  return { insight: { id, terms }, postings, authors: authors.size, authorError: authors.dropped };
}
