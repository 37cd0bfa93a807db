export { type MediaFacts, type MediaFormat, UnacceptableFileError } from "./facts.js";
export {
  createInspector,
  DECODER_VARIABLES,
  FILE_LIMIT_VARIABLES,
  type FileLimits,
  inspectFile,
  toFileLimits,
} from "./inspector.js";
