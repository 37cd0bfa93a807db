export { POSTING_FIELDS, POSTING_KEYS, type PostingField, type PostingJson } from "./columns.js";
export { readCsv } from "./csv.js";
export { DEFAULT_PRESET, PRESETS, readColumnMap, type ColumnMap, type CsvLayout } from "./csv-layout.js";
export { GIVE_OWN_ID, type ImportRow, type PostingRow, type WrongRow } from "./import-rows.js";
export { readNdjson } from "./ndjson.js";
export { readRetentionDays, type RetentionDays, retentionVariables } from "./retention.js";
export { EXTRA_PLATFORM_VARIABLES, givePlatformOf, PLATFORM, platformNames } from "./platform.js";
export { GIVE_WHOLE_ID, isRoundedId, MEDIA_URLS, readPosting, toPostingJson } from "./posting-json.js";
