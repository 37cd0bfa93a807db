export { exportSettings } from "./config.js";
export { connectInsight } from "./insight.js";
export { jsonArraySize, readJsonArray, type StoredLines } from "./render/json.js";
export {
  RENDERED_FORMATS,
  renderExport,
  rewriteExport,
  type Sinks,
  startExportThread,
  toBlocks,
} from "./render/render.js";
export {
  buildExportService,
  type BuiltExportService,
  EXPORT_FAILPOINTS,
  EXPORT_ROLES,
  type ExportServiceDeps,
} from "./service.js";
export { EXPORT_DATA, EXPORTS } from "./store.js";
