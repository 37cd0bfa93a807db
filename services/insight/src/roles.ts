import type { WorkerRole } from "@hourglass/runtime";
import type { BuiltInsightService } from "./service.js";

/** The background work of insights: collecting postings, analyzing them, and ending and erasing what is due. */
export const INSIGHT_ROLES: readonly WorkerRole<BuiltInsightService>[] = [
  { role: "insight.collect", start: (insights) => insights.startCollector() },
  { role: "insight.analyse", start: (insights) => insights.startAnalysis() },
  { role: "insight.sweep", start: (insights) => insights.startSweeper() },
];
