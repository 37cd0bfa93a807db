import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { runPart } from "@hourglass/runtime";
import { buildInsightService, insightSettings } from "./index.js";

/** Entry point of the process that serves Insight. */
runPart({
  name: "insight",
  settings: { insight: insightSettings },
  grpcPort: 50_054,
  opsPort: 9104,
  services: [InsightService],
  storage: [],
  build: () => Promise.resolve(buildInsightService()),
});
