import type { WorkerRole } from "@hourglass/runtime";
import type { BuiltOperationService } from "./operation-service.js";

/** The background work of operations: carrying them out, and repairing what crashes left behind. */
export const OPERATION_ROLES: readonly WorkerRole<BuiltOperationService>[] = [
  { role: "operation.run", start: (operations) => operations.startWorker() },
  { role: "operation.sweep", start: (operations) => operations.startSweeper() },
];
