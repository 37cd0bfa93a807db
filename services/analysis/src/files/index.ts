export { createFileAnalyst, type FileAnalystDeps } from "./create-file-analyst.js";
export {
  type FileAnalysisRequest,
  type FileAnalyst,
  type FileContent,
  type FileFindings,
  UnusableFileError,
} from "./file-analyst.js";
export { openFileAnalyst } from "./open-file-analyst.js";
export { SiteTime } from "./site-time.js";
