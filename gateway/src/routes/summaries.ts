import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { toPostingJson } from "@hourglass/posting";
import {
  GetCoverageResponseSchema,
  SummarizeRequestSchema,
  type PostingFilterSchema,
} from "@hourglass/proto/insight/v1/insight_service";
import {
  BreakdownSchema,
  EngagementSumSchema,
  PostingCountsSchema,
  RisenAuthorSchema,
  RisenValueSchema,
  SpikeJudgementSchema,
  SpikeMetricSchema,
  SpikeReportSchema,
  SpikeSchema,
  SpikeStatusSchema,
  SummaryIntervalSchema,
  SummaryPointSchema,
  SummarySchema,
  TopAuthorSchema,
  TopAuthorsSchema,
  TopValueSchema,
  TopValuesSchema,
  ValueCountSchema,
  VoiceShareSchema,
  type Spike,
  type Summary,
} from "@hourglass/proto/insight/v1/summary";
import { AppError } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import type { RevisedResponses } from "../http/response-cache.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aRecord, json } from "./answers.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import { Completeness, Coverage, INSIGHTS, Platform, writeCoverage } from "./platforms.js";
import { filterDays, filterParameters, Posting } from "./postings.js";
import {
  from,
  integer,
  list,
  moment,
  nullable,
  number,
  optional,
  recordId,
  request,
  response,
  spelled,
  text,
  total,
  withKeywords,
  type Shape,
} from "./schema.js";
import { SUMMARY_EXAMPLE } from "./summary-example.js";

const share = (description: string) => number(description, { minimum: 0, maximum: 1 });
const ofPostings = share("Of all postings of the summary.");

const Breakdown = response("Breakdown", BreakdownSchema, {
  values: list(
    response("ValueCount", ValueCountSchema, {
      value: nullable(text("Null: the postings without a value.")),
      count: total("Postings."),
    }),
    { description: "Most frequent first." },
  ),
  other: total("Postings with further, rarer values."),
});

const EngagementSum = response("EngagementSum", EngagementSumSchema, {
  name: text("Such as `like_count`."),
  sum: text("A whole number of any size.", { pattern: "^-?[0-9]+$" }),
  postings: total("Postings that state this count."),
});

const BROKEN_DOWN = ["platforms", "sentiments", "polarities", "intentions", "spam", "languages", "countries", "types"];

/** The counts, which a message has in the field whose path is given. */
function counts(path: "" | "counts."): Shape {
  return {
    postings: from(`${path}postings`, total("Analyzed postings.")),
    ...Object.fromEntries(BROKEN_DOWN.map((name) => [name, from(path + name, Breakdown)])),
    engagement: from(`${path}engagement`, list(EngagementSum)),
  };
}

const SPAN = { start: moment("Inclusive."), end: moment("Exclusive.") };

const SummaryPoint = response("SummaryPoint", SummaryPointSchema, {
  ...SPAN,
  completeness: Completeness,
  ...counts("counts."),
});

const AUTHOR: Shape = {
  platform: Platform,
  author_id: from("author.author_id", nullable(text())),
  author_username: from("author.author_username", nullable(text())),
  author_name: from("author.author_name", nullable(text())),
};

const EXTENT = {
  distinct: total("Different values; at least so many if `distinct_error` is not 0."),
  error: total("By how much a count may be too low at most; 0: all counts are exact."),
  distinct_error: total("By how much `distinct` may be too low at most."),
};
const frequent = { description: "Most frequent first." };

const TopValue = response("TopValue", TopValueSchema, {
  value: text(),
  count: total("Postings with this value."),
  share: ofPostings,
});
const TopValues = response("TopValues", TopValuesSchema, { values: list(TopValue, frequent), ...EXTENT });
const TopAuthor = response("TopAuthor", TopAuthorSchema, {
  ...AUTHOR,
  count: total("Postings of this author."),
  share: ofPostings,
});
const TopAuthors = response("TopAuthors", TopAuthorsSchema, { values: list(TopAuthor, frequent), ...EXTENT });

const TopLists = response("TopLists", SummarySchema, {
  topics: from("top_topics", TopValues),
  hashtags: from("top_hashtags", TopValues),
  authors: from("top_authors", TopAuthors),
  labels: from("top_labels", TopValues),
  domains: from("top_domains", TopValues),
});

const VoiceShare = response("VoiceShare", VoiceShareSchema, {
  id: integer("Id of the insight.", { format: "int64" }),
  terms: text("Its subject terms."),
  postings: total("Its postings."),
  posting_share: share("Of the postings of all compared insights."),
  authors: total("Different authors of its postings."),
  author_share: share("Of the sum of their authors."),
  author_error: total("By how much `authors` may be too low at most."),
});

const SpikeMetric = spelled(
  new Spelling(SpikeMetricSchema, "_"),
  "`negative_share`: of negative emotions in the postings with an emotion.",
);

/** The contract has no platform for what concerns all. */
const OF: Shape = { platform: nullable(Platform, "Null: all platforms together."), metric: SpikeMetric };

const Judgement = response("SpikeJudgement", SpikeJudgementSchema, {
  ...OF,
  status: spelled(
    new Spelling(SpikeStatusSchema, "_"),
    "`not_enough_history`: fewer than 14 days before were collected completely; `incomplete`: no step was collected " +
      "completely; `filtered`: only filters by platform and days are judged.",
  ),
  judged: integer("Steps that were judged.", { minimum: 0 }),
});

const RISE = {
  count: total("Postings of the spike with it."),
  share: share("Of the postings of the spike."),
  usual_share: share("Of the postings of the week before."),
};
const RisenValue = response("RisenValue", RisenValueSchema, { value: text(), ...RISE });
const RisenAuthor = response("RisenAuthor", RisenAuthorSchema, { ...AUTHOR, ...RISE });

const SpikeJson = response("Spike", SpikeSchema, {
  ...SPAN,
  ...OF,
  expected: number("What is usual at that hour and weekday."),
  seen: number("What there was."),
  score: number("Distance of the two, in robust standard deviations."),
  topics: list(RisenValue),
  hashtags: list(RisenValue),
  authors: list(RisenAuthor),
  domains: list(RisenValue),
  examined: total("Postings that were looked at for reposts, repeated texts and examples."),
  reposts: total("Of these, reposts."),
  repeated_texts: total("Of these, other ones that repeat a text, apart from links, mentions and case."),
  examples: from(({ examples }: Spike) => examples.map(toPostingJson), list(Posting, { maxItems: 3 })),
});

const Interval = spelled(
  new Spelling(SummaryIntervalSchema),
  "Length of the steps of the series; weeks begin on Mondays.",
);

const SummaryJson = response("Summary", SummarySchema, {
  ...SPAN,
  interval: Interval,
  totals: response("PostingCounts", PostingCountsSchema, counts("")),
  series: list(SummaryPoint, { description: "Every step, also those without postings." }),
  top: from("", TopLists),
  coverage: from(
    ({ coverage: platforms }: Summary) => writeCoverage(create(GetCoverageResponseSchema, { platforms })),
    Coverage,
  ),
  share_of_voice: optional(list(VoiceShare, { description: "Only with `compare`." })),
  spikes: response("SpikeReport", SpikeReportSchema, { judgements: list(Judgement), spikes: list(SpikeJson) }),
});

const writeSummary = writerOf(SummaryJson);

/** Filters that no kept count answers. */
const COUNTED_ONE_BY_ONE = ["sentiment", "intention", "language", "q"] as const;

/** Time for counting a year of postings one by one, as some filters need it, in milliseconds. */
const SUMMARY_TIMEOUT_MS = 60_000;

/** Summarizing the postings of an insight on a server with these platforms. */
export function summaryRoutes(
  service: Clients["insight"],
  platforms: readonly string[],
  cached: RevisedResponses,
): Endpoint[] {
  const Query = request(SummarizeRequestSchema, {
    ...filterDays(
      "From this day on; by default, 30 days before `end_date`.",
      "Before this day; by default, tomorrow. At most 31 days after `start_date` for hours, 366 for days, 1,830 for weeks.",
    ),
    interval: optional(
      withKeywords(Interval, { description: "Length of the steps of the series; by default, a day." }),
    ),
    top: optional(integer("Length of the lists; by default, 20.")),
    compare: optional(
      list(recordId("Id of an insight.", "Give the id of an insight."), {
        description: "Ids of other insights to compare the share of voice with; repeat it, or separate them by commas.",
      }),
    ),
    ...filterParameters(platforms),
  });
  return [
    route({
      tag: "Insights",
      access: "insight",
      record: "insight",
      id: "summarizeInsight",
      method: "GET",
      path: `${INSIGHTS}/:id/summary`,
      summary: "Summarize an insight",
      description:
        "Counts the analyzed postings as they are now: totals, a series by time, the most frequent topics, hashtags, " +
        "authors, labels and domains, the coverage, and spikes. With filters other than platforms and days the postings " +
        "are counted one by one, which takes longer.",
      ...aRecord("The summary.", json(SummaryJson, SUMMARY_EXAMPLE)),
      failures: [400, 404, 504],
      // The service is not asked about a request of the wrong shape, because it would count; what only it finds is named next.
      input: messageOf(SummarizeRequestSchema, { query: Query }),
      handle: (context, request) => {
        const summarize = (knownRevision: string) =>
          service
            .summarize({ ...request, knownRevision }, context.options(SUMMARY_TIMEOUT_MS))
            .catch((error: unknown) => {
              throw error instanceof AppError && error.kind === "deadline" ? tooMany(request.filter, error) : error;
            });
        return cached.reply(context, summarize, ({ summary }) => {
          if (summary === undefined) throw new AppError("internal", "The summary could not be read. Try again later.");
          return writeSummary(summary);
        });
      },
    }),
  ];
}

/** Repeating helps only where the counts are kept: what is counted one by one is counted from the beginning again. */
function tooMany(filter: MessageInitShape<typeof PostingFilterSchema> = {}, cause: AppError): AppError {
  const names = COUNTED_ONE_BY_ONE.filter((name) => (filter[name] ?? "").trim() !== "");
  const text =
    names.length > 0
      ? `There are too many postings to count those with this ${names.join(" and ")} in time. Ask for fewer days at a time.`
      : "Many postings have changed and are still being counted. Try again in a minute.";
  return new AppError("deadline", text, { cause });
}
