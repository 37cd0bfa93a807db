import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { outboundSettings, runPart } from "@hourglass/runtime";
import { insightSettings } from "./config.js";
import { buildInsightService } from "./service.js";
import { insightData } from "./store/service-data.js";

/** Entry point of the process that serves Insight. Workers are separate processes. */
runPart({
  name: "insight",
  settings: { insight: insightSettings, outbound: outboundSettings },
  grpcPort: 50_054,
  opsPort: 9104,
  services: [InsightService],
  storage: ["store"],
  keeps: { data: ({ insight }) => [insightData(insight.platforms)] },
  build: async ({ storage, config, log, lifecycle, metrics }) => {
    const insights = await buildInsightService({ store: storage.store, config, log, metrics });
    lifecycle.add("requests to platforms", () => insights.close());
    return { routes: insights.routes };
  },
});
