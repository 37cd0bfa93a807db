import { ListInsightsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { AppError } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import { jsonReply, type Reply } from "../http/reply.js";
import type { RevisedResponses } from "../http/response-cache.js";
import type { Endpoint, RouteContext } from "../http/route.js";
import { accepted, refusal } from "../json/field-errors.js";
import { fromCursor } from "../json/fields.js";
import {
  fromCheck,
  fromCoverage,
  fromInsight,
  fromPlatformInfo,
  toGetCoverageRequest,
  toNewInsight,
} from "../json/insight.js";
import { fromSummary, toSummarizeRequest } from "../json/summary.js";
import type { Clients } from "../services.js";

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

/** Filters that no kept count answers. */
const COUNTED_ONE_BY_ONE = ["sentiment", "intention", "language", "q"] as const;

/** Time for counting a year of postings one by one, as some filters need it, in milliseconds. */
const SUMMARY_TIMEOUT_MS = 60_000;

/** Creating, checking, reading, pausing, resuming, summarizing and deleting insights. */
export class InsightRoutes {
  readonly endpoints: readonly Endpoint[];

  constructor(
    private readonly service: Clients["insight"],
    /** The platforms of this server. */
    private readonly platforms: readonly string[],
    private readonly cached: RevisedResponses,
  ) {
    this.endpoints = insightEndpoints(INSIGHT_PLACES, {
      createInsight: { body: "json", handle: (context, body) => this.create(context, body) },
      listInsights: { handle: (context) => this.list(context) },
      checkInsight: { body: "json", handle: (context, body) => this.check(context, body) },
      listPlatforms: { handle: (context) => this.listPlatforms(context) },
      getInsight: { handle: (context) => this.get(context) },
      deleteInsight: { handle: (context) => this.delete(context) },
      pauseInsight: { handle: (context) => this.pause(context) },
      resumeInsight: { handle: (context) => this.resume(context) },
      getCoverage: { handle: (context) => this.getCoverage(context) },
      summarizeInsight: { handle: (context) => this.summarize(context) },
    });
  }

  private async create(context: RouteContext, body: Record<string, unknown>): Promise<Reply> {
    const request = await this.readNewInsight(context, body);
    const { idempotencyKey } = context;
    const { id, notice: text } = await this.service.createInsight({ ...request, idempotencyKey }, context.options());
    context.concerns(id);
    return jsonReply(200, { notice: text }, ["Location", `${INSIGHTS}/${id}`]);
  }

  private async check(context: RouteContext, body: Record<string, unknown>): Promise<Reply> {
    const request = await this.readNewInsight(context, body);
    return jsonReply(200, fromCheck(await this.service.checkInsight(request, context.options())));
  }

  /** Throws AppError `invalid` that names every wrong field, mistakes in the keywords included. */
  private async readNewInsight(
    context: RouteContext,
    body: Record<string, unknown>,
  ): Promise<ReturnType<typeof toNewInsight>> {
    const violations: Violations = [];
    const request = toNewInsight(body, this.platforms, violations);
    const check = () => this.service.checkInsight(request, context.options());
    if (violations.length > 0) throw await refusal(violations, check);
    return request;
  }

  private async list(context: RouteContext): Promise<Reply> {
    const violations: Violations = [];
    const request = accepted(ListInsightsRequestSchema, context.page(context.query(violations)), violations);
    const { insights, nextCursor } = await this.service.listInsights(request, context.options());
    return jsonReply(200, { insights: insights.map(fromInsight), next_cursor: fromCursor(nextCursor) });
  }

  private async listPlatforms(context: RouteContext): Promise<Reply> {
    const { platforms } = await this.service.listPlatforms({}, context.options());
    return jsonReply(200, { platforms: platforms.map(fromPlatformInfo) });
  }

  private async get(context: RouteContext): Promise<Reply> {
    const { insight } = await this.service.getInsight({ id: context.pathId }, context.options());
    if (insight === undefined) throw new AppError("internal", "The insight could not be read. Try again later.");
    return jsonReply(200, fromInsight(insight));
  }

  private async delete(context: RouteContext): Promise<Reply> {
    await this.service.deleteInsight({ id: context.pathId }, context.options());
    return { status: 204 };
  }

  private pause(context: RouteContext): Promise<Reply> {
    return notice(() => this.service.pauseInsight({ id: context.pathId }, context.options()));
  }

  private resume(context: RouteContext): Promise<Reply> {
    return notice(() => this.service.resumeInsight({ id: context.pathId }, context.options()));
  }

  private async getCoverage(context: RouteContext): Promise<Reply> {
    const violations: Violations = [];
    const request = toGetCoverageRequest(context.pathId, context.query(violations), violations);
    return jsonReply(200, fromCoverage(await this.service.getCoverage(request, context.options())));
  }

  private summarize(context: RouteContext): Promise<Reply> {
    const violations: Violations = [];
    const fields = context.query(violations);
    const [platforms, compare] = [context.queryValues("platform"), context.queryValues("compare")];
    const query = { id: context.pathId, fields, platforms, known: this.platforms, compare };
    const request = toSummarizeRequest(query, violations);
    const summarize = (knownRevision: string) =>
      this.service
        .summarize({ ...request, knownRevision }, context.options(SUMMARY_TIMEOUT_MS))
        .catch((error: unknown) => {
          throw error instanceof AppError && error.kind === "deadline" ? tooMany(request.filter, error) : error;
        });
    return this.cached.reply(context, summarize, ({ summary }) => {
      if (summary === undefined) throw new AppError("internal", "The summary could not be read. Try again later.");
      return fromSummary(summary);
    });
  }
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
