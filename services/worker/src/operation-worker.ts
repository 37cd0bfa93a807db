import { openFileAnalyst } from "@hourglass/analysis/files";
import { buildOperationService, OPERATION_ROLES } from "@hourglass/operation";
import { startRoles } from "@hourglass/runtime";
import type { WorkerProcess, WorkerService } from "./worker-service.js";

/** Operations: only the role that carries them out needs the analyses. */
export const operationWorker: WorkerService = {
  roles: OPERATION_ROLES.map(({ role }) => role),
  build: async (process) => {
    const { storage, config, log, lifecycle, metrics } = process;
    const analysts = config.work.roles.includes("operation.run") ? await openAnalysts(process) : {};
    const operations = await buildOperationService({ ...storage, ...analysts, config: config.operation, log, metrics });
    return () => startRoles(OPERATION_ROLES, operations, { wanted: config.work.roles, lifecycle });
  },
};

async function openAnalysts({ storage: { blobs }, config, log, lifecycle, analyses }: WorkerProcess) {
  const { texts, media } = analyses();
  return { pool: texts, files: await openFileAnalyst({ config, blobs, pool: media, lifecycle, log }) };
}
