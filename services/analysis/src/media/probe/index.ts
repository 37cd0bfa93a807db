export { type MediaFacts, type MediaFormat, UnacceptableFileError } from "./facts.js";
export { createInspector, FILE_LIMIT_VARIABLES, type FileLimits, inspectFile, toFileLimits } from "./inspector.js";
