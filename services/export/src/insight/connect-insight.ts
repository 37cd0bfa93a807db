import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import type { RemoteClients, ServiceTokens } from "@hourglass/runtime";
import type { Insight } from "./insight-port.js";

/** The insight service of another process. */
export async function connectInsight({
  client,
  serviceTokens,
}: {
  client: RemoteClients;
  serviceTokens: () => Promise<ServiceTokens>;
}): Promise<Insight> {
  return { client: await client(InsightService, "insight"), serviceTokens: await serviceTokens() };
}
