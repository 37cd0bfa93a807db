import { InsightQuerySchema } from "@hourglass/proto/insight/v1/insight";
import { INSIGHT_DIMENSION, INSIGHT_STATUS } from "../json/spelling.js";
import { limitsOf } from "./limits.js";
import { answer, created, json, parameter, type RouteDoc } from "./route.js";
import {
  array,
  boolean,
  integer,
  moment,
  nullable,
  object,
  oneOf,
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

const platforms = array(ref("Platform"), limitsOf(InsightQuerySchema, "platforms"));
const dimensions = array(oneOf(INSIGHT_DIMENSION.names), limitsOf(InsightQuerySchema, "dimensions"));
const keywords = string(
  'Words (all must occur), "exact phrase", OR, parentheses, -not, #tag, @name; commas separate subject terms.',
  limitsOf(InsightQuerySchema, "keywords"),
);
const location = nullable(
  string("Cities or zip codes; has effect for twitter, youtube-videos and youtube-comments only.", {
    ...limitsOf(InsightQuerySchema, "location"),
  }),
);
const counts = array(object({ value: string(), count: integer() }));
const notice = json(object({ notice: string("What happened, for a person.") }));

/** Schemas of insights. */
export const INSIGHT_SCHEMAS: Readonly<Record<string, Schema>> = {
  NewInsight: object({
    query: object(
      {
        keywords,
        platforms,
        dimensions,
        location,
        sneak_peek: { type: ["boolean", "null"], description: "A preview, once, instead of a continuous search." },
      },
      { optional: ["location", "sneak_peek"] },
    ),
  }),
  Insight: object({
    id: recordId("Id of the insight."),
    status: oneOf(
      INSIGHT_STATUS.names,
      "`completed`: a finished preview; `failed`: a preview none of whose platforms answered.",
    ),
    query: object({
      keywords: string(),
      platforms: array(ref("Platform")),
      dimensions: array(oneOf(INSIGHT_DIMENSION.names)),
      location: nullable(string()),
      sneak_peek: boolean(),
    }),
    platforms: array(
      object({
        platform: ref("Platform"),
        state: string("`collecting`, `not_configured`, `waiting` or `failing`."),
        posting_count: integer("Postings stored so far."),
        last_error: nullable(string()),
      }),
    ),
    created_at: moment("When it was created."),
  }),
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
    summary: `${verb === "pause" ? "Pause" : "Resume"} an insight`,
    description: `${description} Repeating it changes nothing.`,
    parameters: [parameter("Id")],
    answers: { 200: answer("Done.", notice) },
    failures: [400, 501],
  };
}

const page = { parameters: [parameter("Limit"), parameter("Cursor")], failures: [400, 501] } as const;

/** The routes of insights and their postings. */
export const INSIGHT_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${INSIGHTS}`]: {
    id: "createInsight",
    tag: TAG,
    summary: "Create an insight",
    description: "Searches social platforms continuously, or once as a preview, and analyses what it finds.",
    parameters: [parameter("IdempotencyKey")],
    body: json(ref("NewInsight"), EXAMPLE),
    answers: { 200: created("It runs. The Location header holds its id.", notice) },
    failures: [501],
  },
  [`GET ${INSIGHTS}`]: {
    id: "listInsights",
    tag: TAG,
    summary: "List insights",
    ...page,
    answers: {
      200: answer("A page.", json(object({ insights: array(ref("Insight")), next_cursor: nullable(string()) }))),
    },
  },
  [`GET ${INSIGHTS}/:id`]: {
    id: "getInsight",
    tag: TAG,
    summary: "Read an insight",
    parameters: [parameter("Id")],
    answers: { 200: answer("The insight.", json(ref("Insight"))) },
    failures: [404, 501],
  },
  [`DELETE ${INSIGHTS}/:id`]: {
    id: "deleteInsight",
    tag: TAG,
    summary: "Delete an insight",
    description: "Erases the search and all its postings.",
    parameters: [parameter("Id")],
    answers: { 204: answer("It is gone.") },
    failures: [404, 501],
  },
  [`PUT ${INSIGHTS}/:id/pause`]: change("pause", "Afterwards no new posting is stored."),
  [`PUT ${INSIGHTS}/:id/resume`]: change("resume", "Collecting goes on."),
  [`GET ${INSIGHTS}/:id/postings`]: {
    id: "listPostings",
    tag: TAG,
    summary: "List analysed postings",
    description: "Newest first.",
    parameters: [parameter("Id"), ...page.parameters],
    answers: {
      200: answer("A page.", json(object({ postings: array(ref("Posting")), next_cursor: nullable(string()) }))),
    },
    failures: [400, 404, 501],
  },
  [`POST ${INSIGHTS}/:id/postings`]: {
    id: "addPostings",
    tag: TAG,
    summary: "Bring in postings",
    description: "Stores and analyses postings of your own, one JSON object a line, at most 10,000 a request.",
    parameters: [parameter("Id"), parameter("IdempotencyKey")],
    body: { "application/x-ndjson": { schema: string("Lines of NewPosting.") } },
    answers: { 200: answer("Stored.", json(object({ accepted: integer(), duplicates: integer() }))) },
    failures: [404, 501],
  },
  [`GET ${INSIGHTS}/:id/summary`]: {
    id: "summarizeInsight",
    tag: TAG,
    summary: "Summarise an insight",
    description: "How often each day, platform, sentiment, intention, topic, author and label occurs.",
    parameters: [parameter("Id"), day("start_date", "From this day on."), day("end_date", "Before this day.")],
    answers: { 200: answer("The counts.", json(ref("Summary"))) },
    failures: [400, 404, 501],
  },
};
