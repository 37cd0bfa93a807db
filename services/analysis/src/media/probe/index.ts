export { type MediaFacts, type MediaFormat, UnacceptableFileError } from "./facts.js";
export { createInspector, inspectFile } from "./inspector.js";
export { DECODER_VARIABLES, FILE_LIMIT_VARIABLES, type FileLimits, toFileLimits } from "./limits.js";
