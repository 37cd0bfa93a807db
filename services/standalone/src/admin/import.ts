import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { openImports as openImportsOn, type ImportAdministration } from "@hourglass/insight";
import {
  DATE_FORMATS,
  dateFormatNamed,
  DEFAULT_PRESET,
  ImportNotes,
  isTimeZone,
  PRESETS,
  readColumnMap,
  readCsv,
  readNdjson,
  type ColumnMap,
  type ImportRow,
  type PostingRow,
  type StatedDates,
} from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { AppError, giveOneOf, openStorage, type FieldViolation } from "@hourglass/runtime";
import { MalformedJson, parseJson, type Violations } from "@hourglass/runtime/json";
import { readInsightId, UsageError, type Administration, type Opening, type OptionValues } from "./administration.js";
import { escapeField, printProgress } from "./output.js";

/** Opens the imports of postings. */
export async function openImports({ config, log, lifecycle }: Opening): Promise<ImportAdministration> {
  return openImportsOn(await openStorage({ config, log, lifecycle, parts: ["store"] }));
}

/** Imports a file of postings of any size into an insight. */
export async function importPostings(
  { imports }: Administration,
  { insight = "", file = "", map, preset, match = "false", ...dates }: OptionValues,
): Promise<string[]> {
  const id = readInsightId(insight);
  if (match !== "true" && match !== "false") throw new UsageError("Give --match true or false.");
  mustBePreset(preset);
  const stated = datesOf(dates["date-format"], dates["time-zone"]);
  const service = await imports();
  // Before the file, however large it is: nothing of it is read for an insight that is not there.
  await service.mustExist(id);
  const openRows = await openFile({ file: path.resolve(file), map, preset, ...stated });
  await examine(openRows);
  const totals = await importRows(openRows(), (postings) => service.importPostings(id, postings, match === "true"));
  return describe(totals, match === "true");
}

function datesOf(format: string | undefined, timeZone: string | undefined): StatedDates {
  const dateFormat = dateFormatNamed(format);
  if (format !== undefined && dateFormat === undefined) {
    throw new UsageError(`There is no --date-format "${format}". ${giveOneOf(DATE_FORMATS, format)}`);
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new UsageError("Give a --time-zone of IANA, such as Europe/Lisbon.");
  }
  return { dateFormat, timeZone };
}

/** Reads the file once before anything is stored: only its end shows whether its days contradict each other. */
async function examine(openRows: OpenRows): Promise<void> {
  const notes = new ImportNotes();
  let rows = 0;
  for await (const _row of openRows(notes)) {
    if (++rows % EXAMINED_STEP === 0) printProgress(`${rows} rows examined`);
  }
  for (const warning of notes.warnings) printProgress(`Warning: ${escapeField(warning)}`);
}

const EXAMINED_STEP = 10_000;

function describe(totals: ImportTotals, match: boolean): string[] {
  return [
    `rows\t${totals.rows}`,
    `accepted\t${totals.accepted}`,
    `duplicates\t${totals.duplicates}`,
    ...(match ? [`unmatched\t${totals.unmatched}`] : []),
    `erased\t${totals.erased}`,
    `left out\t${totals.leftOut}`,
  ];
}

/** Reads the rows of a file from its start. */
type OpenRows = (notes?: ImportNotes) => AsyncIterable<ImportRow>;

/** A file of postings, and how to read it. */
interface ImportFile extends StatedDates {
  file: string;
  /** File of a column map. */
  map: string | undefined;
  preset: string | undefined;
}

const CSV_NAMES = [".csv", ".tsv", ".tab"];

/**
 * Opens the rows of a file: CSV if its name says so, or a map or a preset is given; otherwise JSON Lines. Throws AppError
 * `invalid` for a file that cannot be read and for a wrong map.
 */
async function openFile({ file, map, preset, ...dates }: ImportFile): Promise<OpenRows> {
  await checkReadable(file);
  const columns = map === undefined ? undefined : await readMap(path.resolve(map));
  const isCsv = map !== undefined || preset !== undefined || CSV_NAMES.includes(path.extname(file).toLowerCase());
  const layout = { map: columns, preset: preset ?? (columns === undefined ? DEFAULT_PRESET : undefined) };
  return (notes = new ImportNotes()) => {
    const bytes: AsyncIterable<Buffer> = createReadStream(file);
    return isCsv ? readCsv(bytes, { ...dates, ...layout, notes }) : readNdjson(bytes, { ...dates, notes });
  };
}

function mustBePreset(preset: string | undefined): void {
  if (preset === undefined || PRESETS.has(preset)) return;
  throw new UsageError(`There is no preset "${preset}". ${giveOneOf([...PRESETS.keys()], preset)}`);
}

/** Fails before anything is stored, so that a wrong file name is reported at once. */
async function checkReadable(file: string): Promise<void> {
  try {
    await (await open(file)).close();
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function readMap(file: string): Promise<ColumnMap> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const violations: Violations = [];
  try {
    const map = readColumnMap(parseJson(text, `The file ${file}`), "map", violations);
    if (map !== null && violations.length === 0) return map;
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw new AppError("invalid", error.message);
  }
  throw AppError.invalid(violations);
}

function unreadable(file: string, cause: unknown): AppError {
  return new AppError("invalid", `The file ${file} cannot be read. Give a file that you may read.`, { cause });
}

/** The outcome of the postings of one batch. */
interface BatchOutcome {
  accepted: number;
  duplicates: number;
  unmatched: number;
  erased: number;
}

/** The outcome of all rows. */
interface ImportTotals extends BatchOutcome {
  rows: number;
  leftOut: number;
}

/** Stores postings together. Throws AppError `invalid` that names wrong ones by their index, and stores none then. */
type StoreBatch = (postings: readonly Posting[]) => Promise<BatchOutcome>;

/** Maximum number of postings in a batch. */
const BATCH_MAX = 500;
/** Maximum number of characters in the texts of a batch, which limits its memory. */
const BATCH_CHARACTERS_MAX = 4_194_304;
/** Maximum number of rows that an error message names. */
const NAMED_MAX = 20;

/**
 * Imports rows in batches; holds one batch. Rows that are no postings are left out, counted and explained. Throws AppError
 * `invalid` that names the rows which the insight refuses, such as those of a platform that it does not search; what was
 * stored before stays.
 */
async function importRows(rows: AsyncIterable<ImportRow>, store: StoreBatch): Promise<ImportTotals> {
  const totals: ImportTotals = { rows: 0, accepted: 0, duplicates: 0, unmatched: 0, erased: 0, leftOut: 0 };
  let batch: PostingRow[] = [];
  let characters = 0;
  const flush = async () => {
    try {
      add(totals, await store(batch.map(({ posting }) => posting)));
    } catch (error) {
      throw refusal(error, batch);
    }
    batch = [];
    characters = 0;
    printProgress(`${totals.rows} rows read, ${totals.accepted} postings stored`);
  };
  for await (const row of rows) {
    totals.rows++;
    if ("violations" in row) {
      totals.leftOut++;
      printProgress(`Row ${row.row} is left out: ${escapeField(reasonOf(row.violations))}`);
    } else {
      batch.push(row);
      characters += row.posting.textOfPost?.length ?? 0;
    }
    if (batch.length === BATCH_MAX || characters > BATCH_CHARACTERS_MAX) await flush();
  }
  if (batch.length > 0) await flush();
  return totals;
}

/** Names the rows of the postings that were refused. */
function refusal(error: unknown, batch: readonly PostingRow[]): unknown {
  if (!(error instanceof AppError) || error.violations.length === 0) return error;
  const named = error.violations.slice(0, NAMED_MAX).map(({ field, message }) => `${inRow(field, batch)}: ${message}`);
  const remedy = "These rows and those that follow were not all stored: correct the file, then repeat the import.";
  return new AppError("invalid", [...named, remedy].join(" "));
}

/** `postings[2].platform` is the platform of the third row of the batch. */
function inRow(field: string, batch: readonly PostingRow[]): string {
  const [, index, key = ""] = /^postings\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const row = index === undefined ? undefined : batch[Number(index)]?.row;
  if (row === undefined) return field;
  return key === "" ? `Row ${row}` : `Row ${row}, ${key}`;
}

function reasonOf(violations: readonly FieldViolation[]): string {
  return violations.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`)).join(" ");
}

function add(totals: ImportTotals, outcome: BatchOutcome): void {
  totals.accepted += outcome.accepted;
  totals.duplicates += outcome.duplicates;
  totals.unmatched += outcome.unmatched;
  totals.erased += outcome.erased;
}
