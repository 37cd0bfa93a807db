import { SPIKE_METRIC, SPIKE_STATUS, SUMMARY_INTERVAL } from "../json/fields.js";
import { array, enumeration, integer, moment, nullable, number, object, ref, string, type Schema } from "./schema.js";

const total = (description: string) => integer(description, { format: "int64", minimum: 0 });
const share = (description: string) => number(description, { minimum: 0, maximum: 1 });
const ofPostings = share("Of all postings of the summary.");

const counts: Readonly<Record<string, Schema>> = {
  postings: total("Analyzed postings."),
  platforms: ref("Breakdown"),
  sentiments: ref("Breakdown"),
  polarities: ref("Breakdown"),
  intentions: ref("Breakdown"),
  spam: ref("Breakdown"),
  languages: ref("Breakdown"),
  countries: ref("Breakdown"),
  types: ref("Breakdown"),
  engagement: array(ref("EngagementSum")),
};

const author: Readonly<Record<string, Schema>> = {
  platform: ref("Platform"),
  author_id: nullable(string()),
  author_username: nullable(string()),
  author_name: nullable(string()),
};

const rise: Readonly<Record<string, Schema>> = {
  count: total("Postings of the spike with it."),
  share: share("Of the postings of the spike."),
  usual_share: share("Of the postings of the week before."),
};

const top = (entry: string) =>
  object({
    values: array(ref(entry), { description: "Most frequent first." }),
    distinct: total("Different values; at least so many if `distinct_error` is not 0."),
    error: total("By how much a count may be too low at most; 0: all counts are exact."),
    distinct_error: total("By how much `distinct` may be too low at most."),
  });

const platformOrAll = nullable({ ...ref("Platform"), description: "Null: all platforms together." });

/** Schemas of summaries. */
export const SUMMARY_SCHEMAS: Readonly<Record<string, Schema>> = {
  SummaryInterval: enumeration(SUMMARY_INTERVAL.names, "Length of the steps of the series; weeks begin on Mondays."),
  Summary: object(
    {
      start: moment("Inclusive."),
      end: moment("Exclusive."),
      interval: ref("SummaryInterval"),
      totals: ref("PostingCounts"),
      series: array(ref("SummaryPoint"), { description: "Every step, also those without postings." }),
      top: ref("TopLists"),
      coverage: ref("Coverage"),
      share_of_voice: array(ref("VoiceShare"), { description: "Only with `compare`." }),
      spikes: ref("SpikeReport"),
    },
    { optional: ["share_of_voice"] },
  ),
  TopLists: object({
    topics: ref("TopValues"),
    hashtags: ref("TopValues"),
    authors: ref("TopAuthors"),
    labels: ref("TopValues"),
    domains: ref("TopValues"),
  }),
  PostingCounts: object(counts),
  SummaryPoint: object({
    start: moment("Inclusive."),
    end: moment("Exclusive."),
    completeness: ref("Completeness"),
    ...counts,
  }),
  Breakdown: object({
    values: array(ref("ValueCount"), { description: "Most frequent first." }),
    other: total("Postings with further, rarer values."),
  }),
  ValueCount: object({ value: nullable(string("Null: the postings without a value.")), count: total("Postings.") }),
  EngagementSum: object({
    name: string("Such as `like_count`."),
    sum: string("A whole number of any size.", { pattern: "^-?[0-9]+$" }),
    postings: total("Postings that state this count."),
  }),
  TopValues: top("TopValue"),
  TopAuthors: top("TopAuthor"),
  TopValue: object({ value: string(), count: total("Postings with this value."), share: ofPostings }),
  TopAuthor: object({ ...author, count: total("Postings of this author."), share: ofPostings }),
  VoiceShare: object({
    id: integer("Id of the insight.", { format: "int64" }),
    terms: string("Its subject terms."),
    postings: total("Its postings."),
    posting_share: share("Of the postings of all compared insights."),
    authors: total("Different authors of its postings."),
    author_share: share("Of the sum of their authors."),
    author_error: total("By how much `authors` may be too low at most."),
  }),
  SpikeMetric: enumeration(
    SPIKE_METRIC.names,
    "`negative_share`: of negative emotions in the postings with an emotion.",
  ),
  SpikeStatus: enumeration(
    SPIKE_STATUS.names,
    "`not_enough_history`: fewer than 14 days before were collected completely; `incomplete`: no step was collected " +
      "completely; `filtered`: only filters by platform and days are judged.",
  ),
  SpikeReport: object({ judgements: array(ref("SpikeJudgement")), spikes: array(ref("Spike")) }),
  SpikeJudgement: object({
    platform: platformOrAll,
    metric: ref("SpikeMetric"),
    status: ref("SpikeStatus"),
    judged: integer("Steps that were judged.", { minimum: 0 }),
  }),
  Spike: object({
    start: moment("Inclusive."),
    end: moment("Exclusive."),
    platform: platformOrAll,
    metric: ref("SpikeMetric"),
    expected: number("What is usual at that hour and weekday."),
    seen: number("What there was."),
    score: number("Distance of the two, in robust standard deviations."),
    topics: array(ref("RisenValue")),
    hashtags: array(ref("RisenValue")),
    authors: array(ref("RisenAuthor")),
    domains: array(ref("RisenValue")),
    examined: total("Postings that were looked at for reposts, repeated texts and examples."),
    reposts: total("Of these, reposts."),
    repeated_texts: total("Of these, other ones that repeat a text, apart from links, mentions and case."),
    examples: array(ref("Posting"), { maxItems: 3 }),
  }),
  RisenValue: object({ value: string(), ...rise }),
  RisenAuthor: object({ ...author, ...rise }),
};
