import { buildExportService, connectInsight, EXPORT_ROLES } from "@hourglass/export";
import { startRoles } from "@hourglass/runtime";
import type { WorkerProcess } from "./worker-process.js";

/** Builds exports, which read their postings from Insight by tokens of this process. */
export async function buildExportWork(process: WorkerProcess): Promise<() => void> {
  const { storage, config, log, lifecycle, metrics } = process;
  const { store, blobs, queue } = storage;
  if (queue === undefined) throw new Error("the work of exports needs the queue");
  const insight = await connectInsight(process);
  const exports = await buildExportService({ store, blobs, queue, insight, config: config.export, log, metrics });
  return () => startRoles(EXPORT_ROLES, exports, { wanted: config.work.roles, lifecycle });
}
