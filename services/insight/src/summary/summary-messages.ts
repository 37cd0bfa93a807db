import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { PLATFORM } from "@hourglass/posting";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import type { AuthorSchema } from "@hourglass/proto/insight/v1/posting";
import {
  type BreakdownSchema,
  type PostingCountsSchema,
  SpikeMetric,
  type SpikeReportSchema,
  type SpikeSchema,
  SpikeStatus,
  SummaryInterval,
  type SummarySchema,
  type TopAuthorsSchema,
  type TopValuesSchema,
  type VoiceShareSchema,
} from "@hourglass/proto/insight/v1/summary";
import type { CompletenessTimeline, PlatformCoverage } from "../coverage.js";
import { COMPLETENESS, toCoverage, toVersion } from "../messages.js";
import { present, toPosting } from "../postings/posting-message.js";
import type { Collections } from "../store/collections.js";
import type { PlatformName, Property } from "../store/records.js";
import type { InsightVersion } from "../versions.js";
import type { Overview, Voice } from "./overview.js";
import type { Span } from "./periods.js";
import type { Risen, Spike, SpikeReport } from "./spikes.js";
import type { SummaryQuery } from "./summary-request.js";
import { authorOfKey, type Counts } from "./tally.js";
import { byFrequency, type ValueCounts } from "./value-counts.js";

export type SummaryInit = MessageInitShape<typeof SummarySchema>;

interface SummaryParts {
  query: SummaryQuery;
  overview: Overview;
  /** Names the author of a key. */
  nameAuthor: (key: string) => Promise<NamedAuthor>;
  coverage: readonly PlatformCoverage[];
  completeness: CompletenessTimeline;
  voices: readonly Voice[];
  spikes: MessageInitShape<typeof SpikeReportSchema>;
}

const INTERVAL = {
  hour: SummaryInterval.HOUR,
  day: SummaryInterval.DAY,
  week: SummaryInterval.WEEK,
  month: SummaryInterval.MONTH,
} as const;

/** The message of a summary. */
export async function toSummary(parts: SummaryParts): Promise<SummaryInit> {
  const { query, overview, coverage, completeness, voices, spikes } = parts;
  const { totals, lists } = overview;
  const top = (list: ValueCounts) => toTopValues(list, query.top, totals.postings);
  return {
    start: timestampFromMs(query.span.start),
    end: timestampFromMs(query.span.end),
    interval: INTERVAL[query.interval],
    totals: toPostingCounts(totals),
    series: overview.series.map(({ step, counts }) => ({
      start: timestampFromMs(step.start),
      end: timestampFromMs(step.end),
      completeness: COMPLETENESS.numberOf(completeness.during(step)),
      counts: toPostingCounts(counts),
      ...changeIn(step, query.versions),
    })),
    topTopics: top(lists.topics),
    topHashtags: top(lists.hashtags),
    topAuthors: await toTopAuthors(parts),
    topLabels: top(lists.labels),
    topDomains: top(lists.domains),
    coverage: coverage.map(toCoverage),
    shareOfVoice: toVoiceShares(voices),
    spikes,
    counted: query.isFiltered,
    timeZone: query.calendar.zone,
    versions: versionsIn(query).map(toVersion),
  };
}

/** The latest version that began in a step by a change. */
function changeIn({ start, end }: Span, versions: readonly InsightVersion[]): { version?: number } {
  const latest = versions.findLast(({ version, at }) => version > 1 && at >= start && at < end);
  return latest === undefined ? {} : { version: latest.version };
}

/** Those that were in force in the span; the first one also before it began. */
function versionsIn({ span, versions }: SummaryQuery): InsightVersion[] {
  return versions.filter(({ at }, index) => {
    const until = versions[index + 1]?.at ?? Infinity;
    return (at < span.end || index === 0) && until > span.start;
  });
}

function toTopValues(list: ValueCounts, length: number, postings: number): MessageInitShape<typeof TopValuesSchema> {
  const values = list
    .top(length)
    .map(([value, count]) => ({ value: list.spellingOf(value), ...frequency(count, postings) }));
  return { values, ...extentOf(list) };
}

async function toTopAuthors({
  query,
  overview: { lists, totals },
  nameAuthor,
}: SummaryParts): Promise<MessageInitShape<typeof TopAuthorsSchema>> {
  const top = lists.authors.top(query.top);
  const values = await Promise.all(
    top.map(async ([key, count]) => {
      const author = await nameAuthor(lists.authors.spellingOf(key));
      return { ...author, ...frequency(count, totals.postings) };
    }),
  );
  return { values, ...extentOf(lists.authors) };
}

function frequency(count: number, postings: number): { count: bigint; share: number } {
  return { count: BigInt(count), share: shareOf(count, postings) };
}

function extentOf({ size, error, dropped }: ValueCounts): { distinct: bigint; error: bigint; distinctError: bigint } {
  return { distinct: BigInt(size), error: BigInt(error), distinctError: BigInt(dropped) };
}

function toVoiceShares(voices: readonly Voice[]): MessageInitShape<typeof VoiceShareSchema>[] {
  const postings = voices.reduce((sum, voice) => sum + voice.postings, 0);
  const authors = voices.reduce((sum, voice) => sum + voice.authors, 0);
  return voices.map((voice) => ({
    id: BigInt(voice.insight.id),
    terms: voice.insight.terms,
    postings: BigInt(voice.postings),
    postingShare: shareOf(voice.postings, postings),
    authors: BigInt(voice.authors),
    authorShare: shareOf(voice.authors, authors),
    authorError: BigInt(voice.authorError),
  }));
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Values of a property that are distinguished: all sentiments, and postings without one. */
const VALUES_MAX = 21;

/** The message of counts. */
function toPostingCounts(counts: Counts): MessageInitShape<typeof PostingCountsSchema> {
  const of = (property: Property) => toBreakdown(counts.properties[property], counts.postings);
  return {
    postings: BigInt(counts.postings),
    platforms: toBreakdown(counts.platforms, counts.postings),
    sentiments: of("sentiment"),
    polarities: of("polarity"),
    intentions: of("intention"),
    spam: of("spam"),
    languages: of("language"),
    countries: of("country"),
    types: of("type"),
    engagement: [...counts.engagement]
      .sort(([name], [other]) => (name < other ? -1 : 1))
      .map(([name, { sum, postings }]) => ({ name, sum: sum.toString(), postings: BigInt(postings) })),
  };
}

function toBreakdown(counts: Iterable<[string, number]>, postings: number): MessageInitShape<typeof BreakdownSchema> {
  const shown = [...counts].sort(byFrequency).slice(0, VALUES_MAX);
  const other = shown.reduce((left, [, count]) => left - count, postings);
  return {
    values: shown.map(([value, count]) => ({ ...(value !== "" && { value }), count: BigInt(count) })),
    other: BigInt(other),
  };
}

const METRIC = { postings: SpikeMetric.POSTINGS, negative_share: SpikeMetric.NEGATIVE_SHARE } as const;
const STATUS = {
  judged: SpikeStatus.JUDGED,
  not_enough_history: SpikeStatus.NOT_ENOUGH_HISTORY,
  incomplete: SpikeStatus.INCOMPLETE,
  query_changed: SpikeStatus.QUERY_CHANGED,
  filtered: SpikeStatus.FILTERED,
} as const;

interface SpikeContext {
  /** Those of the insight. */
  terms: string;
  /** Names the author of a key. */
  nameAuthor: (key: string) => Promise<NamedAuthor>;
}

/** The message of spikes. */
export async function toSpikeReport(
  { judgements, spikes }: SpikeReport,
  context: SpikeContext,
): Promise<MessageInitShape<typeof SpikeReportSchema>> {
  return {
    judgements: judgements.map(({ platform, metric, status, judged, needs }) => ({
      platform: numberOf(platform),
      metric: METRIC[metric],
      status: STATUS[status],
      judged,
      ...(needs !== undefined && { needs }),
    })),
    spikes: await Promise.all(spikes.map((spike) => toSpike(spike, context))),
  };
}

async function toSpike(
  spike: Spike,
  { terms, nameAuthor }: SpikeContext,
): Promise<MessageInitShape<typeof SpikeSchema>> {
  const { topics, hashtags, authors, domains } = spike.risen;
  return {
    start: timestampFromMs(spike.step.start),
    end: timestampFromMs(spike.end),
    platform: numberOf(spike.platform),
    metric: METRIC[spike.metric],
    expected: spike.expected,
    seen: spike.seen,
    score: spike.score,
    topics: topics.map(toRisen),
    hashtags: hashtags.map(toRisen),
    authors: await Promise.all(
      authors.map(async (author) => ({ ...(await nameAuthor(author.spelling)), ...riseOf(author) })),
    ),
    domains: domains.map(toRisen),
    examined: BigInt(spike.examined),
    reposts: BigInt(spike.reposts),
    repeatedTexts: BigInt(spike.repeatedTexts),
    examples: spike.examples.map((posting) => toPosting(posting, { terms })),
  };
}

function toRisen(risen: Risen) {
  return { value: risen.spelling, ...riseOf(risen) };
}

function riseOf({ count, share, usualShare }: Risen) {
  return { count: BigInt(count), share, usualShare };
}

function numberOf(platform: PlatformName | undefined): Platform {
  return platform === undefined ? Platform.UNSPECIFIED : PLATFORM.numberOf(platform);
}

/** An author as a list names it. */
interface NamedAuthor {
  platform: Platform;
  author: MessageInitShape<typeof AuthorSchema>;
}

/** The author of a key; the names of one with an id are those of one of the postings. */
export async function nameAuthor(
  postings: Collections["postings"],
  companyId: number,
  key: string,
): Promise<NamedAuthor> {
  const { platform, names: known } = authorOfKey(key);
  const author = known.id === undefined ? known : await namesOf(postings, { companyId, platform, authorId: known.id });
  const { id = known.id, username, name } = author;
  const names = present({ authorId: id, authorUsername: username, authorName: name });
  return { platform: PLATFORM.numberOf(platform), author: names };
}

async function namesOf(
  postings: Collections["postings"],
  by: { companyId: number; platform: string; authorId: string },
): Promise<{ id?: string; username?: string; name?: string }> {
  const [posting] = await postings.find(by, { limit: 1 });
  return posting?.content.author ?? {};
}
