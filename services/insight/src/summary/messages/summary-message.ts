import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type SpikeReportSchema,
  SummaryInterval,
  type SummarySchema,
  type TopAuthorsSchema,
  type TopValuesSchema,
  type VoiceShareSchema,
} from "@hourglass/proto/insight/v1/summary";
import type { CompletenessTimeline, PlatformCoverage } from "../../coverage.js";
import { toCoverage } from "../../messages/coverage-messages.js";
import { COMPLETENESS } from "../../messages/names.js";
import type { ValueCounts } from "../counting/value-counts.js";
import type { NamedAuthor } from "../reading/author-names.js";
import type { Overview } from "../reading/overview.js";
import type { Question } from "../reading/read-request.js";
import type { Voice } from "../reading/share-of-voice.js";
import { toPostingCounts } from "./counts-message.js";

export type SummaryInit = MessageInitShape<typeof SummarySchema>;

export interface SummaryParts {
  question: Question;
  overview: Overview;
  /** Names the author of a key. */
  nameAuthor: (key: string) => Promise<NamedAuthor>;
  coverage: readonly PlatformCoverage[];
  completeness: CompletenessTimeline;
  voices: readonly Voice[];
  spikes: MessageInitShape<typeof SpikeReportSchema>;
}

const INTERVAL = { hour: SummaryInterval.HOUR, day: SummaryInterval.DAY, week: SummaryInterval.WEEK } as const;

/** The message of a summary. */
export async function toSummary(parts: SummaryParts): Promise<SummaryInit> {
  const { question, overview, coverage, completeness, voices, spikes } = parts;
  const { totals, lists } = overview;
  const top = (list: ValueCounts) => toTopValues(list, question.top, totals.postings);
  return {
    start: timestampFromMs(question.span.start),
    end: timestampFromMs(question.span.end),
    interval: INTERVAL[question.interval],
    totals: toPostingCounts(totals),
    series: overview.series.map(({ step, counts }) => ({
      start: timestampFromMs(step.start),
      end: timestampFromMs(step.end),
      completeness: COMPLETENESS.numberOf(completeness.during(step)),
      counts: toPostingCounts(counts),
    })),
    topTopics: top(lists.topics),
    topHashtags: top(lists.hashtags),
    topAuthors: await toTopAuthors(parts),
    topLabels: top(lists.labels),
    topDomains: top(lists.domains),
    coverage: coverage.map(toCoverage),
    shareOfVoice: toVoiceShares(voices),
    spikes,
  };
}

function toTopValues(list: ValueCounts, length: number, postings: number): MessageInitShape<typeof TopValuesSchema> {
  const values = list.top(length).map(([value, count]) => ({ value, ...frequency(count, postings) }));
  return { values, ...extentOf(list) };
}

async function toTopAuthors({
  question,
  overview: { lists, totals },
  nameAuthor,
}: SummaryParts): Promise<MessageInitShape<typeof TopAuthorsSchema>> {
  const top = lists.authors.top(question.top);
  const values = await Promise.all(
    top.map(async ([key, count]) => ({ ...(await nameAuthor(key)), ...frequency(count, totals.postings) })),
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
