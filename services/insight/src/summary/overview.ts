import { AppError, LoopPace } from "@hourglass/runtime";
import { addHits, countedValues } from "../segments/count.js";
import { fits } from "../segments/filter.js";
import { findHits } from "../segments/hits.js";
import { PostingSearch } from "../segments/search.js";
import { type InsightRecord, LIST_KINDS, type SummaryBucket } from "../store/records.js";
import { Buckets, type BucketsDeps } from "./buckets.js";
import { type Span, stepOf, stepsOf } from "./periods.js";
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

function emptyOverview({ span, interval }: Pick<SummaryQuery, "span" | "interval">): Overview {
  return {
    totals: new Counts(),
    series: stepsOf(span, interval).map((step) => ({ step, counts: new Counts() })),
    lists: newLists(MERGED_MAX),
  };
}

/** Adds up the buckets of a span. */
async function countBuckets(buckets: Buckets, query: SummaryQuery): Promise<Overview> {
  const { span, interval, platforms } = query;
  const overview = emptyOverview(query);
  for await (const { start, parts } of buckets.read(span, interval === "hour" ? "hour" : "day")) {
    const step = overview.series[stepOf(start, span, interval)];
    for (const part of parts) {
      if (platforms?.has(part.platform) === false) continue;
      overview.totals.addPart(part);
      step?.counts.addPart(part);
    }
  }
  await buckets.addLists(span, overview.lists, platforms);
  return overview;
}

/** Counts what a summary is asked for. Throws AppError `invalid` for a query that would have too many postings read. */
export async function countQuery(deps: BucketsDeps, query: SummaryQuery): Promise<Overview> {
  if (query.filter.matches !== undefined) return countMatching(deps, query);
  const buckets = await Buckets.open(deps, query.insight, query.span);
  return query.isFiltered ? countFound(deps, buckets, query) : countBuckets(buckets, query);
}

/** Counts the hits of a filter by the columns of segments. Rejects if the signal aborts. */
async function countFound(deps: BucketsDeps, buckets: Buckets, query: SummaryQuery): Promise<Overview> {
  const { span, interval, filter } = query;
  const overview = emptyOverview(query);
  const all: SummaryBucket[] = [];
  for await (const bucket of buckets.read(span, interval === "hour" ? "hour" : "day")) all.push(bucket);
  const asked = { conditions: filter.conditions, groups: COUNTED, signal: deps.signal };
  const pace = new LoopPace();
  for await (const { bucket, hits } of findHits(deps.collections, all, asked)) {
    const step = overview.series[stepOf(bucket.start, span, interval)];
    for (const each of hits) {
      const counted = countedValues(each);
      overview.totals.addCounted(counted);
      step?.counts.addCounted(counted);
      addHits(overview.lists, each);
      await pace.step();
    }
  }
  return overview;
}

const COUNTED = ["properties", "counts", ...LIST_KINDS] as const;

/** Postings of which the text is read for one summary: more would take longer than anybody waits. */
const MATCHED_MAX = 50_000;

/** Counts the postings whose text matches a query, which no column answers, yielding to the event loop. */
async function countMatching(deps: BucketsDeps, query: SummaryQuery): Promise<Overview> {
  const { span, interval } = query;
  const filter = { ...query.filter, ...span };
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
        overview.totals.add(posting);
        overview.series[stepOf(posting.postedAt, span, interval)]?.counts.add(posting);
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
