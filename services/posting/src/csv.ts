import { AppError, counted } from "@hourglass/runtime";
import { momentOf, parseLongNumbers, toDate, tooMuchJson, type Moment, type Violations } from "@hourglass/runtime/json";
import { fromFormulaSafe, POSTING_FIELDS, type PostingValue } from "./columns.js";
import {
  checkColumns,
  columnsOf,
  fill,
  MORE_INFO_ENTRY,
  POSTED_AT,
  PRESETS,
  shownNames,
  type CellSource,
  type ColumnMap,
  type CsvLayout,
  type DateFormat,
  type PresetLayout,
} from "./csv-layout.js";
import { COLUMNS_MAX, invalidCsv, nextChunk, readStart, RowScanner, type CsvRow } from "./csv-rows.js";
import { wrong } from "./json-reader.js";
import { JSON_LIMITS, refuseConflicts, ROW_BYTES_MAX, type ImportRow } from "./import-rows.js";
import { ITEMS_MAX, MEDIA_URLS, readPosting, toPostDate, toPostTime } from "./posting-json.js";

/**
 * Reads postings from a CSV file with a header, in constant memory. Rows are numbered as in a spreadsheet: the header is
 * row 1. A row whose id an earlier row has, with another text or time, is wrong. Throws AppError `invalid` if the layout
 * does not fit the file, or the file is not CSV in UTF-8.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  layout: CsvLayout,
): AsyncGenerator<ImportRow, void, undefined> {
  yield* refuseConflicts(readRows(chunks, layout));
}

async function* readRows(chunks: AsyncIterable<Uint8Array>, layout: CsvLayout): AsyncGenerator<ImportRow> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { dialect, bytes, emptyLines } = await readStart(iterator);
  const scanner = new RowScanner(dialect, emptyLines + 1);
  let read: RowReader | undefined;
  const readRow = (row: CsvRow): ImportRow | undefined => {
    if (read !== undefined) return row.cells > scanner.columns ? tooWide(row, scanner.columns) : read(row);
    const header = headerOf(row);
    scanner.columns = header.length;
    read = createRowReader(header, layout);
    return undefined;
  };
  for (let chunk: Uint8Array | undefined = bytes; chunk !== undefined; chunk = await nextChunk(iterator)) {
    for (const row of scanner.rows(chunk)) {
      const found = readRow(row);
      if (found !== undefined) yield found;
    }
  }
  const last = scanner.end();
  const found = last === undefined ? undefined : readRow(last);
  if (found !== undefined) yield found;
  if (read === undefined) throw invalidCsv("The file is empty. Give one with a header of column names.");
}

function headerOf(row: CsvRow): string[] {
  if (row.cells > COLUMNS_MAX) {
    throw invalidCsv(`The header has ${counted(row.cells, "cell")}. Give at most ${counted(COLUMNS_MAX, "column")}.`);
  }
  return Array.from({ length: row.cells }, (_, index) => row.cell(index).trim());
}

/** A row that a separator inside a text has made longer would get its values in the wrong places. */
function tooWide({ number, cells }: CsvRow, columns: number): ImportRow {
  const message = `Give ${counted(columns, "cell")} as in the header: this row has ${cells}. Quote cells with separators.`;
  return { row: number, violations: [{ field: "", message }] };
}

/** Reads a row. */
type RowReader = (row: CsvRow) => ImportRow;

/** Characters of the cells that a row may be made of; a map can name each cell any number of times. */
const CHARACTERS_MAX = 4 * ROW_BYTES_MAX;

/**
 * Returns a reader for the rows of a file with the given header. Throws AppError `invalid` if the layout does not fit the
 * file.
 */
function createRowReader(header: readonly string[], { preset, map }: CsvLayout): RowReader {
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

function chooseLayout(preset: string, header: Columns, violations: Violations): PresetLayout | undefined {
  const layouts = PRESETS.get(preset) ?? [];
  const found = layouts.find(({ signature }) => signature.every((column) => header.has(column)));
  const needed = layouts.map(({ signature }) => signature.join(" and ")).join(", or ");
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

/** Our own exports are imported as they were, texts of nothing but spaces included. */
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

/** Adds the value of a cell to the posting object. */
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

/** Reads a moment; without a format, the one that the cell looks like. Undefined if it is none. */
function readCellDate(cell: string, format = formatOf(cell)): Moment | undefined {
  return DATE_READERS[format](cell.trim());
}

/** The formats have no text in common. */
function formatOf(cell: string): DateFormat {
  if (cell.includes("/")) return "m/d/yyyy";
  return /^\s*-?\d+(?:\.\d*)?\s*$/.test(cell) ? "unix" : "iso";
}

const DATE_READERS: Readonly<Record<DateFormat, (text: string) => Moment | undefined>> = {
  iso: readIso,
  unix: readUnix,
  "m/d/yyyy": readMonthFirst,
};

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/** ISO 8601, with a space instead of the T as well; without a zone it is UTC. */
function readIso(text: string): Moment | undefined {
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, ...clock] = numbersIn(parts);
  const offset = secondsOfZone(parts[7]);
  const local = momentOf([year, month, day], clock);
  if (local === undefined || offset === undefined) return undefined;
  return { seconds: local.seconds - BigInt(offset), nanos: 0 };
}

function secondsOfZone(zone: string | undefined): number | undefined {
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? "");
  if (parts === null) return 0;
  const [hours, minutes] = [Number(parts[2]), Number(parts[3])];
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (parts[1] === "-" ? -60 : 60);
}

/** The first second of the year 10000. */
const UNIX_END = 253_402_300_800;

/** Seconds since 1970; fractions are dropped. */
function readUnix(text: string): Moment | undefined {
  const seconds = /^-?\d{1,12}(?:\.\d*)?$/.test(text) ? Math.floor(Number(text)) : Infinity;
  return Math.abs(seconds) < UNIX_END ? { seconds: BigInt(seconds), nanos: 0 } : undefined;
}

const MONTH_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?)?$/;

/** `M/D/YYYY`, with or without a time of day, in UTC. */
function readMonthFirst(text: string): Moment | undefined {
  const parts = MONTH_FIRST.exec(text);
  if (parts === null) return undefined;
  const [month, day, year, ...clock] = numbersIn(parts);
  return momentOf([year, month, day], clock);
}

/** The numbers of a date and a time of day; an absent time is midnight. */
function numbersIn(parts: RegExpExecArray): [number, number, number, number, number, number] {
  const number = (index: number) => Number(parts[index] ?? 0);
  return [number(1), number(2), number(3), number(4), number(5), number(6)];
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
