/** What threads that write postings need, without the modules that read them. */
export { toCsvCell } from "./csv/to-cell.js";
export { POSTING_FIELDS, type PostingValue } from "./fields.js";
export type { PostingJson } from "./to-json.js";
