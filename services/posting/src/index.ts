export {
  EXPORTED_KEYS,
  POSTED_AT,
  POSTING_FIELDS,
  POSTING_KEYS,
  type PostingField,
  type PostingJson,
} from "./columns.js";
export { canonicalUrl } from "./addresses.js";
export { countryCodeOf, isLanguageCode, languageCodeOf } from "./codes.js";
export { readCsv, type CsvReading } from "./csv.js";
export { DATE_FORMATS, type DateFormat, dateFormatNamed } from "./date-format.js";
export { DEFAULT_PRESET, PRESETS, readColumnMap, type ColumnMap, type CsvLayout } from "./csv-layout.js";
export type { StatedDates } from "./file-dates.js";
export { ImportNotes } from "./import-notes.js";
export { GIVE_OWN_ID, type ImportRow, type PostingRow, type WrongRow } from "./import-rows.js";
export { readNdjson } from "./ndjson.js";
export { readRetentionDays, type RetentionDays, retentionVariables } from "./retention.js";
export { EXTRA_PLATFORM_VARIABLES, givePlatformOf, PLATFORM, platformNames } from "./platform.js";
export {
  GIVE_WHOLE_ID,
  isBlank,
  isRoundedId,
  MEDIA_URLS,
  NOTHING_TO_READ,
  readPosting,
  toExportedJson,
  toPostingJson,
} from "./posting-json.js";
export { isTimeZone } from "./time-zone.js";
