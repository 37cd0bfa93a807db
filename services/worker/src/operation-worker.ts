import { buildOperationService, connectMedia, OPERATION_ROLES } from "@hourglass/operation";
import { startRoles } from "@hourglass/runtime";
import type { WorkerProcess } from "./worker-process.js";

/**
 * Builds operations: only the role that carries them out needs the analyses, and only the one that erases them when their
 * time is over needs Media.
 */
export async function buildOperationWork(process: WorkerProcess): Promise<() => void> {
  const { storage, config, log, lifecycle, metrics } = process;
  const { queue } = storage;
  if (queue === undefined) throw new Error("the work of operations needs the queue");
  const analysts = config.work.roles.includes("operation.run") ? await process.analyses() : {};
  const { retentionDays } = config.operation;
  const sweeps = config.work.roles.includes("operation.sweep") && retentionDays !== undefined;
  const media = sweeps ? { media: await connectMedia(process) } : {};
  const operations = await buildOperationService({
    store: storage.store,
    queue,
    ...analysts,
    ...media,
    config: config.operation,
    log,
    metrics,
  });
  return () => startRoles(OPERATION_ROLES, operations, { wanted: config.work.roles, lifecycle });
}
