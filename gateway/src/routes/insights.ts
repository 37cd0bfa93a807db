import type { MessageInitShape } from "@bufbuild/protobuf";
import { InsightSchema, InsightStatusSchema } from "@hourglass/proto/insight/v1/insight";
import {
  CheckInsightResponseSchema,
  CreateInsightRequestSchema,
  CreateInsightResponseSchema,
  DeleteInsightRequestSchema,
  ListInsightsRequestSchema,
  ListInsightsResponseSchema,
  PlatformPlanSchema,
  UpdateInsightResponseSchema,
} from "@hourglass/proto/insight/v1/insight_service";
import { PlatformCountsSchema, PlatformStateSchema, StalledSchema } from "@hourglass/proto/insight/v1/platform";
import { AppError } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import { changedReply, creationReply, jsonReply, type Reply } from "../http/reply.js";
import { route, type Endpoint, type RouteContext } from "../http/route.js";
import type { Clients } from "../services.js";
import { aChange, aPage, aRecord, created, GONE, json, pageOf } from "./answers.js";
import { writerOf } from "./conversion.js";
import { CREATED_BY_EXAMPLE, CreatedBy } from "./created-by.js";
import { messageOf } from "./input.js";
import { changeOf, CHANGE_EXAMPLES } from "./insight-change.js";
import {
  InsightVersion,
  newQuery,
  Query,
  QUERY_EXAMPLE,
  QueryWarning,
  VERSIONS_EXAMPLE,
  WARNING_EXAMPLE,
} from "./insight-query.js";
import { CollectionMode, INSIGHTS, Platform, PlatformState } from "./platforms.js";
import { Metadata, METADATA_FILTER, NewMetadata } from "./metadata.js";
import { PARSED_EXAMPLE, ParsedKeywords } from "./parsed-keywords.js";
import * as s from "./schema.js";
import { sortOrder } from "./sort-order.js";

const sentences = (description: string) => s.list(s.text(), { description });

const Counts = s.response("PlatformCounts", PlatformCountsSchema, {
  requests: s.total("Requests sent to the platform."),
  fetched: s.total("Postings received."),
  matched: s.total("Of these, postings that match the keywords."),
  stored: s.total("Postings stored for the first time."),
  duplicates: s.total("Postings that were stored already."),
  skipped: s.total("Items that could not be read as postings."),
});

const StalledJson = s.response("Stalled", StalledSchema, {
  reason: s.text("Why this server does not do it, and what to do."),
  next_try_at: s.nullable(s.moment("When it tries again; null if it tries now, or waits for a process that does it.")),
});

const InsightPlatform = s.response("InsightPlatform", PlatformStateSchema, {
  platform: Platform,
  state: s.from("status", PlatformState),
  next_at: s.nullable(s.moment("When the next poll starts; null if none is planned.")),
  last_success_at: s.nullable(s.moment("When a poll succeeded last.")),
  last_error: s.nullable(s.text("What prevents the collection, and what to do.")),
  counts: Counts,
  warnings: sentences("What restricts the collection."),
  stalled: s.nullable(StalledJson, "Set while the state is `stalled`."),
});

const InsightStatus = s.spelled(
  new Spelling(InsightStatusSchema),
  "`completed`: a finished preview; `failed`: a preview none of whose platforms answered.",
);

const INSIGHT = {
  id: s.recordId("Id of the insight."),
  name: s.optional(s.text("What you call it. Absent without one.")),
  note: s.optional(s.text("Your notes on it. Absent without any.")),
  metadata: s.optional(Metadata),
  created_by: s.from("author", s.nullable(CreatedBy)),
  status: InsightStatus,
  query: Query,
  terms: s.text("The subject terms of the keywords, joined by commas."),
  posting_count: s.total("Postings stored so far."),
  unanalysed_count: s.total("Of these, postings whose analysis is neither done nor given up."),
  last_activity_at: s.nullable(s.moment("When a posting was last stored; null before.")),
  platforms: s.list(InsightPlatform),
  error: s.optional(s.text("Why a preview failed.")),
  created_at: s.moment("When it was created."),
  finished_at: s.nullable(s.moment("When a preview ended.")),
  version: s.integer("Number of the query: 1, and one more with each change of it.", { minimum: 1 }),
  versions: s.optional(
    s.list(InsightVersion, {
      description: "The latest 50 queries up to the present one, oldest first; absent in lists.",
      maxItems: 50,
    }),
  ),
};

const Insight = s.response("Insight", InsightSchema, INSIGHT);

const warningsOfKeywords = s.list(QueryWarning, {
  description: "What in the given keywords is read otherwise than other tools would.",
});

const { created_by: _createdBy, ...OWN } = INSIGHT;

const ChangedInsight = s.response("ChangedInsight", UpdateInsightResponseSchema, {
  ...Object.fromEntries(Object.entries(OWN).map(([name, property]) => [name, s.from(`insight.${name}`, property)])),
  created_by: s.from("insight.author", s.nullable(CreatedBy)),
  warnings: warningsOfKeywords,
});

const CreatedInsight = s.response("CreatedInsight", CreateInsightResponseSchema, {
  id: s.recordId("Id of the insight."),
  notice: s.text("What happened, for a person."),
  warnings: warningsOfKeywords,
});

const EXAMPLE = {
  id: 12,
  name: "Electric cars",
  note: "For the weekly report.",
  metadata: { campaign: "winter" },
  created_by: CREATED_BY_EXAMPLE,
  status: "running",
  query: {
    ...QUERY_EXAMPLE.query,
    location: null,
    sneak_peek: false,
    follow: { feeds: ["https://news.example.com/rss.xml"], subreddits: [], pages: [], organisations: [] },
  },
  terms: '"electric cars" OR #ev',
  posting_count: 41,
  unanalysed_count: 2,
  last_activity_at: "2026-01-31T12:00:00.000Z",
  platforms: [
    {
      platform: "news",
      state: "waiting",
      next_at: "2026-01-31T12:05:00.000Z",
      last_success_at: "2026-01-31T12:00:00.000Z",
      last_error: null,
      counts: { requests: 3, fetched: 90, matched: 44, stored: 41, duplicates: 3, skipped: 0 },
      warnings: [],
      stalled: null,
    },
    {
      platform: "twitter",
      state: "not_configured",
      next_at: null,
      last_success_at: null,
      last_error: "Set TWITTER_BEARER_TOKEN to collect from twitter.",
      counts: { requests: 0, fetched: 0, matched: 0, stored: 0, duplicates: 0, skipped: 0 },
      warnings: [],
      stalled: null,
    },
  ],
  created_at: "2026-01-31T11:50:00.000Z",
  finished_at: null,
  version: 2,
  versions: VERSIONS_EXAMPLE,
};
const { versions: _versions, ...LISTED_EXAMPLE } = EXAMPLE;

const Plan = s.response("PlatformPlan", PlatformPlanSchema, {
  platform: Platform,
  state: s.from("status", PlatformState),
  mode: CollectionMode,
  queries: s.list(s.text(), { description: "The queries as they would be sent, or the sources that would be read." }),
  narrowed_locally: s.boolean("Whether what these find is narrowed here."),
  cost: s.text("What a poll costs."),
  warnings: sentences("What restricts the collection."),
});

const Check = s.response("InsightCheck", CheckInsightResponseSchema, {
  terms: sentences("The subject terms."),
  parsed: ParsedKeywords,
  platforms: s.list(Plan),
  warnings: s.from(
    "query_warnings",
    s.list(QueryWarning, {
      description:
        "What in the keywords is read otherwise than other tools would, with its place and a fix; and what to know about the search as a whole.",
    }),
  ),
});

const CHECK_EXAMPLE = {
  terms: ['"electric cars" OR #ev -"toy cars"'],
  parsed: PARSED_EXAMPLE,
  platforms: [
    {
      platform: "news",
      state: "waiting",
      mode: "follow",
      queries: ["https://news.example.com/rss.xml"],
      narrowed_locally: true,
      cost: "1 request per feed",
      warnings: [],
    },
  ],
  warnings: [],
};

const InsightSort = s.enumeration(
  "InsightSort",
  s.choicesOf(s.fieldOf(ListInsightsRequestSchema, "sort")).filter((name) => name !== ""),
);

const Notice = s.object("Notice", { notice: s.text("What happened, for a person.") });

/** Examples of it. */
const NOTICES = {
  creation: "The search was created. It runs continuously on news.",
  pause: "The search is paused. It collects nothing until it is resumed.",
  resume: "The search is resumed. It collects continuously.",
};

const writeInsight = writerOf(Insight);
const writeChanged = writerOf(ChangedInsight);
const writeCreated = writerOf(CreatedInsight);
const writeCheck = writerOf(Check);

/** Creating, checking, reading, pausing, resuming and deleting insights on a server with these platforms. */
export function insightRoutes(service: Clients["insight"], platforms: readonly string[]): Endpoint[] {
  const base = { tag: "Insights", access: "insight", record: "insight" } as const;
  const NewInsight = s.request(
    CreateInsightRequestSchema,
    {
      query: newQuery(platforms),
      name: s.nullish(s.text("What you call it. Lists find it by `q`.")),
      note: s.nullish(s.text("Your notes on it.")),
      metadata: s.nullish(NewMetadata),
    },
    { id: "NewInsight", isOpen: true },
  );
  // It finds mistakes in the keywords, too.
  const check = ({ query, name = "", note = "", metadata = {} }: CreateInsight, context: RouteContext) =>
    service.checkInsight({ ...(query === undefined ? {} : { query }), name, note, metadata }, context.options());
  const change = (
    id: "pauseInsight" | "resumeInsight",
    verb: "pause" | "resume",
    summary: string,
    description: string,
  ) =>
    route(`PUT ${INSIGHTS}/:id/${verb}`, id, summary, {
      ...base,
      description: `${description} Repeating it changes nothing.`,
      answers: { 200: { description: "Done.", content: json(Notice, { notice: NOTICES[verb] }) } },
      failures: [400],
      handle: (context) => noticed(() => service[id]({ id: context.pathId }, context.options())),
    });
  return [
    route(`POST ${INSIGHTS}`, "createInsight", "Create an insight", {
      ...base,
      description: "Searches social platforms continuously, or once as a preview, and analyzes what it finds.",
      input: messageOf(CreateInsightRequestSchema, { body: NewInsight, isKeyed: true, check }),
      example: QUERY_EXAMPLE,
      answers: {
        200: created(
          "It runs. The Location header holds its id, too.",
          json(CreatedInsight, { id: 12, notice: NOTICES.creation, warnings: [WARNING_EXAMPLE] }),
        ),
      },
      handle: async (context, request) => {
        const insight = await service.createInsight(request, context.options());
        context.concerns(insight.id);
        const { replayed } = insight;
        return creationReply(200, writeCreated(insight), { replayed, location: `${INSIGHTS}/${insight.id}` });
      },
    }),
    route(`GET ${INSIGHTS}`, "listInsights", "List insights", {
      ...base,
      ...aPage({
        desc: ListInsightsRequestSchema,
        page: pageOf("InsightPage", ListInsightsResponseSchema, { insights: s.list(Insight) }),
        get: (request, options) => service.listInsights(request, options),
        example: { insights: [LISTED_EXAMPLE], next_cursor: null },
        more: {
          status: s.optional(InsightStatus),
          q: s.optional(s.text("Only those with this text in their name or terms, in any case and with any accents.")),
          sort: s.optional(
            s.withKeywords(InsightSort, {
              description:
                "What they are sorted by: `created_at` (the default), `name` (without one, by terms), `activity` (when a posting was " +
                "last stored), or `postings` (their number).",
            }),
          ),
          ...METADATA_FILTER,
          order: s.from("ascending", s.optional(sortOrder("By default, `asc` for `name`, and `desc` otherwise."))),
        },
      }),
      description:
        "Newest first, or in another order. With `q` or `metadata.KEY`, a page looks through a limited number of insights: it may " +
        "have fewer entries than `limit`, or none, although more follow.",
    }),
    route(`POST ${INSIGHTS}/check`, "checkInsight", "Check a query", {
      ...base,
      description:
        "Tells how the keywords were understood, and what a search would do on each platform. Stores nothing and sends nothing " +
        "to the platforms. `start` and `end` of `details` say where each mistake in the keywords stands.",
      input: messageOf(CreateInsightRequestSchema, { body: NewInsight, check }),
      example: { query: { ...QUERY_EXAMPLE.query, keywords: PARSED_EXAMPLE.terms[0]?.text } },
      answers: { 200: { description: "The plan.", content: json(Check, CHECK_EXAMPLE) } },
      handle: async (context, request) => jsonReply(200, writeCheck(await check(request, context))),
    }),
    route(`GET ${INSIGHTS}/:id`, "getInsight", "Read an insight", {
      ...base,
      ...aRecord("The insight.", json(Insight, EXAMPLE)),
      handle: async (context) => {
        const { insight } = await service.getInsight({ id: context.pathId }, context.options());
        if (insight === undefined) throw new AppError("internal", "The insight could not be read. Try again later.");
        return { ...jsonReply(200, writeInsight(insight)), revision: insight.revision };
      },
    }),
    route(`PATCH ${INSIGHTS}/:id`, "updateInsight", "Change an insight", {
      ...base,
      description:
        "Changes the name, the note, the metadata and the query, and makes a preview continuous. What is absent or null stays as it is. A " +
        "changed query is a new version, by which is collected what is posted from then on; summaries show where it begins. The " +
        "same values again change nothing. Of changes that meet, each is made on what the one before has left.",
      input: changeOf(service, platforms),
      examples: CHANGE_EXAMPLES,
      ...aChange(json(ChangedInsight, { ...EXAMPLE, warnings: [] })),
      handle: async (context, request) => {
        const changed = await service.updateInsight(request, context.options());
        if (changed.insight === undefined) {
          throw new AppError("internal", "The insight could not be read. Try again later.");
        }
        return changedReply(writeChanged(changed), changed.insight.revision);
      },
    }),
    route(`DELETE ${INSIGHTS}/:id`, "deleteInsight", "Delete an insight", {
      ...base,
      description: "Erases the search and all its postings.",
      ...GONE,
      input: messageOf(DeleteInsightRequestSchema, { isConditional: true }),
      handle: async (context, request) => {
        await service.deleteInsight(request, context.options());
        return { status: 204 };
      },
    }),
    change("pauseInsight", "pause", "Pause an insight", "Afterwards no new posting is stored."),
    change("resumeInsight", "resume", "Resume an insight", "Collecting continues."),
  ];
}

type CreateInsight = MessageInitShape<typeof CreateInsightRequestSchema>;

/** The interface answers every failed pause or resume with 400, even for an unknown insight. */
async function noticed(change: () => Promise<{ notice: string }>): Promise<Reply> {
  try {
    const { notice } = await change();
    return jsonReply(200, { notice });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
    throw new AppError("invalid", error.message, { code: error.code, cause: error });
  }
}
