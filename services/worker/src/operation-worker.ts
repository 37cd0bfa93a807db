import { buildOperationService, OPERATION_ROLES } from "@hourglass/operation";
import { startRoles } from "@hourglass/runtime";
import type { WorkerProcess } from "./worker-process.js";

/** Builds operations: only the role that carries them out needs the analyses. */
export async function buildOperationWork(process: WorkerProcess): Promise<() => void> {
  const { storage, config, log, lifecycle, metrics } = process;
  const { queue } = storage;
  if (queue === undefined) throw new Error("the work of operations needs the queue");
  const analysts = config.work.roles.includes("operation.run") ? await process.analyses() : {};
  const operations = await buildOperationService({
    store: storage.store,
    queue,
    ...analysts,
    config: config.operation,
    log,
    metrics,
  });
  return () => startRoles(OPERATION_ROLES, operations, { wanted: config.work.roles, lifecycle });
}
