export { createInspector, inspect, inspectFile, inspecting, type Inspector } from "./inspector.js";
export { UPLOAD_FORMATS, URL_FORMATS, type InspectionLimits } from "./limits.js";
export { UnacceptableFileError, type MediaFacts, type MediaFormat } from "./media-facts.js";
