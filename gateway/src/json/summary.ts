import type { MessageInitShape } from "@bufbuild/protobuf";
import { PLATFORM, toPostingJson } from "@hourglass/posting";
import { SummarizeRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import type { Author } from "@hourglass/proto/insight/v1/posting";
import type {
  Breakdown,
  PostingCounts,
  RisenAuthor,
  RisenValue,
  Spike,
  SpikeJudgement,
  Summary,
  SummaryPoint,
  TopAuthors,
  TopValues,
  VoiceShare,
} from "@hourglass/proto/insight/v1/summary";
import { toIso, type ObjectReader, type Violations } from "@hourglass/runtime/json";
import { accepted } from "./field-errors.js";
import { COMPLETENESS, parseId, SPIKE_METRIC, SPIKE_STATUS, SUMMARY_INTERVAL, wholeNumber } from "./fields.js";
import { fromCoverage } from "./insight.js";
import { readFilter } from "./posting.js";

/** The parts of a query string that a summary reads. */
interface SummaryQuery {
  readonly id: bigint;
  readonly fields: ObjectReader;
  /** All values of `platform`. */
  readonly platforms: readonly string[];
  /** The platforms of this server. */
  readonly known: readonly string[];
  /** All values of `compare`. */
  readonly compare: readonly string[];
}

/** Reads what a summary is asked for. */
export function toSummarizeRequest(
  { id, fields, platforms, known, compare }: SummaryQuery,
  violations: Violations,
): MessageInitShape<typeof SummarizeRequestSchema> {
  const interval = fields.optional("interval", SUMMARY_INTERVAL.read);
  const top = fields.optional("top", wholeNumber);
  const request: MessageInitShape<typeof SummarizeRequestSchema> = {
    id,
    filter: readFilter({ fields, platforms, known }, violations),
    compare: compare.map((text, index) => readId(text, `compare[${index}]`, violations)),
    ...(interval === undefined ? {} : { interval }),
    ...(top === undefined ? {} : { top }),
  };
  // The service is not asked about a request of the wrong shape, because it would count; what only it finds is named next.
  return accepted(SummarizeRequestSchema, request, violations);
}

/** Adds a violation for a text that is no id, and returns 1 for it. */
function readId(text: string, field: string, violations: Violations): bigint {
  const id = parseId(text);
  if (id !== undefined) return id;
  violations.push({ field, message: "Give the id of an insight." });
  return 1n;
}

/** What an insight's postings are like in a span of time. */
export function fromSummary(summary: Summary): unknown {
  return {
    start: toIso(summary.start),
    end: toIso(summary.end),
    interval: SUMMARY_INTERVAL.of(summary.interval),
    totals: fromCounts(summary.totals),
    series: summary.series.map(fromPoint),
    top: {
      topics: fromTopValues(summary.topTopics),
      hashtags: fromTopValues(summary.topHashtags),
      authors: fromTopAuthors(summary.topAuthors),
      labels: fromTopValues(summary.topLabels),
      domains: fromTopValues(summary.topDomains),
    },
    coverage: fromCoverage({ platforms: summary.coverage }),
    ...(summary.shareOfVoice.length === 0 ? {} : { share_of_voice: summary.shareOfVoice.map(fromVoice) }),
    spikes: {
      judgements: (summary.spikes?.judgements ?? []).map(fromJudgment),
      spikes: (summary.spikes?.spikes ?? []).map(fromSpike),
    },
  };
}

function fromPoint({ start, end, completeness, counts }: SummaryPoint): unknown {
  return { start: toIso(start), end: toIso(end), completeness: COMPLETENESS.of(completeness), ...fromCounts(counts) };
}

function fromCounts(counts: PostingCounts | undefined) {
  return {
    postings: Number(counts?.postings ?? 0n),
    platforms: fromBreakdown(counts?.platforms),
    sentiments: fromBreakdown(counts?.sentiments),
    polarities: fromBreakdown(counts?.polarities),
    intentions: fromBreakdown(counts?.intentions),
    spam: fromBreakdown(counts?.spam),
    languages: fromBreakdown(counts?.languages),
    countries: fromBreakdown(counts?.countries),
    types: fromBreakdown(counts?.types),
    engagement: (counts?.engagement ?? []).map(({ name, sum, postings }) => ({
      name,
      sum,
      postings: Number(postings),
    })),
  };
}

function fromBreakdown(breakdown: Breakdown | undefined): unknown {
  const values = (breakdown?.values ?? []).map(({ value = null, count }) => ({ value, count: Number(count) }));
  return { values, other: Number(breakdown?.other ?? 0n) };
}

function fromTopValues(top: TopValues | undefined): unknown {
  const values = (top?.values ?? []).map(({ value, count, share }) => ({ value, count: Number(count), share }));
  return { values, ...extentOf(top) };
}

function fromTopAuthors(top: TopAuthors | undefined): unknown {
  const values = (top?.values ?? []).map(({ platform, author, count, share }) => ({
    ...fromAuthor(platform, author),
    count: Number(count),
    share,
  }));
  return { values, ...extentOf(top) };
}

function extentOf(top: TopValues | TopAuthors | undefined) {
  return {
    distinct: Number(top?.distinct ?? 0n),
    error: Number(top?.error ?? 0n),
    distinct_error: Number(top?.distinctError ?? 0n),
  };
}

function fromAuthor(platform: Platform, author: Author | undefined) {
  return {
    platform: PLATFORM.of(platform),
    author_id: author?.authorId ?? null,
    author_username: author?.authorUsername ?? null,
    author_name: author?.authorName ?? null,
  };
}

function fromVoice(voice: VoiceShare): unknown {
  return {
    id: Number(voice.id),
    terms: voice.terms,
    postings: Number(voice.postings),
    posting_share: voice.postingShare,
    authors: Number(voice.authors),
    author_share: voice.authorShare,
    author_error: Number(voice.authorError),
  };
}

function fromJudgment({ platform, metric, status, judged }: SpikeJudgement): unknown {
  return {
    platform: platformOrAll(platform),
    metric: SPIKE_METRIC.of(metric),
    status: SPIKE_STATUS.of(status),
    judged,
  };
}

function fromSpike(spike: Spike): unknown {
  return {
    start: toIso(spike.start),
    end: toIso(spike.end),
    platform: platformOrAll(spike.platform),
    metric: SPIKE_METRIC.of(spike.metric),
    expected: spike.expected,
    seen: spike.seen,
    score: spike.score,
    topics: spike.topics.map(fromRisenValue),
    hashtags: spike.hashtags.map(fromRisenValue),
    authors: spike.authors.map(fromRisenAuthor),
    domains: spike.domains.map(fromRisenValue),
    examined: Number(spike.examined),
    reposts: Number(spike.reposts),
    repeated_texts: Number(spike.repeatedTexts),
    examples: spike.examples.map(toPostingJson),
  };
}

function fromRisenValue({ value, ...rise }: RisenValue): unknown {
  return { value, ...fromRise(rise) };
}

function fromRisenAuthor({ platform, author, ...rise }: RisenAuthor): unknown {
  return { ...fromAuthor(platform, author), ...fromRise(rise) };
}

function fromRise({ count, share, usualShare }: Pick<RisenValue, "count" | "share" | "usualShare">) {
  return { count: Number(count), share, usual_share: usualShare };
}

/** Null: all platforms together. */
function platformOrAll(platform: Platform): string | null {
  return platform === Platform.UNSPECIFIED ? null : PLATFORM.of(platform);
}
