import type { WorkerRole } from "@hourglass/runtime";
import type { BuiltExportService } from "./export-service.js";

/** The background work of exports: rendering them, and removing what has expired or was erased. */
export const EXPORT_ROLES: readonly WorkerRole<BuiltExportService>[] = [
  { role: "export.run", start: (exports) => exports.startWorker() },
  { role: "export.sweep", start: (exports) => exports.startSweeper() },
];
