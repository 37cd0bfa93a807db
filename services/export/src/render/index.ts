export { type Erased, holdsErased } from "./erase-lines.js";
export { toBlocks } from "./lines.js";
export type { Sink } from "./outlet.js";
export { jsonArraySize, readJsonArray } from "./read/json-array.js";
export { readInForm, tagOfForm } from "./read/export-form.js";
export type { ProjectOptions } from "./read/project-export.js";
export { renderExport, rewriteExport, type RenderOptions, startExportThread } from "./render-export.js";
export {
  RENDERED_FORMATS,
  type Rendered,
  type RenderedFormat,
  type Sinks,
  type StoredExport,
} from "./rendered-files.js";
export type { RenderThread } from "./thread/render-thread.js";
export type { Digest } from "./digest.js";
