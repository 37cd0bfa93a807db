import { FollowSchema, InsightQuerySchema } from "@hourglass/proto/insight/v1/insight";
import { SummarizeRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import {
  COLLECTION_MODE,
  COMPLETENESS,
  GAP_REASON,
  INSIGHT_DIMENSION,
  INSIGHT_STATUS,
  PLATFORM_STATUS,
} from "../json/fields.js";
import { FOLLOWED } from "../json/insight.js";
import { INSIGHT_PLACES } from "../routes/insights.js";
import {
  answer,
  created,
  deleteRoute,
  describePlaces,
  json,
  listRoute,
  parameter,
  query,
  readRoute,
  type RouteDoc,
} from "./describe.js";
import {
  CHECK_EXAMPLE,
  COVERAGE_EXAMPLE,
  INSIGHT_EXAMPLE,
  PLATFORMS_EXAMPLE,
  QUERY_EXAMPLE,
  SUMMARY_EXAMPLE,
} from "./examples.js";
import { day, POSTING_FILTERS } from "./posting-docs.js";
import {
  array,
  boolean,
  enumeration,
  integer,
  itemLimitsOf,
  limitsOf,
  moment,
  nullable,
  object,
  page,
  recordId,
  ref,
  string,
  type Schema,
} from "./schema.js";

const TAG = "Insights";
const notice = json(ref("Notice"));

function change(summary: string, description: string): Omit<RouteDoc, "id"> {
  return {
    tag: TAG,
    summary,
    description: `${description} Repeating it changes nothing.`,
    parameters: [parameter("Id")],
    answers: { 200: answer("Done.", notice) },
    failures: [400],
  };
}

const head = (summary: string) => ({ tag: TAG, summary }) as const;
const span = [day("start_date", "From this day on."), day("end_date", "Before this day.")];

const summaryOptions = [
  day("start_date", "From this day on; by default, 30 days before `end_date`."),
  day(
    "end_date",
    "Before this day; by default, tomorrow. At most 31 days after `start_date` for hours, 366 for days, 1,830 for weeks.",
  ),
  query("interval", "Length of the steps of the series; by default, a day.", ref("SummaryInterval")),
  query("top", "Length of the lists; by default, 20.", integer(undefined, limitsOf(SummarizeRequestSchema, "top"))),
  query(
    "compare",
    "Ids of other insights to compare the share of voice with; repeat it, or separate them by commas.",
    array(recordId("Id of an insight."), limitsOf(SummarizeRequestSchema, "compare")),
  ),
];

/** The routes of insights. */
export const INSIGHT_ROUTES: Readonly<Record<string, RouteDoc>> = describePlaces(INSIGHT_PLACES, {
  createInsight: {
    ...head("Create an insight"),
    description: "Searches social platforms continuously, or once as a preview, and analyzes what it finds.",
    parameters: [parameter("IdempotencyKey")],
    body: json(ref("NewInsight"), QUERY_EXAMPLE),
    answers: { 200: created("It runs. The Location header holds its id.", notice) },
  },
  checkInsight: {
    ...head("Check a query"),
    description: "Tells what a search would do on each platform. Stores nothing and sends nothing to the platforms.",
    body: json(ref("NewInsight"), QUERY_EXAMPLE),
    answers: { 200: answer("The plan.", json(ref("InsightCheck"), CHECK_EXAMPLE)) },
  },
  listPlatforms: {
    ...head("List platforms"),
    description: "Whether this server can collect from each platform, and what is missing otherwise.",
    answers: { 200: answer("All platforms.", json(ref("Platforms"), PLATFORMS_EXAMPLE)) },
  },
  listInsights: listRoute(head("List insights"), json(ref("InsightPage"))),
  getInsight: readRoute(head("Read an insight"), "The insight.", json(ref("Insight"), INSIGHT_EXAMPLE)),
  deleteInsight: deleteRoute({ ...head("Delete an insight"), description: "Erases the search and all its postings." }),
  pauseInsight: change("Pause an insight", "Afterwards no new posting is stored."),
  resumeInsight: change("Resume an insight", "Collecting continues."),
  getCoverage: {
    ...head("Read the coverage of an insight"),
    description:
      "For which spans of time the collection from each platform was complete; by default, since its creation.",
    parameters: [parameter("Id"), ...span],
    answers: { 200: answer("The spans, in order.", json(ref("Coverage"), COVERAGE_EXAMPLE)) },
    failures: [400, 404],
  },
  summarizeInsight: {
    ...head("Summarize an insight"),
    description:
      "Counts the analyzed postings as they are now: totals, a series by time, the most frequent topics, hashtags, " +
      "authors, labels and domains, the coverage, and spikes. With filters other than platforms and days the postings " +
      "are counted one by one, which takes longer.",
    parameters: [parameter("Id"), ...summaryOptions, ...POSTING_FILTERS],
    answers: { 200: answer("The summary.", json(ref("Summary"), SUMMARY_EXAMPLE)) },
    failures: [400, 404, 504],
  },
});

const total = (description: string) => integer(description, { format: "int64", minimum: 0 });
const sentences = (description: string) => array(string(), { description });

const queryFields: Readonly<Record<string, Schema>> = {
  InsightDimension: enumeration(INSIGHT_DIMENSION.names, "What of a posting is analyzed."),
  NewInsight: object({ query: ref("NewInsightQuery") }),
  NewInsightQuery: object(
    {
      keywords: string(
        'Words (all must occur), "exact phrase", OR, parentheses, -not, #tag, @name; commas separate subject terms.',
        limitsOf(InsightQuerySchema, "keywords"),
      ),
      platforms: array(ref("Platform"), limitsOf(InsightQuerySchema, "platforms")),
      dimensions: array(ref("InsightDimension"), limitsOf(InsightQuerySchema, "dimensions")),
      location: nullable(
        string("Cities or zip codes; has effect for twitter, youtube-videos and youtube-comments only.", {
          ...limitsOf(InsightQuerySchema, "location"),
        }),
      ),
      sneak_peek: nullable(boolean("A preview, once, instead of a continuous search.")),
      follow: nullable(ref("NewFollow")),
    },
    { optional: ["location", "sneak_peek", "follow"] },
  ),
  NewFollow: object(
    Object.fromEntries(
      FOLLOWED.map((name) => [
        name,
        nullable(array(string(undefined, itemLimitsOf(FollowSchema, name)), limitsOf(FollowSchema, name))),
      ]),
    ),
    {
      optional: FOLLOWED,
      description:
        "Sources to read in addition to those of the server: URLs of feeds for news, names of subreddits, pages of " +
        "facebook, and ids of organisations of linkedin.",
    },
  ),
  Follow: object(Object.fromEntries(FOLLOWED.map((name) => [name, array(string())]))),
  InsightQuery: object({
    keywords: string(),
    platforms: array(ref("Platform")),
    dimensions: array(ref("InsightDimension")),
    location: nullable(string()),
    sneak_peek: boolean(),
    follow: nullable(ref("Follow")),
  }),
};

const platform: Readonly<Record<string, Schema>> = {
  PlatformState: enumeration(
    PLATFORM_STATUS.names,
    "`waiting`: ready for its next poll; `importing`: not configured, but postings were imported.",
  ),
  CollectionMode: enumeration(
    COLLECTION_MODE.names,
    "`search`: the query is sent; `follow`: configured sources are read and filtered here; `import`: imports only.",
  ),
  PlatformCounts: object({
    requests: total("Requests sent to the platform."),
    fetched: total("Postings received."),
    matched: total("Of these, postings that match the keywords."),
    stored: total("Postings stored for the first time."),
    duplicates: total("Postings that were stored already."),
    skipped: total("Items that could not be read as postings."),
  }),
  InsightPlatform: object({
    platform: ref("Platform"),
    state: ref("PlatformState"),
    next_at: nullable(moment("When the next poll starts; null if none is planned.")),
    last_success_at: nullable(moment("When a poll succeeded last.")),
    last_error: nullable(string("What prevents the collection, and what to do.")),
    counts: ref("PlatformCounts"),
    warnings: sentences("What restricts the collection."),
  }),
  PlatformInfo: object({
    platform: ref("Platform"),
    state: ref("PlatformState"),
    mode: ref("CollectionMode"),
    missing: nullable(string("What is missing, and how to set it.")),
  }),
  Platforms: object({ platforms: array(ref("PlatformInfo")) }),
  PlatformPlan: object({
    platform: ref("Platform"),
    state: ref("PlatformState"),
    mode: ref("CollectionMode"),
    queries: array(string(), { description: "The queries as they would be sent, or the sources that would be read." }),
    narrowed_locally: boolean("Whether what these find is narrowed here."),
    cost: string("What a poll costs."),
    warnings: sentences("What restricts the collection."),
  }),
  InsightCheck: object({
    terms: array(string(), { description: "The subject terms." }),
    platforms: array(ref("PlatformPlan")),
    warnings: sentences("What to know about the search as a whole."),
  }),
};

const coverage: Readonly<Record<string, Schema>> = {
  Completeness: enumeration(
    COMPLETENESS.names,
    "`complete`: all that the platform returned; `thin`: possibly not all; `unknown`: nothing is known.",
  ),
  GapReason: enumeration(GAP_REASON.names, "Why a span is not complete."),
  CoverageSpan: object({
    start: moment("Inclusive."),
    end: moment("Exclusive."),
    completeness: ref("Completeness"),
    reasons: array(ref("GapReason")),
  }),
  PlatformCoverage: object({ platform: ref("Platform"), spans: array(ref("CoverageSpan")) }),
  Coverage: object({ platforms: array(ref("PlatformCoverage")) }),
};

/** Schemas of insights. */
export const INSIGHT_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...queryFields,
  ...platform,
  ...coverage,
  InsightStatus: enumeration(
    INSIGHT_STATUS.names,
    "`completed`: a finished preview; `failed`: a preview none of whose platforms answered.",
  ),
  Insight: object(
    {
      id: recordId("Id of the insight."),
      status: ref("InsightStatus"),
      query: ref("InsightQuery"),
      terms: string("The subject terms of the keywords, joined by commas."),
      posting_count: total("Postings stored so far."),
      unanalysed_count: total("Of these, postings whose analysis is neither done nor given up."),
      platforms: array(ref("InsightPlatform")),
      error: string("Why a preview failed."),
      created_at: moment("When it was created."),
      finished_at: nullable(moment("When a preview ended.")),
    },
    { optional: ["error"] },
  ),
  InsightPage: page("insights", "Insight"),
  Notice: object({ notice: string("What happened, for a person.") }),
};
