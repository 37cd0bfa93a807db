import { ListInsightsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { AppError } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import type { Clients } from "../services.js";
import type { RouteContext, Endpoint } from "../http/route.js";
import { jsonReply, type Reply } from "../http/reply.js";
import type { GatewaySettings } from "../config.js";
import { accepted, refusal } from "../json/field-errors.js";
import {
  fromInsight,
  toNewInsight,
  fromCheck,
  fromPlatformInfo,
  fromCoverage,
  toGetCoverageRequest,
} from "../json/insight.js";
import { fromCursor } from "../json/fields.js";
import { fromSummary, toSummarizeRequest } from "../json/summary.js";
import type { KeptAnswers } from "../http/response-cache.js";

/** Path of insights. */
export const INSIGHTS = "/api/v2/products/insight";

/**
 * Methods and paths of insights, by the id of their description; routes and OpenAPI both follow from them. Fixed names
 * come before ids.
 */
export const INSIGHT_PLACES = {
  createInsight: { method: "POST", path: INSIGHTS },
  listInsights: { method: "GET", path: INSIGHTS },
  checkInsight: { method: "POST", path: `${INSIGHTS}/check` },
  listPlatforms: { method: "GET", path: `${INSIGHTS}/platforms` },
  getInsight: { method: "GET", path: `${INSIGHTS}/:id` },
  deleteInsight: { method: "DELETE", path: `${INSIGHTS}/:id` },
  pauseInsight: { method: "PUT", path: `${INSIGHTS}/:id/pause` },
  resumeInsight: { method: "PUT", path: `${INSIGHTS}/:id/resume` },
  getCoverage: { method: "GET", path: `${INSIGHTS}/:id/coverage` },
  summarizeInsight: { method: "GET", path: `${INSIGHTS}/:id/summary` },
} as const satisfies Readonly<Record<string, Place>>;

/** Methods and paths of postings. */
export const POSTING_PLACES = {
  erasePostings: { method: "DELETE", path: `${INSIGHTS}/postings` },
  listPostings: { method: "GET", path: `${INSIGHTS}/:id/postings` },
  importPostings: { method: "POST", path: `${INSIGHTS}/:id/postings` },
} as const satisfies Readonly<Record<string, Place>>;

type Service = Clients["insight"];

/** The service, and the platforms of this server. */
interface Known {
  readonly service: Service;
  readonly platforms: readonly string[];
}

/** Filters that no kept count answers. */
const COUNTED_ONE_BY_ONE = ["sentiment", "intention", "language", "q"] as const;

/** Time for counting a year of postings one by one, as some filters need it, in milliseconds. */
const SUMMARY_TIMEOUT_MS = 60_000;

/** Creating, checking, reading, pausing, resuming, summarising and deleting insights. */
export function insightRoutes(
  { insight: service }: Pick<Clients, "insight">,
  { platforms }: Pick<Required<GatewaySettings>, "platforms">,
  kept: KeptAnswers,
): Endpoint[] {
  const known = { service, platforms };
  return insightEndpoints(INSIGHT_PLACES, {
    createInsight: { body: "json", handle: (context, body) => createInsight(known, context, body) },
    listInsights: { handle: (context) => listInsights(service, context) },
    checkInsight: {
      body: "json",
      handle: async (context, body) => {
        const request = await readNewInsight(known, context, body);
        return jsonReply(200, fromCheck(await service.checkInsight(request, context.options())));
      },
    },
    listPlatforms: {
      handle: async (context) => {
        const { platforms: all } = await service.listPlatforms({}, context.options());
        return jsonReply(200, { platforms: all.map(fromPlatformInfo) });
      },
    },
    getInsight: { handle: (context) => getInsight(service, context) },
    deleteInsight: {
      handle: async (context) => {
        await service.deleteInsight({ id: context.pathId }, context.options());
        return { status: 204 };
      },
    },
    pauseInsight: {
      handle: (context) => notice(() => service.pauseInsight({ id: context.pathId }, context.options())),
    },
    resumeInsight: {
      handle: (context) => notice(() => service.resumeInsight({ id: context.pathId }, context.options())),
    },
    getCoverage: {
      handle: async (context) => {
        const violations: Violations = [];
        const request = toGetCoverageRequest(context.pathId, context.query(violations), violations);
        return jsonReply(200, fromCoverage(await service.getCoverage(request, context.options())));
      },
    },
    summarizeInsight: { handle: (context) => summarizeInsight(known, kept, context) },
  });
}

async function summarizeInsight(
  { service, platforms: known }: Known,
  kept: KeptAnswers,
  context: RouteContext,
): Promise<Reply> {
  const violations: Violations = [];
  const fields = context.query(violations);
  const [platforms, compare] = [context.queryValues("platform"), context.queryValues("compare")];
  const request = toSummarizeRequest({ id: context.pathId, fields, platforms, known, compare }, violations);
  const summarize = (knownRevision: string) =>
    service.summarize({ ...request, knownRevision }, context.options(SUMMARY_TIMEOUT_MS)).catch((error: unknown) => {
      throw error instanceof AppError && error.kind === "deadline" ? tooMany(request.filter, error) : error;
    });
  return kept.reply(context, summarize, ({ summary }) => {
    if (summary === undefined) throw new AppError("internal", "The summary could not be read. Try again later.");
    return fromSummary(summary);
  });
}

/** Repeating helps only where the counts are kept: what is counted one by one is counted from the beginning again. */
function tooMany(filter: Partial<Record<(typeof COUNTED_ONE_BY_ONE)[number], string>> = {}, cause: AppError): AppError {
  const names = COUNTED_ONE_BY_ONE.filter((name) => (filter[name] ?? "").trim() !== "");
  const text =
    names.length > 0
      ? `There are too many postings to count those with this ${names.join(" and ")} in time. Ask for fewer days at a time.`
      : "Many postings have changed and are still being counted. Try again in a minute.";
  return new AppError("deadline", text, { cause });
}

async function createInsight(known: Known, context: RouteContext, body: Record<string, unknown>): Promise<Reply> {
  const request = await readNewInsight(known, context, body);
  const { idempotencyKey } = context;
  const { id, notice: text } = await known.service.createInsight({ ...request, idempotencyKey }, context.options());
  context.concerns(id);
  return jsonReply(200, { notice: text }, ["Location", `${INSIGHTS}/${id}`]);
}

/** Throws AppError `invalid` that names every wrong field, mistakes in the keywords included. */
async function readNewInsight(
  { service, platforms }: Known,
  context: RouteContext,
  body: Record<string, unknown>,
): Promise<ReturnType<typeof toNewInsight>> {
  const violations: Violations = [];
  const request = toNewInsight(body, platforms, violations);
  if (violations.length > 0) throw await refusal(violations, () => service.checkInsight(request, context.options()));
  return request;
}

async function listInsights(service: Service, context: RouteContext): Promise<Reply> {
  const violations: Violations = [];
  const request = accepted(ListInsightsRequestSchema, context.page(context.query(violations)), violations);
  const { insights, nextCursor } = await service.listInsights(request, context.options());
  return jsonReply(200, { insights: insights.map(fromInsight), next_cursor: fromCursor(nextCursor) });
}

async function getInsight(service: Service, context: RouteContext): Promise<Reply> {
  const { insight } = await service.getInsight({ id: context.pathId }, context.options());
  if (insight === undefined) throw new AppError("internal", "The insight could not be read. Try again later.");
  return jsonReply(200, fromInsight(insight));
}

/** The interface answers every failed pause or resume with 400, even for an unknown insight. */
async function notice(change: () => Promise<{ notice: string }>): Promise<Reply> {
  try {
    const { notice: text } = await change();
    return jsonReply(200, { notice: text });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
    throw new AppError("invalid", error.message, { code: error.code, cause: error });
  }
}

type Place = Pick<Endpoint, "method" | "path">;

type WithoutPlace<E> = E extends Endpoint ? Omit<E, keyof Place | "access" | "record"> : never;

/** An endpoint without its place. */
type Handler = WithoutPlace<Endpoint>;

/** The endpoints of a table: each place with its handler. */
export function insightEndpoints<K extends string>(
  places: Readonly<Record<K, Place>>,
  handlers: Readonly<Record<K, Handler>>,
): Endpoint[] {
  return Object.entries<Place>(places).map(([name, place]) => {
    const handler: Handler = handlers[name as K];
    return { ...handler, ...place, access: "insight", record: "insight" };
  });
}
