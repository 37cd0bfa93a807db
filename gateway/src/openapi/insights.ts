import { InsightQuerySchema } from "@hourglass/proto/insight/v1/insight";
import { INSIGHT_DIMENSION, INSIGHT_STATUS } from "../json/spelling.js";
import { limitsOf } from "./limits.js";
import { answer, created, json, parameter, type RouteDoc } from "./route.js";
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
} from "./schema.js";

const TAG = "Insights";
const INSIGHTS = "/api/v2/products/insight";

const EXAMPLE = {
  query: {
    keywords: '"electric cars" OR #ev',
    platforms: ["news", "reddit"],
    dimensions: ["textual"],
    sneak_peek: true,
  },
};

const POSTINGS_EXAMPLE =
  '{"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."}\n';

const platforms = array(ref("Platform"), limitsOf(InsightQuerySchema, "platforms"));
const dimensions = array(ref("InsightDimension"), limitsOf(InsightQuerySchema, "dimensions"));
const keywords = string(
  'Words (all must occur), "exact phrase", OR, parentheses, -not, #tag, @name; commas separate subject terms.',
  limitsOf(InsightQuerySchema, "keywords"),
);
const location = nullable(
  string("Cities or zip codes; has effect for twitter, youtube-videos and youtube-comments only.", {
    ...limitsOf(InsightQuerySchema, "location"),
  }),
);
const counts = array(ref("Count"));
const notice = json(ref("Notice"));

/** Schemas of insights. */
export const INSIGHT_SCHEMAS: Readonly<Record<string, Schema>> = {
  InsightDimension: enumeration(INSIGHT_DIMENSION.names, "What of a posting is analysed."),
  InsightStatus: enumeration(
    INSIGHT_STATUS.names,
    "`completed`: a finished preview; `failed`: a preview none of whose platforms answered.",
  ),
  NewInsight: object({ query: ref("NewInsightQuery") }),
  NewInsightQuery: object(
    {
      keywords,
      platforms,
      dimensions,
      location,
      sneak_peek: nullable(boolean("A preview, once, instead of a continuous search.")),
    },
    { optional: ["location", "sneak_peek"] },
  ),
  InsightQuery: object({
    keywords: string(),
    platforms: array(ref("Platform")),
    dimensions: array(ref("InsightDimension")),
    location: nullable(string()),
    sneak_peek: boolean(),
  }),
  InsightPlatform: object({
    platform: ref("Platform"),
    state: string("`collecting`, `not_configured`, `waiting` or `failing`."),
    posting_count: integer("Postings stored so far."),
    last_error: nullable(string()),
  }),
  Insight: object({
    id: recordId("Id of the insight."),
    status: ref("InsightStatus"),
    query: ref("InsightQuery"),
    platforms: array(ref("InsightPlatform")),
    created_at: moment("When it was created."),
  }),
  InsightPage: page("insights", "Insight"),
  Notice: object({ notice: string("What happened, for a person.") }),
  Count: object({ value: string(), count: integer("How often it occurs.", { format: "int64" }) }),
  Summary: object({
    days: counts,
    platforms: counts,
    sentiments: counts,
    intentions: counts,
    topics: counts,
    authors: counts,
    labels: counts,
  }),
};

function day(name: string, description: string): Schema {
  return { name, in: "query", description, schema: string(undefined, { format: "date" }) };
}

function change(verb: "pause" | "resume", description: string): RouteDoc {
  return {
    id: `${verb}Insight`,
    tag: TAG,
    planned: true,
    summary: `${verb === "pause" ? "Pause" : "Resume"} an insight`,
    description: `${description} Repeating it changes nothing.`,
    parameters: [parameter("Id")],
    answers: { 200: answer("Done.", notice) },
    failures: [400],
  };
}

const paged = { parameters: [parameter("Limit"), parameter("Cursor")], failures: [400] } as const;

/** The routes of insights and their postings. */
export const INSIGHT_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${INSIGHTS}`]: {
    id: "createInsight",
    tag: TAG,
    planned: true,
    summary: "Create an insight",
    description: "Searches social platforms continuously, or once as a preview, and analyses what it finds.",
    parameters: [parameter("IdempotencyKey")],
    body: json(ref("NewInsight"), EXAMPLE),
    answers: { 200: created("It runs. The Location header holds its id.", notice) },
  },
  [`GET ${INSIGHTS}`]: {
    id: "listInsights",
    tag: TAG,
    planned: true,
    summary: "List insights",
    ...paged,
    answers: { 200: answer("A page.", json(ref("InsightPage"))) },
  },
  [`GET ${INSIGHTS}/:id`]: {
    id: "getInsight",
    tag: TAG,
    planned: true,
    summary: "Read an insight",
    parameters: [parameter("Id")],
    answers: { 200: answer("The insight.", json(ref("Insight"))) },
    failures: [404],
  },
  [`DELETE ${INSIGHTS}/:id`]: {
    id: "deleteInsight",
    tag: TAG,
    planned: true,
    summary: "Delete an insight",
    description: "Erases the search and all its postings.",
    parameters: [parameter("Id")],
    answers: { 204: answer("It is gone.") },
    failures: [404],
  },
  [`PUT ${INSIGHTS}/:id/pause`]: change("pause", "Afterwards no new posting is stored."),
  [`PUT ${INSIGHTS}/:id/resume`]: change("resume", "Collecting goes on."),
  [`GET ${INSIGHTS}/:id/postings`]: {
    id: "listPostings",
    tag: TAG,
    planned: true,
    summary: "List analysed postings",
    description: "Newest first.",
    parameters: [parameter("Id"), ...paged.parameters],
    answers: { 200: answer("A page.", json(ref("PostingPage"))) },
    failures: [400, 404],
  },
  [`POST ${INSIGHTS}/:id/postings`]: {
    id: "addPostings",
    tag: TAG,
    planned: true,
    summary: "Bring in postings",
    description: "Stores and analyses postings of your own, one JSON object a line, at most 10,000 a request.",
    parameters: [parameter("Id"), parameter("IdempotencyKey")],
    body: { "application/x-ndjson": { schema: string("Lines of NewPosting."), example: POSTINGS_EXAMPLE } },
    answers: { 200: answer("Stored.", json(ref("PostingsAccepted"))) },
    failures: [404],
  },
  [`GET ${INSIGHTS}/:id/summary`]: {
    id: "summarizeInsight",
    tag: TAG,
    planned: true,
    summary: "Summarise an insight",
    description: "How often each day, platform, sentiment, intention, topic, author and label occurs.",
    parameters: [parameter("Id"), day("start_date", "From this day on."), day("end_date", "Before this day.")],
    answers: { 200: answer("The counts.", json(ref("Summary"))) },
    failures: [400, 404],
  },
};
