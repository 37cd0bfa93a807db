import { FollowSchema, InsightQuerySchema } from "@hourglass/proto/insight/v1/insight";
import { FOLLOWED } from "../../json/insights/insight-query.js";
import {
  COLLECTION_MODE,
  COMPLETENESS,
  GAP_REASON,
  INSIGHT_DIMENSION,
  INSIGHT_STATUS,
  PLATFORM_STATUS,
} from "../../json/spelling.js";
import { itemLimitsOf, limitsOf } from "../limits.js";
import {
  array,
  boolean,
  enumeration,
  integer,
  moment,
  nullable,
  object,
  page,
  recordId,
  ref,
  string,
  type Schema,
} from "../schema.js";

const total = (description: string) => integer(description, { format: "int64", minimum: 0 });
const sentences = (description: string) => array(string(), { description });

const query: Readonly<Record<string, Schema>> = {
  InsightDimension: enumeration(INSIGHT_DIMENSION.names, "What of a posting is analysed."),
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
  ...query,
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
