export type { components, operations, paths } from "./api.js";
export { type FieldError, HourglassError } from "./errors.js";
export {
  type AnalyzeAllOptions,
  type AnalyzeOptions,
  type Export,
  Hourglass,
  type HourglassOptions,
  type Insight,
  type LargeOperation,
  type ListedExport,
  type ListedOperation,
  type NewExport,
  type NewInsight,
  type NewOperation,
  type Operation,
  type OperationContent,
  type Posting,
  type Summary,
  type User,
} from "./hourglass.js";
export type { UploadOptions, UploadProgress } from "./upload.js";
export type { WaitOptions } from "./wait.js";
