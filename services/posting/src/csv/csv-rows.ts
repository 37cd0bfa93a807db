import { pipeline, Readable } from "node:stream";
import { AppError, counted } from "@hourglass/runtime";
import { CsvError, parse } from "csv-parse";
import { ROW_BYTES_MAX, type ImportRow } from "../rows/row.js";
import { createRowReader, type CsvLayout, type RowReader } from "./row-reader.js";

/**
 * Reads postings from a CSV file with a header, in constant memory. Rows are numbered as in a spreadsheet: the header is
 * row 1. Throws AppError `invalid` if the layout does not fit the file, or the file is not CSV in UTF-8.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  layout: CsvLayout,
): AsyncGenerator<ImportRow, void, undefined> {
  let read: RowReader | undefined;
  let columns = 0;
  let row = 0;
  for await (const cells of records(chunks)) {
    row++;
    if (read === undefined) {
      const header = cells.map((name) => name.trim());
      columns = header.length;
      read = createRowReader(header, layout);
    } else if (cells.length > columns) yield tooWide(row, cells.length, columns);
    else yield read(row, cells);
  }
  if (read === undefined) throw invalidCsv("The file is empty. Give one with a header of column names.");
}

/** A row that a separator inside a text has made longer would get its values in the wrong places. */
function tooWide(row: number, cells: number, columns: number): ImportRow {
  const message = `Give ${counted(columns, "cell")} as in the header: this row has ${cells}. Quote cells with separators.`;
  return { row, violations: [{ field: "", message }] };
}

async function* records(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  const texts = decoded(chunks);
  const begin = await texts.next();
  if (begin.done === true) return;
  const parser = parse({
    delimiter: delimiterOf(begin.value),
    max_record_size: ROW_BYTES_MAX,
    relax_column_count: true,
    // PHP does not double quotation marks after a backslash; at worst, such a row becomes too wide and is left out.
    relax_quotes: true,
    skip_empty_lines: true,
  });
  pipeline(Readable.from(resumed(begin.value, texts), { objectMode: false }), parser, () => undefined);
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    throw error instanceof CsvError ? explained(error) : error;
  }
}

async function* resumed(begin: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield begin;
  yield* texts;
}

/** Without a byte order mark. */
async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") yield text;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidCsv("The file is not valid UTF-8. Save it in UTF-8.");
  }
}

const DELIMITERS = [",", ";", "\t"];

/** The separator that the header has most of, outside quotation marks. */
function delimiterOf(begin: string): string {
  const header = begin.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1)[0] ?? "";
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

function explained(error: CsvError): AppError {
  const line = Number(error["lines"] ?? 0);
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return invalidCsv(`The file ends inside a quoted cell. Close the quotation mark that opens at line ${line}.`);
    case "CSV_MAX_RECORD_SIZE":
      return invalidCsv(
        `The row at line ${line} is larger than ${counted(ROW_BYTES_MAX, "byte")}. Close its quotation marks, or shorten it.`,
      );
    default:
      return invalidCsv(`The file is not valid CSV. Correct line ${line}.`);
  }
}

function invalidCsv(message: string): AppError {
  return new AppError("invalid", message, { code: "invalid_csv" });
}
