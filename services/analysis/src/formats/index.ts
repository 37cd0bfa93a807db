export { createInspector, inspect, inspectFile, inspecting, type Inspector } from "./inspector.js";
export { FILE_LIMIT_VARIABLES, toFileLimits, type FileLimits } from "./limit-variables.js";
export { UPLOAD_FORMATS, URL_FORMATS, type InspectionLimits } from "./limits.js";
export { UnacceptableFileError, type MediaFacts, type MediaFormat } from "./media-facts.js";
