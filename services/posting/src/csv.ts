import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { AppError, counted } from "@hourglass/runtime";
import { parseLongNumbers, tooMuchJson, type Violations } from "@hourglass/runtime/json";
import { fromFormulaSafe, POSTED_AT, POSTING_FIELDS, type PostingValue } from "./columns.js";
import { CsvHeader } from "./csv-header.js";
import {
  columnsOf,
  fill,
  KEYS,
  MORE_INFO_ENTRY,
  PRESETS,
  type CellSource,
  type ColumnMap,
  type CsvLayout,
  type PresetLayout,
} from "./csv-layout.js";
import { invalidCsv, nextChunk, readStart, RowScanner, type CsvRow } from "./csv-rows.js";
import { FileDates, type DateSource, type StatedDates } from "./file-dates.js";
import { ImportNotes } from "./import-notes.js";
import { wrong, type Read } from "./json-reader.js";
import { refuseConflicts, toRow, type ImportRow } from "./import-rows.js";
import { JSON_LIMITS, ROW_BYTES_MAX } from "./limits.js";
import { isMissing } from "./missing.js";
import { MEDIA_URLS, postingReader } from "./posting-json.js";

/** How a CSV file is read. */
export interface CsvReading extends CsvLayout, StatedDates {
  /** Where it is noted what was done with the file. */
  readonly notes?: ImportNotes;
}

/**
 * Reads postings from a CSV file with a header, in constant memory. Rows are numbered as in a spreadsheet: the header is
 * row 1. A row whose id an earlier row has, with another text or time, is wrong. Throws AppError `invalid` if the layout
 * does not fit the file, or the file is not CSV in UTF-8; and at the end, if its days in numbers contradict each other.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  { notes = new ImportNotes(), ...reading }: CsvReading,
): AsyncGenerator<ImportRow, void, undefined> {
  const file = { ...reading, notes, dates: new FileDates(notes, reading) };
  yield* refuseConflicts(readRows(chunks, file));
  file.dates.finish();
}

interface CsvFile extends CsvLayout {
  readonly notes: ImportNotes;
  readonly dates: FileDates;
}

async function* readRows(chunks: AsyncIterable<Uint8Array>, file: CsvFile): AsyncGenerator<ImportRow> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { dialect, bytes, emptyLines } = await readStart(iterator);
  const scanner = new RowScanner(dialect, emptyLines + 1);
  let table: Table | undefined;
  const readRow = (row: CsvRow): ImportRow | undefined => {
    file.notes.row = row.number;
    if (table !== undefined) return readCells(row, table, file.notes);
    table = openTable(row, file);
    scanner.columns = table.cells;
    return undefined;
  };
  for (let chunk: Uint8Array | undefined = bytes; chunk !== undefined; chunk = await nextChunk(iterator)) {
    for (const row of scanner.rows(chunk)) {
      const found = readRow(row);
      if (found !== undefined) yield found;
    }
  }
  const last = scanner.end();
  const found = last === undefined ? undefined : (cutRow(last, table, file.notes) ?? readRow(last));
  if (found !== undefined) yield found;
  if (table === undefined) throw invalidCsv("The file is empty. Give one with a header of column names.");
}

/** A row at whose end the file breaks off, as after an interrupted download: its last cell may be half a text. */
function cutRow({ number, cells }: CsvRow, table: Table | undefined, notes: ImportNotes): ImportRow | undefined {
  if (table === undefined || cells >= table.width) return undefined;
  const wanted = `Give ${counted(table.width, "cell")} as in the header: this row has ${cells}`;
  notes.add(
    `The file breaks off in row ${number}, which is left out: it has ${cells} of ${counted(table.width, "cell")}.`,
  );
  return { row: number, violations: [{ field: "", message: `${wanted}, and the file ends there.` }] };
}

function readCells(row: CsvRow, table: Table, notes: ImportNotes): ImportRow {
  if (row.cells > table.width) return tooWide(row, table.width);
  const read = table.read(row);
  if (row.cells < table.width && "posting" in read) notes.shortRow();
  return read;
}

/** A row that a separator inside a text has made longer would get its values in the wrong places. */
function tooWide({ number, cells }: CsvRow, columns: number): ImportRow {
  const message = `Give ${counted(columns, "cell")} as in the header: this row has ${cells}. Quote cells with separators.`;
  return { row: number, violations: [{ field: "", message }] };
}

/** The rows of a file, once its header is known. */
interface Table {
  /** How many columns it has. */
  readonly width: number;
  /** How many cells of a row are read. */
  readonly cells: number;
  read(row: CsvRow): ImportRow;
}

/** Characters of the cells that a row may be made of; a map can name each cell any number of times. */
const CHARACTERS_MAX = 4 * ROW_BYTES_MAX;

/** Opens the rows of a file with the given header. Throws AppError `invalid` if the layout does not fit the file. */
function openTable(row: CsvRow, { preset, map, notes, dates }: CsvFile): Table {
  const violations: Violations = [];
  const header = new CsvHeader(row, wantedBy({ preset, map }));
  const layout = preset === undefined ? undefined : chooseLayout(preset, header, violations);
  if (map !== undefined) header.check(map, "map", violations);
  if (violations.length > 0) throw AppError.invalid(violations);
  const sources = readable(merged(layout, map), header);
  checkRequired(sources, header);
  checkFormat(sources, dates);
  const isOwn = layout?.formulaSafe === true;
  const statesTimeTwice = isOwn && map?.has(POSTED_AT) !== true;
  const used = new Set([...sources.values()].flatMap(columnsOf));
  header.note(notes, used, isOwn ? FILLED : new Set(), KEYS);
  const clean = isOwn ? fromFormulaSafe : unchanged;
  const read = postingReader({ notes, dates, columns: dateColumnsOf(sources) });
  return {
    width: header.width,
    cells: header.cellsFor(used),
    read: (cells) => {
      let characters = 0;
      const cell = (column: string) => {
        const text = cells.cell(header.indexOf(column));
        characters += text.length;
        return clean(text);
      };
      const isTooLong = () => characters > CHARACTERS_MAX;
      return readRow(cells.number, sources, { cell, isOwn, statesTimeTwice, notes, read, isTooLong });
    },
  };
}

/** Our own exports state the time in both ways, of which spreadsheets may have rewritten either: the whole is for want of a half. */
function stateTimeOnce(object: Record<string, unknown>): void {
  if (object[POSTED_AT] === undefined) return;
  const isRedundant = object["post_date"] !== undefined && object["post_time"] !== undefined;
  for (const key of isRedundant ? [POSTED_AT] : ["post_date", "post_time"]) Reflect.deleteProperty(object, key);
}

/** The columns that a layout could read, and those that it knows. */
function wantedBy({ preset = "", map }: CsvLayout): ReadonlySet<string> {
  const layouts = PRESETS.get(preset) ?? [];
  const sources = [...layouts.map((layout) => layout.map), map ?? new Map<string, CellSource>()];
  const known = layouts.flatMap(({ signature, formulaSafe }) => [...signature, ...(formulaSafe ? FILLED : [])]);
  return new Set([...known, ...sources.flatMap((source) => [...source.values()].flatMap(columnsOf))]);
}

/** What the search and the analysis fill, which stands in our own exports and is not imported. */
const FILLED: ReadonlySet<string> = new Set([
  ...POSTING_FIELDS.filter(({ imported }) => !imported).map(({ key }) => key),
  POSTED_AT,
]);

function chooseLayout(preset: string, header: CsvHeader, violations: Violations): PresetLayout | undefined {
  const layouts = PRESETS.get(preset) ?? [];
  const found = layouts.find(({ signature }) => signature.every((column) => header.has(column)));
  const needed = layouts.map(({ signature }) => signature.join(" and ")).join(", or ");
  if (found === undefined) wrong(violations, "preset", `Give a file with the columns ${needed}, or a map.`);
  return found;
}

/** The map comes before the preset, also in which way the time is stated. */
function merged(layout: PresetLayout | undefined, map: ColumnMap | undefined): ColumnMap {
  const all = new Map([...(layout?.map ?? []), ...(map ?? [])]);
  const halves = ["post_date", "post_time"];
  if (map?.has(POSTED_AT) === true) for (const key of halves) if (!map.has(key)) all.delete(key);
  if (map !== undefined && halves.some((key) => map.has(key)) && !map.has(POSTED_AT)) all.delete(POSTED_AT);
  return all;
}

/** Without the keys of a preset whose columns the file does not have. */
function readable(map: ColumnMap, header: CsvHeader): Map<string, CellSource> {
  return new Map(
    [...map].filter(([, source]) => {
      const needed = columnsOf(source);
      return needed.length === 0 || needed.some((column) => header.has(column));
    }),
  );
}

function checkRequired(sources: ColumnMap, header: CsvHeader): void {
  const violations: Violations = [];
  const columns = header.sentence;
  if (!sources.has("platform")) {
    wrong(violations, "map.platform", `Give a column or a value, such as {"platform":{"value":"reddit"}}. ${columns}`);
  }
  if (!sources.has(POSTED_AT) && !(sources.has("post_date") && sources.has("post_time"))) {
    wrong(violations, `map.${POSTED_AT}`, `Give the column of the time, such as {"posted_at":"created"}. ${columns}`);
  }
  if (violations.length > 0) throw AppError.invalid(violations);
}

/** A column and the file may not state different formats. */
function checkFormat(sources: ColumnMap, { format }: FileDates): void {
  for (const key of [POSTED_AT, "post_date"]) {
    const own = dateSourceOf(sources, key).format;
    if (format === undefined || own === undefined || own === format) continue;
    throw AppError.invalid([
      { field: "date_format", message: `Give ${own}, as in map.${key}, or leave one of both out.` },
    ]);
  }
}

function dateColumnsOf(sources: ColumnMap): { postedAt: DateSource; postDate: DateSource } {
  return { postedAt: dateSourceOf(sources, POSTED_AT), postDate: dateSourceOf(sources, "post_date") };
}

function dateSourceOf(sources: ColumnMap, key: string): DateSource {
  const source = sources.get(key);
  if (source === undefined || !("first" in source)) return {};
  const { format, bare } = source;
  return { format, bare, isMonthFirst: key === "post_date" && source.first.includes(key) };
}

interface RowCells {
  cell: (column: string) => string;
  /** Whether the file is an export of ours. */
  isOwn: boolean;
  /** Whether a row may have its time as a whole and in halves. */
  statesTimeTwice: boolean;
  notes: ImportNotes;
  read: Read<Posting>;
  /** Whether more was read than a row may be made of. */
  isTooLong: () => boolean;
}

function readRow(row: number, sources: ColumnMap, cells: RowCells): ImportRow {
  const violations: Violations = [];
  const object: Record<string, unknown> = {};
  for (const [key, source] of sources) {
    const text = textOf(source, key, cells);
    if (cells.isTooLong()) {
      const most = counted(CHARACTERS_MAX, "character");
      wrong(violations, key, `Name long cells less often: give at most ${most} in all.`);
      return { row, violations };
    }
    if (text !== "") put(object, key, text);
  }
  if (cells.statesTimeTwice) stateTimeOnce(object);
  const posting = cells.read(object, "", violations);
  return posting !== null && violations.length === 0 ? toRow(row, posting) : { row, violations };
}

function textOf(source: CellSource, key: string, cells: RowCells): string {
  if ("value" in source) return source.value;
  const given = (column: string) => givenText(cells.cell(column), key, cells);
  if ("template" in source) return fill(source.template, given);
  if ("join" in source) {
    return source.join
      .map(given)
      .filter((text) => text.trim() !== "")
      .join("\n\n");
  }
  for (const column of source.first) {
    const text = given(column);
    if (text !== "") return text;
  }
  return "";
}

/**
 * The text of a cell, empty if it holds no value for the key. Our own exports, in which what is missing is empty, are
 * imported as they were, texts of nothing but spaces included. NA is also the country Namibia, and a text may be no more than "None".
 */
function givenText(text: string, key: string, { isOwn, notes }: RowCells): string {
  const isText = VALUES.get(key) === "text";
  if (text.trim() === "") return isOwn && isText ? text : "";
  const mayBeMeant = key === "place_country_code" || (key === "text_of_post" && /^(?:None|N\/A)$/.test(text.trim()));
  if (isOwn || mayBeMeant || !isMissing(text)) return text;
  notes.readAs(key, text.trim(), undefined);
  return "";
}

/** Adds the value of a cell to the posting object. */
function put(object: Record<string, unknown>, key: string, text: string): void {
  const entry = MORE_INFO_ENTRY.exec(key)?.[1];
  if (entry !== undefined) object["more_info"] = { ...(object["more_info"] as object | undefined), [entry]: text };
  else object[key] = FROM_TEXT[VALUES.get(key) ?? "text"](text);
}

const VALUES = new Map<string, PostingValue>([
  ...POSTING_FIELDS.map(({ key, value }) => [key, value] as const),
  [MEDIA_URLS, "texts"],
]);

const FROM_TEXT: Readonly<Record<PostingValue, (text: string) => unknown>> = {
  text: unchanged,
  // The reader of the posting object knows the forms of lists.
  texts: unchanged,
  platform: trimmed,
  date: trimmed,
  time: trimmed,
  count: toCount,
  object: parsed,
};

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
