import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { connectService } from "@hourglass/runtime";
import type { Insight } from "./insight-port.js";

/** The insight service of another process. */
export function connectInsight(part: Parameters<typeof connectService>[0]): Promise<Insight> {
  return connectService(part, InsightService, "insight");
}
