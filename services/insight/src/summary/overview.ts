import { LoopPace } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import type { InsightRecord } from "../store/records.js";
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
export async function countBuckets(buckets: Buckets, query: SummaryQuery): Promise<Overview> {
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

/**
 * Counts the postings of a span themselves, yielding to the event loop, in memory that does not depend on their number,
 * for filters that no bucket has counted. Rejects if the signal aborts.
 */
export async function countPostings(
  { postings }: Pick<Collections, "postings">,
  query: SummaryQuery,
  signal: AbortSignal,
): Promise<Overview> {
  const { insight, span, interval, platforms, fits } = query;
  const overview = emptyOverview(query);
  const pace = new LoopPace();
  const listedAt = { gte: span.start, lt: span.end };
  for await (const posting of postings.stream({ insightId: insight.id, listedAt }, { sort: [["listedAt", 1]] })) {
    signal.throwIfAborted();
    await pace.step();
    if (platforms?.has(posting.platform) === false || fits?.(posting) === false) continue;
    overview.totals.add(posting);
    overview.series[stepOf(posting.postedAt, span, interval)]?.counts.add(posting);
    addToLists(overview.lists, posting);
  }
  return overview;
}

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
  if (query.fits !== undefined) {
    const { totals, lists } = await countPostings(deps.collections, query, deps.signal);
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
