import { ListInsightsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { AppError } from "@hourglass/runtime";
import type { Clients } from "../clients.js";
import type { Call } from "../http/call.js";
import type { Endpoint } from "../http/endpoint.js";
import { jsonReply, type Reply } from "../http/reply.js";
import { accepted } from "../json/field-errors.js";
import { fromInsight, fromSummary, toCreateInsightRequest, toSummarizeRequest } from "../json/insight.js";
import { fromCursor } from "../json/query.js";
import type { Violations } from "../json/reader.js";

/** Path of insights. */
export const INSIGHTS = "/api/v2/products/insight";

/** Creating, reading, pausing, resuming, summarising and deleting insights. */
export function insightRoutes({ insight: service }: Pick<Clients, "insight">): Endpoint[] {
  const base = { access: "insight" } as const;
  return [
    {
      ...base,
      method: "POST",
      path: INSIGHTS,
      body: "json",
      handle: async (call, body) => {
        const request = toCreateInsightRequest(body, call.idempotencyKey);
        const { id, notice } = await service.createInsight(request, call.options());
        return jsonReply(200, { notice }, ["Location", `${INSIGHTS}/${id}`]);
      },
    },
    { ...base, method: "GET", path: INSIGHTS, handle: (call) => listInsights(service, call) },
    { ...base, method: "GET", path: `${INSIGHTS}/:id`, handle: (call) => getInsight(service, call) },
    {
      ...base,
      method: "DELETE",
      path: `${INSIGHTS}/:id`,
      handle: async (call) => {
        await service.deleteInsight({ id: call.pathId }, call.options());
        return { status: 204 };
      },
    },
    {
      ...base,
      method: "PUT",
      path: `${INSIGHTS}/:id/pause`,
      handle: (call) => notice(() => service.pauseInsight({ id: call.pathId }, call.options())),
    },
    {
      ...base,
      method: "PUT",
      path: `${INSIGHTS}/:id/resume`,
      handle: (call) => notice(() => service.resumeInsight({ id: call.pathId }, call.options())),
    },
    {
      ...base,
      method: "GET",
      path: `${INSIGHTS}/:id/summary`,
      handle: async (call) => {
        const violations: Violations = [];
        const request = toSummarizeRequest(call.pathId, call.query(violations), violations);
        return jsonReply(200, fromSummary(await service.summarize(request, call.options())));
      },
    },
  ];
}

async function listInsights(service: Clients["insight"], call: Call): Promise<Reply> {
  const violations: Violations = [];
  const request = accepted(ListInsightsRequestSchema, call.page(call.query(violations)), violations);
  const { insights, nextCursor } = await service.listInsights(request, call.options());
  return jsonReply(200, { insights: insights.map(fromInsight), next_cursor: fromCursor(nextCursor) });
}

async function getInsight(service: Clients["insight"], call: Call): Promise<Reply> {
  const { insight } = await service.getInsight({ id: call.pathId }, call.options());
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
