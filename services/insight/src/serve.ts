import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { outboundSettings, runPart } from "@hourglass/runtime";
import { insightSettings } from "./config.js";
import { buildInsightService } from "./service.js";
import { insightData } from "./store/service-data.js";

/** Entry point of the process that serves Insight and publishes what is due to the queue. Workers are separate processes. */
runPart({
  name: "insight",
  settings: { insight: insightSettings, outbound: outboundSettings },
  grpcPort: 50_054,
  opsPort: 9104,
  services: [InsightService],
  storage: ["store", "queue"],
  keeps: { data: ({ insight }) => [insightData(insight.platforms)] },
  // What is due waits in the store until the queue is back.
  servesWithout: ["queue"],
  build: async ({ storage, config, log, lifecycle, metrics }) => {
    const insights = await buildInsightService({ ...storage, config, log, metrics });
    lifecycle.add("requests to platforms", () => insights.close());
    const start = () => {
      const relay = insights.startRelay();
      lifecycle.addWork("relay", (graceMs) => relay.stop(graceMs));
    };
    return { routes: insights.routes, start };
  },
});
