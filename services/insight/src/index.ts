import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { route, type Route } from "@hourglass/runtime";

/**
 * The insight service. None of its methods is implemented: each checks its caller and request, then answers
 * UNIMPLEMENTED.
 */
export function buildInsightService(): { routes: Route[] } {
  return { routes: [route(InsightService, {}, { product: "insight" })] };
}

export { insightSettings, type InsightConfig } from "./config.js";
