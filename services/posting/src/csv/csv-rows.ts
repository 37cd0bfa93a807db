import { counted } from "@hourglass/runtime";
import { refusingClashes } from "../rows/clashes.js";
import { ROW_BYTES_MAX, type ImportRow } from "../rows/row.js";
import { createRowReader, type CsvLayout, type RowReader } from "./row-reader.js";
import { COLUMNS_MAX, type CsvDialect, type CsvRow, invalidCsv, RowScanner, rowTooLarge } from "./row-scanner.js";

/**
 * Reads postings from a CSV file with a header, in constant memory. Rows are numbered as in a spreadsheet: the header is
 * row 1. A row whose id an earlier row has, with another text or time, is wrong. Throws AppError `invalid` if the layout
 * does not fit the file, or the file is not CSV in UTF-8.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  layout: CsvLayout,
): AsyncGenerator<ImportRow, void, undefined> {
  yield* refusingClashes(readRows(chunks, layout));
}

async function* readRows(chunks: AsyncIterable<Uint8Array>, layout: CsvLayout): AsyncGenerator<ImportRow> {
  const pieces = chunks[Symbol.asyncIterator]();
  const { dialect, begin, emptyLines } = await readOpening(pieces);
  const scanner = new RowScanner(dialect, emptyLines + 1);
  let read: RowReader | undefined;
  const readRow = (row: CsvRow): ImportRow | undefined => {
    if (read !== undefined) return row.cells > scanner.columns ? tooWide(row, scanner.columns) : read(row);
    const header = headerOf(row);
    scanner.columns = header.length;
    read = createRowReader(header, layout);
    return undefined;
  };
  for (let chunk: Uint8Array | undefined = begin; chunk !== undefined; chunk = await next(pieces)) {
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

const BYTE_ORDER_MARK = Buffer.from("\ufeff");
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface Opening {
  readonly dialect: CsvDialect;
  /** The bytes that were read to know it, without what comes before the header. */
  readonly begin: Buffer;
  /** How many come before the header. */
  readonly emptyLines: number;
}

/** Reads as far as the end of the first line that is not empty, which tells how the file is written. */
async function readOpening(pieces: AsyncIterator<Uint8Array>): Promise<Opening> {
  let begin: Buffer = Buffer.alloc(0);
  let isMarked: boolean | undefined;
  let [feeds, returns] = [0, 0];
  for (;;) {
    const piece = await next(pieces);
    begin = piece === undefined ? begin : Buffer.concat([begin, piece]);
    if (isMarked === undefined && (begin.length >= BYTE_ORDER_MARK.length || piece === undefined)) {
      isMarked = begin.indexOf(BYTE_ORDER_MARK) === 0;
      if (isMarked) begin = begin.subarray(BYTE_ORDER_MARK.length);
    }
    let text = 0;
    for (; begin[text] === LINE_FEED || begin[text] === CARRIAGE_RETURN; text++) {
      if (begin[text] === LINE_FEED) feeds++;
      else returns++;
    }
    begin = begin.subarray(text);
    const end = endOfLine(begin);
    // The byte behind a carriage return tells whether the line ends with a line feed.
    if (piece === undefined || end + 1 < begin.length) break;
    if (begin.length > ROW_BYTES_MAX) throw rowTooLarge(Math.max(feeds, returns) + 1);
  }
  return { ...dialectOf(begin), emptyLines: Math.max(feeds, returns) };
}

async function next(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const piece = await pieces.next();
  return piece.done === true ? undefined : piece.value;
}

/** The index of the line feed or carriage return that ends the first line; that of the end if there is none. */
function endOfLine(bytes: Buffer): number {
  const ends = [bytes.indexOf(LINE_FEED), bytes.indexOf(CARRIAGE_RETURN)].filter((index) => index !== -1);
  return Math.min(bytes.length, ...ends);
}

/** How spreadsheets are told the separator of a file, in a line before the header. */
const SEPARATOR_LINE = /^"?sep=([^\w\s"]|\t)"?$/i;

function dialectOf(begin: Buffer): Omit<Opening, "emptyLines"> {
  const end = endOfLine(begin);
  const line = begin.toString("latin1", 0, end);
  const endsAtReturn = begin[end] === CARRIAGE_RETURN && begin[end + 1] !== LINE_FEED;
  const named = SEPARATOR_LINE.exec(line)?.[1];
  if (named === undefined) return { dialect: { delimiter: delimiterOf(line), endsAtReturn }, begin };
  const isPair = begin[end] === CARRIAGE_RETURN && !endsAtReturn;
  return { dialect: { delimiter: named, endsAtReturn }, begin: begin.subarray(end + (isPair ? 2 : 1)) };
}

const DELIMITERS = [",", ";", "\t"];

/** The separator that a line has most of, outside quotation marks. */
function delimiterOf(line: string): string {
  const header = line.replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}
