import { AppError, counted } from "@hourglass/runtime";
import { parseLongNumbers, toDate, tooMuchJson, wrong, type Violations } from "@hourglass/runtime/json";
import { POSTING_FIELDS, type PostingValue } from "../fields.js";
import { ITEMS_MAX, MEDIA_URLS, readPosting } from "../from-json.js";
import { JSON_LIMITS, ROW_BYTES_MAX, type ImportRow } from "../rows/row.js";
import { toPostDate, toPostTime } from "../to-json.js";
import {
  checkColumns,
  columnsOf,
  fill,
  MORE_INFO_ENTRY,
  POSTED_AT,
  shownNames,
  type CellSource,
  type ColumnMap,
} from "./column-map.js";
import { readCellDate } from "./date-format.js";
import { fromFormulaSafe } from "./formula-safe.js";
import { PRESETS, type Layout } from "./presets.js";
import type { CsvRow } from "./row-scanner.js";

/** How the rows of a CSV file become postings. */
export interface CsvLayout {
  /** Name of a preset; without one, the map says everything. */
  readonly preset?: string | undefined;
  /** Comes before the preset. */
  readonly map?: ColumnMap | undefined;
}

/** Reads a row. */
export type RowReader = (row: CsvRow) => ImportRow;

/** Characters of the cells that a row may be made of; a map can name each cell any number of times. */
const CHARACTERS_MAX = 4 * ROW_BYTES_MAX;

/**
 * Returns a reader for the rows of a file with the given header. Throws AppError `invalid` if the layout does not fit the
 * file.
 */
export function createRowReader(header: readonly string[], { preset, map }: CsvLayout): RowReader {
  const violations: Violations = [];
  const columns = new Map(header.map((name, index) => [name, index]));
  const layout = preset === undefined ? undefined : chooseLayout(preset, columns, violations);
  if (map !== undefined) checkColumns(map, columns, "map", violations);
  if (violations.length > 0) throw AppError.invalid(violations);
  const sources = readable(new Map([...(layout?.map ?? []), ...(map ?? [])]), columns);
  checkRequired(sources, columns);
  const isOwn = layout?.formulaSafe === true;
  const clean = isOwn ? fromFormulaSafe : unchanged;
  const isGiven = isOwn ? isOwnGiven : isAnyGiven;
  return (row) => {
    let characters = 0;
    const cell = (column: string) => {
      const text = row.cell(columns.get(column) ?? -1);
      characters += text.length;
      return clean(text);
    };
    return readRow(row.number, sources, { cell, isGiven, isTooLong: () => characters > CHARACTERS_MAX });
  };
}

type Columns = ReadonlyMap<string, number>;

function chooseLayout(preset: string, header: Columns, violations: Violations): Layout | undefined {
  const layouts = PRESETS.get(preset) ?? [];
  const found = layouts.find(({ marks }) => marks.every((column) => header.has(column)));
  const needed = layouts.map(({ marks }) => marks.join(" and ")).join(", or ");
  if (found === undefined) wrong(violations, "preset", `Give a file with the columns ${needed}, or a map.`);
  return found;
}

/** Without the keys of a preset whose columns the file does not have. */
function readable(map: ColumnMap, header: Columns): ColumnMap {
  return new Map(
    [...map].filter(([, source]) => {
      const needed = columnsOf(source);
      return needed.length === 0 || needed.some((column) => header.has(column));
    }),
  );
}

function checkRequired(sources: ColumnMap, header: Columns): void {
  const violations: Violations = [];
  const columns = `The file has these columns: ${shownNames(header).join(", ")}.`;
  if (!sources.has("platform")) {
    wrong(violations, "map.platform", `Give a column or a value, such as {"platform":{"value":"reddit"}}. ${columns}`);
  }
  if (!sources.has(POSTED_AT) && !(sources.has("post_date") && sources.has("post_time"))) {
    wrong(violations, `map.${POSTED_AT}`, `Give the column of the time, such as {"posted_at":"created"}. ${columns}`);
  }
  if (violations.length > 0) throw AppError.invalid(violations);
}

interface RowCells {
  cell: (column: string) => string;
  /** Whether a cell holds a value for the key. */
  isGiven: (text: string, key: string) => boolean;
  /** Whether more was read than a row may be made of. */
  isTooLong: () => boolean;
}

function isAnyGiven(text: string): boolean {
  return text.trim() !== "";
}

/** Our own exports are brought in as they were, texts of nothing but spaces included. */
function isOwnGiven(text: string, key: string): boolean {
  return VALUES.get(key) === "text" ? text !== "" : isAnyGiven(text);
}

function readRow(row: number, sources: ColumnMap, cells: RowCells): ImportRow {
  const violations: Violations = [];
  const object: Record<string, unknown> = {};
  for (const [key, source] of sources) {
    const text = textOf(source, key, cells);
    if (cells.isTooLong()) {
      wrong(
        violations,
        key,
        `Name long cells less often: give at most ${counted(CHARACTERS_MAX, "character")} in all.`,
      );
      return { row, violations };
    }
    if (text !== "") put(object, { key, text, source }, violations);
  }
  const posting = readPosting(object, "", violations);
  if (posting !== null && violations.length === 0) return { row, posting };
  return { row, violations: withoutRepetition(violations) };
}

function textOf(source: CellSource, key: string, { cell, isGiven }: RowCells): string {
  if ("value" in source) return source.value;
  if ("template" in source) return fill(source.template, cell);
  if ("join" in source) {
    return source.join
      .map(cell)
      .filter((text) => text.trim() !== "")
      .join("\n\n");
  }
  for (const column of source.first) {
    const text = cell(column);
    if (isGiven(text, key)) return text;
  }
  return "";
}

interface Cell {
  key: string;
  text: string;
  source: CellSource;
}

/** Adds what a cell says to the posting object. */
function put(object: Record<string, unknown>, { key, text, source }: Cell, violations: Violations): void {
  const entry = MORE_INFO_ENTRY.exec(key)?.[1];
  if (entry !== undefined) object["more_info"] = { ...(object["more_info"] as object | undefined), [entry]: text };
  else if (key === POSTED_AT) putMoment(object, { key, text, source }, violations);
  else object[key] = FROM_TEXT[VALUES.get(key) ?? "text"](text);
}

function putMoment(object: Record<string, unknown>, { text, source }: Cell, violations: Violations): void {
  const moment = readCellDate(text, "format" in source ? source.format : undefined);
  if (moment === undefined) {
    wrong(
      violations,
      POSTED_AT,
      "Give a time such as 2026-01-31T23:59:59Z, 1/31/2026 23:59:59, or seconds since 1970.",
    );
    return;
  }
  const date = toDate({ ...moment, $typeName: "google.protobuf.Timestamp" });
  object["post_date"] = toPostDate(date);
  object["post_time"] = toPostTime(date);
}

const VALUES = new Map<string, PostingValue>([
  ...POSTING_FIELDS.map(({ key, value }) => [key, value] as const),
  [MEDIA_URLS, "texts"],
]);

const FROM_TEXT: Readonly<Record<PostingValue, (text: string) => unknown>> = {
  text: unchanged,
  texts: toTexts,
  platform: trimmed,
  date: trimmed,
  time: trimmed,
  count: toCount,
  object: parsed,
};

/** Separated by commas, or a JSON array. */
function toTexts(text: string): unknown {
  if (text.trim().startsWith("[")) {
    const array = parsed(text);
    if (Array.isArray(array)) return array;
  }
  const items: string[] = [];
  for (const [item] of text.matchAll(ITEM)) {
    // One more than a list may have is enough to refuse it.
    if (items.push(item.trim()) > ITEMS_MAX) break;
  }
  return items;
}

const ITEM = /[^,\s][^,]*/g;

/** Data frames write whole numbers of columns with gaps as `12.0`. */
function toCount(text: string): string {
  return text.trim().replace(/\.0+$/, "");
}

function parsed(text: string): unknown {
  if (tooMuchJson(text, JSON_LIMITS) !== undefined) return text;
  try {
    return parseLongNumbers(text);
  } catch {
    return text; // refused as what it is: a text in the place of an object
  }
}

function trimmed(text: string): string {
  return text.trim();
}

function unchanged(text: string): string {
  return text;
}

/** A wrong time is reported once, under the key of the map. */
function withoutRepetition(violations: Violations): Violations {
  const isTimeKnown = violations.some(({ field }) => field === POSTED_AT);
  return isTimeKnown ? violations.filter(({ field }) => field !== "post_date" && field !== "post_time") : violations;
}
