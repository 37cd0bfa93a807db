import { foldName } from "@hourglass/runtime/text";
import { CompletenessTimeline, readCoverage } from "../coverage.js";
import type { Collections } from "../store/collections.js";
import { postingOrder } from "../store/posting-order.js";
import {
  type ListKind,
  type PlatformName,
  platformsOf,
  type PostingRecord,
  type SummaryPart,
} from "../store/records.js";
import type { InsightVersion } from "../versions.js";
import { Buckets, type BucketsDeps } from "./buckets.js";
import { DAY_MS, type Span, startOf, unitOf, unitsOf } from "./periods.js";
import { type Detection, detectSpikes, HISTORY_MS, type Metric, type Step, type Unusual } from "./spike-detection.js";
import type { SummaryQuery } from "./summary-request.js";
import { listedOf, newLists, propertiesOf } from "./tally.js";
import { bareValue, type ValueCounts } from "./value-counts.js";

interface SpikesDeps extends BucketsDeps {
  collections: BucketsDeps["collections"] & Pick<Collections, "searches">;
}

/** What was judged, and what was found. */
export interface SpikeReport {
  judgements: {
    /** Undefined: all together. */
    platform: PlatformName | undefined;
    metric: Metric;
    status: Detection["status"] | "filtered";
    judged: number;
    /** As that of a `Detection`. */
    needs?: string;
  }[];
  /** Oldest first. */
  spikes: Spike[];
}

export interface Spike extends Unusual, Explanation {
  platform: PlatformName | undefined;
  metric: Metric;
  /** End of its step. */
  end: number;
}

const SPIKES_MAX = 10;
const METRICS: readonly Metric[] = ["postings", "negative_share"];

/** The series of one platform or of all. */
interface Series {
  platform: PlatformName | undefined;
  steps: Step[];
}

/** Judges the hours or days of a summary by those before them, and explains the strongest spikes. */
export async function findSpikes(deps: SpikesDeps, query: SummaryQuery): Promise<SpikeReport> {
  const unit = query.interval === "hour" ? "hour" : "day";
  const from = query.span.start;
  const wider = {
    ...query,
    interval: unit,
    span: { ...query.span, start: startOf("day", from) - HISTORY_MS[unit] },
  } as const;
  if (query.isFiltered) return { judgements: METRICS.map(notJudged), spikes: [] };
  const buckets = await Buckets.open(deps, query.insight, wider.span);
  const results = (await readSeries(deps, buckets, wider)).flatMap(({ platform, steps }) =>
    METRICS.map((metric) => ({ platform, metric, ...detectSpikes(steps, { from, unit, metric }) })),
  );
  const found = results.flatMap(({ platform, metric, unusual }) =>
    unusual.map((each) => ({ ...each, platform, metric })),
  );
  const strongest = found.sort((one, other) => other.score - one.score).slice(0, SPIKES_MAX);
  const spikes: Spike[] = [];
  for (const each of strongest.sort((one, other) => one.step.start - other.step.start)) {
    const span = unitsOf({ start: each.step.start, end: wider.span.end }, unit)[0] ?? wider.span;
    const platforms = each.platform === undefined ? query.platforms : new Set([each.platform]);
    const scope = { insightId: query.insight.id, span, platforms, metric: each.metric };
    spikes.push({ ...each, end: span.end, ...(await explain(buckets, deps.collections, scope)) });
  }
  return { judgements: results, spikes };
}

function notJudged(metric: Metric): SpikeReport["judgements"][number] {
  const needs = "no filters but platforms and days";
  return { platform: undefined, metric, status: "filtered", judged: 0, needs };
}

/** The series of all platforms together, and of each if there are several. */
async function readSeries(
  deps: SpikesDeps,
  buckets: Buckets,
  query: SummaryQuery & { interval: "hour" | "day" },
): Promise<Series[]> {
  const { span, interval, insight } = query;
  const wanted = platformsOf(insight).filter((platform) => query.platforms?.has(platform) ?? true);
  const steps = unitsOf(span, interval);
  const series = new Map(
    [undefined, ...(wanted.length > 1 ? wanted : [])].map((platform) => [
      platform,
      steps.map(({ start }) => emptyStep(start)),
    ]),
  );
  const seen = new Set<PlatformName>();
  for await (const { start, parts } of buckets.read(span, interval)) {
    for (const part of parts) {
      if (!(query.platforms?.has(part.platform) ?? true)) continue;
      seen.add(part.platform);
      for (const platform of [undefined, part.platform]) {
        const step = series.get(platform)?.[unitOf(start, span, interval)];
        if (step !== undefined) addPart(step, part);
      }
    }
  }
  const coverage = await readCoverage({ searches: deps.collections.searches, now: deps.now }, insight, span);
  const completeness = new CompletenessTimeline(
    coverage.filter(({ platform }) => wanted.includes(platform)),
    seen,
  );
  return [...series].map(([platform, all]) => ({
    platform,
    steps: all.map((step, index) => {
      const during = steps[index] ?? span;
      const { askedSince, isMixed } = queryDuring(during, query.versions);
      return {
        ...step,
        ...(askedSince !== undefined && { askedSince }),
        isComplete: !isMixed && completeness.during(during, platform) === "complete",
      };
    }),
  }));
}

/** When the query of a step began by a change, and whether it was changed within the step. */
function queryDuring(
  { start, end }: Span,
  versions: readonly InsightVersion[],
): { askedSince: number | undefined; isMixed: boolean } {
  const changes = versions.flatMap(({ version, at }) => (version === 1 ? [] : [at]));
  return {
    askedSince: changes.findLast((at) => at <= start),
    isMixed: changes.some((at) => at > start && at < end),
  };
}

function emptyStep(start: number): Step {
  return { start, postings: 0, rated: 0, negative: 0, isComplete: false };
}

function addPart(step: Step, { postings, properties: { polarity } }: SummaryPart): void {
  step.postings += postings;
  for (const [value, count] of polarity) {
    if (value !== "") step.rated += count;
    if (value === "negative") step.negative += count;
  }
}

/** What a spike consists of. */
interface Explanation {
  risen: Record<"topics" | "hashtags" | "authors" | "domains", Risen[]>;
  /** Postings that were read for the following. */
  examined: number;
  reposts: number;
  repeatedTexts: number;
  examples: PostingRecord[];
}

/** A value whose share of the postings is larger than it was before. */
export interface Risen {
  /** As it is compared. */
  value: string;
  /** The most frequent one. */
  spelling: string;
  count: number;
  share: number;
  usualShare: number;
}

interface SpikeScope {
  insightId: number;
  span: Span;
  platforms: ReadonlySet<PlatformName> | undefined;
  metric: Metric;
}

/** Time before a spike whose shares are the usual ones: every weekday once. */
const USUAL_MS = 7 * DAY_MS;
const RISEN_MAX = 5;
const RISEN_COUNT_MIN = 3;
const EXAMINED_MAX = 500;
const EXAMPLES_MAX = 3;

const LINK_OR_MENTION = /https?:\/\/\S+|[@＠][\p{L}\p{N}_.-]+/giu;

/** Tells what rose in a spike against the week before. The buckets reach back so far. */
async function explain(
  buckets: Buckets,
  { postings }: Pick<Collections, "postings">,
  scope: SpikeScope,
): Promise<Explanation> {
  const { span, platforms } = scope;
  const [now, before] = [newLists(), newLists()];
  const earlier = { start: span.start - USUAL_MS, end: span.start };
  await buckets.addLists(span, now, platforms);
  await buckets.addLists(earlier, before, platforms);
  const sizes = { now: await sizeOf(buckets, span, platforms), before: await sizeOf(buckets, earlier, platforms) };
  const of = (kind: ListKind) => risenIn(now[kind], before[kind], sizes);
  const risen = { topics: of("topics"), hashtags: of("hashtags"), authors: of("authors"), domains: of("domains") };
  return { risen, ...(await examine(postings, scope, risen)) };
}

async function sizeOf(buckets: Buckets, span: Span, platforms: SpikeScope["platforms"]): Promise<number> {
  let size = 0;
  for await (const { parts } of buckets.read(span, "day")) {
    for (const part of parts) if (platforms?.has(part.platform) ?? true) size += part.postings;
  }
  return size;
}

function risenIn(now: ValueCounts, before: ValueCounts, sizes: { now: number; before: number }): Risen[] {
  const all = [...now].filter(([, count]) => count >= RISEN_COUNT_MIN);
  return all
    .map(([value, count]) => {
      const usualShare = sizes.before === 0 ? 0 : before.get(value) / sizes.before;
      return { value, spelling: now.spellingOf(value), count, share: count / sizes.now, usualShare };
    })
    .filter(({ share, usualShare }) => share > usualShare)
    .sort(
      (one, other) =>
        other.share - other.usualShare - (one.share - one.usualShare) || (one.value < other.value ? -1 : 1),
    )
    .slice(0, RISEN_MAX);
}

type Examined = Pick<Explanation, "examined" | "reposts" | "repeatedTexts" | "examples">;

/** Reads postings of the spike, as many as are read for one. */
async function examine(
  postings: Collections["postings"],
  { insightId, span, platforms, metric }: SpikeScope,
  risen: Explanation["risen"],
): Promise<Examined> {
  const found: Examined = { examined: 0, reposts: 0, repeatedTexts: 0, examples: [] };
  const texts = new Set<string>();
  const candidates: { posting: PostingRecord; fit: number }[] = [];
  const listedAt = { gte: span.start, lt: span.end };
  const options = { sort: postingOrder("listedAt"), limit: EXAMINED_MAX } as const;
  for await (const posting of postings.stream({ insightId, listedAt }, options)) {
    if (platforms?.has(posting.platform) === false) continue;
    found.examined += 1;
    const text = bareText(posting);
    if (posting.content.type === "repost") found.reposts += 1;
    else if (texts.has(text)) found.repeatedTexts += 1;
    else if (metric === "postings" || propertiesOf(posting).polarity === "negative") {
      candidates.push({ posting, fit: fitOf(posting, risen) });
    }
    if (text !== "") texts.add(text);
  }
  const best = candidates.sort((one, other) => other.fit - one.fit).slice(0, EXAMPLES_MAX);
  return { ...found, examples: best.map(({ posting }) => posting) };
}

/** The text without links and mentions, as it is compared. */
function bareText({ content: { text = "" } }: PostingRecord): string {
  return foldName(text.replace(LINK_OR_MENTION, " "));
}

/** How much of what rose is in a posting. */
function fitOf(posting: PostingRecord, { topics, hashtags, domains }: Explanation["risen"]): number {
  const listed = listedOf(posting);
  const has = (kind: "topics" | "hashtags" | "domains", values: readonly Risen[]) => {
    const own = listed[kind].map(bareValue);
    return values.filter(({ value }) => own.includes(value)).length;
  };
  return has("topics", topics) + has("hashtags", hashtags) + has("domains", domains);
}
