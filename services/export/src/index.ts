export { buildExportService, type BuiltExportService, type ExportServiceDeps } from "./export-service.js";
export { exportSettings, type ExportConfig } from "./config.js";
export { connectInsight } from "./insight/connect-insight.js";
export { RUN_QUEUE } from "./job/export-kind.js";
export { EXPORT_FAILPOINTS } from "./job/failpoints.js";
export { EXPORT_DATA } from "./records/collections.js";
export { EXPORT_ROLES } from "./roles.js";
