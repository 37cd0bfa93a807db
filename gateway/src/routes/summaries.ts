import { create } from "@bufbuild/protobuf";
import { toPostingJson } from "@hourglass/posting";
import { GetCoverageResponseSchema, SummarizeRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import * as proto from "@hourglass/proto/insight/v1/summary";
import { AppError } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import type { RevisedResponses } from "../http/response-cache.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aRecord, json } from "./answers.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import { InsightVersion } from "./insight-query.js";
import { Completeness, Coverage, INSIGHTS, Platform, writeCoverage } from "./platforms.js";
import { filterMoments, filterParameters } from "./filters.js";
import { Posting } from "./posting-schema.js";
import * as s from "./schema.js";
import { SUMMARY_EXAMPLE } from "./summary-example.js";

const share = (description: string) => s.number(description, { minimum: 0, maximum: 1 });
const ofPostings = share("Of all postings of the summary.");

const Breakdown = s.response("Breakdown", proto.BreakdownSchema, {
  values: s.list(
    s.response("ValueCount", proto.ValueCountSchema, {
      value: s.nullable(s.text("Null: the postings without a value.")),
      count: s.total("Postings."),
    }),
    { description: "Most frequent first." },
  ),
  other: s.total("Postings with further, rarer values."),
});

const EngagementSum = s.response("EngagementSum", proto.EngagementSumSchema, {
  name: s.text("Such as `like_count`."),
  sum: s.text("A whole number of any size.", { pattern: "^-?[0-9]+$" }),
  postings: s.total("Postings that state this count."),
});

const BROKEN_DOWN = ["platforms", "sentiments", "polarities", "intentions", "spam", "languages", "countries", "types"];

/** The counts, which a message has in the field whose path is given. */
function counts(path: "" | "counts."): s.Shape {
  return {
    postings: s.from(`${path}postings`, s.total("Analyzed postings.")),
    ...Object.fromEntries(BROKEN_DOWN.map((name) => [name, s.from(path + name, Breakdown)])),
    engagement: s.from(`${path}engagement`, s.list(EngagementSum)),
  };
}

const SPAN = { start: s.moment("Inclusive."), end: s.moment("Exclusive.") };

const SummaryPoint = s.response("SummaryPoint", proto.SummaryPointSchema, {
  ...SPAN,
  completeness: Completeness,
  ...counts("counts."),
  version: s.optional(
    s.integer("The latest version of the query that began in this step by a change; absent if none did.", {
      minimum: 2,
    }),
  ),
});

const AUTHOR: s.Shape = {
  platform: Platform,
  author_id: s.from("author.author_id", s.nullable(s.text())),
  author_username: s.from("author.author_username", s.nullable(s.text())),
  author_name: s.from("author.author_name", s.nullable(s.text())),
};

const EXTENT = {
  distinct: s.total("Different values; at least so many if `distinct_error` is not 0."),
  error: s.total("By how much a count may be too low at most; 0: all counts are exact."),
  distinct_error: s.total("By how much `distinct` may be too low at most."),
};
const frequent = { description: "Most frequent first." };

const TopValue = s.response("TopValue", proto.TopValueSchema, {
  value: s.text(),
  count: s.total("Postings with this value."),
  share: ofPostings,
});
const TopValues = s.response("TopValues", proto.TopValuesSchema, { values: s.list(TopValue, frequent), ...EXTENT });
const TopAuthor = s.response("TopAuthor", proto.TopAuthorSchema, {
  ...AUTHOR,
  count: s.total("Postings of this author."),
  share: ofPostings,
});
const TopAuthors = s.response("TopAuthors", proto.TopAuthorsSchema, { values: s.list(TopAuthor, frequent), ...EXTENT });

const TopLists = s.response("TopLists", proto.SummarySchema, {
  topics: s.from("top_topics", TopValues),
  hashtags: s.from("top_hashtags", TopValues),
  authors: s.from("top_authors", TopAuthors),
  labels: s.from("top_labels", TopValues),
  domains: s.from("top_domains", TopValues),
});

const VoiceShare = s.response("VoiceShare", proto.VoiceShareSchema, {
  id: s.integer("Id of the insight.", { format: "int64" }),
  terms: s.text("Its subject terms."),
  postings: s.total("Its postings."),
  posting_share: share("Of the postings of all compared insights."),
  authors: s.total("Different authors of its postings."),
  author_share: share("Of the sum of their authors."),
  author_error: s.total("By how much `authors` may be too low at most."),
});

const SpikeMetric = s.spelled(
  new Spelling(proto.SpikeMetricSchema, "_"),
  "`negative_share`: of negative postings in those that are positive, neutral or negative.",
);

/** The contract has no platform for what concerns all. */
const OF: s.Shape = { platform: s.nullable(Platform, "Null: all platforms together."), metric: SpikeMetric };

const Judgement = s.response("SpikeJudgement", proto.SpikeJudgementSchema, {
  ...OF,
  status: s.spelled(
    new Spelling(proto.SpikeStatusSchema, "_"),
    "`not_enough_history`: fewer than 14 days before were collected completely; `incomplete`: no step was collected " +
      "completely; `filtered`: only filters by platform and days are judged; `query_changed`: as `not_enough_history`, since " +
      "only steps of one version of the query are compared.",
  ),
  judged: s.integer("Steps that were judged.", { minimum: 0 }),
  needs: s.optional(s.text('What is missing, a phrase that follows "It needs". Present if none was judged.')),
});

const RISE = {
  count: s.total("Postings of the spike with it."),
  share: share("Of the postings of the spike."),
  usual_share: share("Of the postings of the week before."),
};
const RisenValue = s.response("RisenValue", proto.RisenValueSchema, { value: s.text(), ...RISE });
const RisenAuthor = s.response("RisenAuthor", proto.RisenAuthorSchema, { ...AUTHOR, ...RISE });

const SpikeJson = s.response("Spike", proto.SpikeSchema, {
  ...SPAN,
  ...OF,
  expected: s.number("What is usual at that hour and weekday."),
  seen: s.number("What there was."),
  score: s.number("Distance of the two, in robust standard deviations."),
  topics: s.list(RisenValue),
  hashtags: s.list(RisenValue),
  authors: s.list(RisenAuthor),
  domains: s.list(RisenValue),
  examined: s.total("Postings that were looked at for reposts, repeated texts and examples."),
  reposts: s.total("Of these, reposts."),
  repeated_texts: s.total("Of these, other ones that repeat a text, apart from links, mentions and case."),
  examples: s.from(({ examples }: proto.Spike) => examples.map(toPostingJson), s.list(Posting, { maxItems: 3 })),
});

const Interval = s.spelled(
  new Spelling(proto.SummaryIntervalSchema),
  "Length of the steps of the series; weeks begin on Mondays.",
);

const SummaryJson = s.response("Summary", proto.SummarySchema, {
  ...SPAN,
  interval: Interval,
  totals: s.response("PostingCounts", proto.PostingCountsSchema, counts("")),
  series: s.list(SummaryPoint, { description: "Every step, also those without postings." }),
  top: s.from("", TopLists),
  coverage: s.from(
    ({ coverage: platforms }: proto.Summary) => writeCoverage(create(GetCoverageResponseSchema, { platforms })),
    Coverage,
  ),
  share_of_voice: s.optional(s.list(VoiceShare, { description: "Only with `compare`." })),
  spikes: s.response("SpikeReport", proto.SpikeReportSchema, {
    judgements: s.list(Judgement),
    spikes: s.list(SpikeJson),
  }),
  time_zone: s.text("In which days, weeks and months begin; spikes are those of days in UTC."),
  versions: s.list(InsightVersion, {
    description: "The queries of the span, oldest first; the first one may have begun before it.",
    maxItems: 50,
  }),
  counted: s.boolean("Whether the postings were counted for this request, as some filters need it."),
});

const writeSummary = writerOf(SummaryJson);

/** Time for counting postings that have changed, in milliseconds. */
const SUMMARY_TIMEOUT_MS = 60_000;

/** Summarizing the postings of an insight on a server with these platforms. */
export function summaryRoutes(
  service: Clients["insight"],
  platforms: readonly string[],
  cached: RevisedResponses,
): Endpoint[] {
  const Query = s.request(SummarizeRequestSchema, {
    ...filterMoments(),
    start_date: s.optional(s.day("From this day of the time zone on; by default, 30 days before `end_date`.")),
    end_date: s.optional(
      s.day(
        "Before this day of the time zone; by default, tomorrow. At most 31 days after `start_date` for hours, 366 for days, " +
          "1,830 for weeks, 3,660 for months.",
      ),
    ),
    time_zone: s.optional(
      s.text("IANA name of the time zone in which days, weeks and months begin; by default, UTC.", {
        example: "Europe/Lisbon",
      }),
    ),
    interval: s.optional(
      s.withKeywords(Interval, { description: "Length of the steps of the series; by default, a day." }),
    ),
    top: s.optional(s.integer("Length of the lists; by default, 20.")),
    compare: s.optional(
      s.list(s.recordId("Id of an insight.", "Give the id of an insight."), {
        description: "Ids of other insights to compare the share of voice with; repeat it, or separate them by commas.",
      }),
    ),
    ...filterParameters(platforms),
  });
  return [
    route(`GET ${INSIGHTS}/:id/summary`, "summarizeInsight", "Summarize an insight", {
      tag: "Insights",
      access: "insight",
      record: "insight",
      description:
        "Counts the analyzed postings as they are now: totals, a series by time, the most frequent topics, hashtags, " +
        "authors, labels and domains, the coverage, and spikes. With filters other than platforms and times the postings are " +
        "counted for the request, as `counted` says, and no spikes are looked for. `q` is looked for in up to 50,000 postings.",
      ...aRecord("The summary.", json(SummaryJson, SUMMARY_EXAMPLE)),
      failures: [400, 404, 504],
      // The service is not asked about a request of the wrong shape, because it would count; what only it finds is named next.
      input: messageOf(SummarizeRequestSchema, { query: Query }),
      handle: (context, request) => {
        const summarize = (knownRevision: string) =>
          service
            .summarize({ ...request, knownRevision }, context.options(SUMMARY_TIMEOUT_MS))
            .catch((error: unknown) => {
              throw error instanceof AppError && error.kind === "deadline" ? tooMany(error) : error;
            });
        return cached.reply(context, summarize, ({ summary }) => {
          if (summary === undefined) throw new AppError("internal", "The summary could not be read. Try again later.");
          return writeSummary(summary);
        });
      },
    }),
  ];
}

function tooMany(cause: AppError): AppError {
  const text = "Many postings have changed and are still being counted. Try again in a minute.";
  return new AppError("deadline", text, { cause });
}
