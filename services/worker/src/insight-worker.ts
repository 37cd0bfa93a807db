import { buildInsightService, INSIGHT_ROLES } from "@hourglass/insight";
import { startRoles } from "@hourglass/runtime";
import type { WorkerProcess } from "./worker-process.js";

/** Builds insights: only the role that analyses postings needs the analyses. */
export async function buildInsightWork(process: WorkerProcess): Promise<() => void> {
  const { storage, config, log, lifecycle, metrics } = process;
  const analysts = config.work.roles.includes("insight.analyse") ? await process.analyses() : {};
  const insights = await buildInsightService({ store: storage.store, ...analysts, config, log, metrics });
  lifecycle.add("requests to platforms", () => insights.close());
  return () => startRoles(INSIGHT_ROLES, insights, { wanted: config.work.roles, lifecycle });
}
