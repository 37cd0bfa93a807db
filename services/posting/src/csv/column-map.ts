import { giveAtMost, giveOneOf } from "@hourglass/runtime";
import { list, object, string, wrong, type ObjectReader, type Read, type Violations } from "@hourglass/runtime/json";
import { POSTING_FIELDS } from "../fields.js";
import { MEDIA_URLS } from "../from-json.js";
import { DATE_FORMATS, type DateFormat } from "./date-format.js";

/** Where the value of a key comes from. */
export type CellSource =
  /** The first of these columns that is not empty in the row. */
  | { readonly first: readonly string[]; readonly format?: DateFormat }
  /** All of these columns that are not empty, with a blank line between them. */
  | { readonly join: readonly string[] }
  /** A text with columns in braces; empty if one of them is. */
  | { readonly template: string }
  /** The same for every row. */
  | { readonly value: string };

/** Sources by key of the posting object. */
export type ColumnMap = ReadonlyMap<string, CellSource>;

/** Maps only: date and time in one column. */
export const POSTED_AT = "posted_at";
/** Maps only: an entry of `more_info`, such as `more_info.thread`. */
export const MORE_INFO_ENTRY = /^more_info\.([A-Za-z0-9_]{1,50})$/;

const KEYS: readonly string[] = [
  ...POSTING_FIELDS.filter(({ imported }) => imported).map(({ key }) => key),
  POSTED_AT,
  MEDIA_URLS,
];

/** Larger maps are not examined. */
const ENTRIES_MAX = 200;
const COLUMNS_MAX = 20;
const EXAMPLE = 'Give a column, such as {"text_of_post":"body"}, or a value, such as {"platform":{"value":"reddit"}}.';

/** Reads a column map: a JSON object of keys with their columns, constants, or dates with their format. */
export const readColumnMap: Read<ColumnMap> = (value, path, violations) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(violations, path, EXAMPLE);
  const entries = Object.entries(value);
  if (entries.length > ENTRIES_MAX) return wrong(violations, path, `Give at most ${ENTRIES_MAX} keys.`);
  const map = new Map<string, CellSource>();
  for (const [key, entry] of entries) {
    const place = `${path}.${key}`;
    const isKnown = KEYS.includes(key) || MORE_INFO_ENTRY.test(key);
    const source = isKnown ? readSource(entry, place, violations) : wrong(violations, place, giveOneOf(KEYS, key));
    if (source !== null) map.set(key, source);
  }
  return map;
};

const readSource: Read<CellSource> = (value, path, violations) =>
  typeof value === "string" ? { first: [value] } : readDetailed(value, path, violations);

const columns = list(string, { itemsMax: COLUMNS_MAX, placeholder: () => "" });

const dateFormat: Read<DateFormat> = (value, path, violations) =>
  DATE_FORMATS.find((format) => format === value) ?? wrong(violations, path, giveOneOf(DATE_FORMATS, value));

const template: Read<string> = (value, path, violations) => {
  const text = string(value, path, violations);
  const isShort = text === null || columnsOf({ template: text }).length <= COLUMNS_MAX;
  return isShort ? text : wrong(violations, path, giveAtMost(COLUMNS_MAX, "column"));
};

/** The forms of a source, by the field that tells them apart. */
const FORMS: readonly (readonly [name: string, read: (fields: ObjectReader) => CellSource])[] = [
  ["value", (fields) => ({ value: fields.required("value", string) ?? "" })],
  ["column", (fields) => ({ first: [fields.required("column", string) ?? ""], ...formatIn(fields) })],
  ["first", (fields) => ({ first: fields.required("first", columns) ?? [], ...formatIn(fields) })],
  ["join", (fields) => ({ join: fields.required("join", columns) ?? [] })],
  ["template", (fields) => ({ template: fields.required("template", template) ?? "" })],
];

const readDetailed: Read<CellSource> = (value, path, violations) => {
  const form = FORMS.find(([name]) => typeof value === "object" && value !== null && Object.hasOwn(value, name));
  return form === undefined ? wrong(violations, path, EXAMPLE) : object(form[1])(value, path, violations);
};

function formatIn(fields: ObjectReader): { format?: DateFormat } {
  const format = fields.optional("format", dateFormat);
  return format === undefined ? {} : { format };
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

/** The columns that a source reads. */
export function columnsOf(source: CellSource): string[] {
  if ("first" in source) return [...source.first];
  if ("join" in source) return [...source.join];
  if ("template" in source) return [...source.template.matchAll(PLACEHOLDER)].map(([, column = ""]) => column);
  return [];
}

/** Fills the placeholders of a template; empty if a value is empty. */
export function fill(template: string, cell: (column: string) => string): string {
  const isWhole = columnsOf({ template }).every((column) => cell(column).trim() !== "");
  return isWhole ? template.replace(PLACEHOLDER, (_, column: string) => cell(column).trim()) : "";
}

/** Adds a violation for every key of the map whose columns the file does not have. */
export function checkColumns(
  map: ColumnMap,
  header: ReadonlyMap<string, unknown>,
  path: string,
  violations: Violations,
): void {
  const names = shownNames(header);
  for (const [key, source] of map) {
    const needed = columnsOf(source);
    const missing = needed.filter((column) => !header.has(column));
    // Of alternatives one is enough.
    const isReadable = "first" in source ? missing.length < needed.length : missing.length === 0;
    if (!isReadable) wrong(violations, `${path}.${key}`, giveOneOf(names, missing[0]));
  }
}

const NAMES_SHOWN_MAX = 100;
const NAME_CHARACTERS_MAX = 60;

/** The names of columns as an error shows them, since a header may be as long as a row. */
export function shownNames(header: ReadonlyMap<string, unknown>): string[] {
  return [...header.keys()].slice(0, NAMES_SHOWN_MAX).map((name) => name.slice(0, NAME_CHARACTERS_MAX));
}
