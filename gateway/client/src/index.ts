export type { components, operations, paths } from "./api.js";
export { type FieldError, HourglassError } from "./errors.js";
export {
  type Export,
  Hourglass,
  type HourglassOptions,
  type Insight,
  type ListedExport,
  type ListedOperation,
  type NewOperation,
  type Operation,
  type Posting,
  type User,
  type WaitOptions,
} from "./hourglass.js";
export type { UploadOptions, UploadProgress } from "./upload.js";
