import { isUtf8 } from "node:buffer";
import { AppError, counted } from "@hourglass/runtime";
import { ROW_BYTES_MAX } from "./limits.js";

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** How a file is written. */
export interface CsvDialect {
  /** A character of ASCII. */
  readonly delimiter: string;
  /** Whether a carriage return alone ends a row. */
  readonly endsAtReturn: boolean;
}

/** The start of a CSV file. */
export interface FileStart {
  readonly dialect: CsvDialect;
  /** The bytes that were read to detect it, from the header on. */
  readonly bytes: Buffer;
  /** Before the header. */
  readonly emptyLines: number;
}

/** Reads to the end of the first line that is not empty, and detects the dialect from it. */
export async function readStart(chunks: AsyncIterator<Uint8Array>): Promise<FileStart> {
  let bytes: Buffer = Buffer.alloc(0);
  let isMarked: boolean | undefined;
  let [feeds, returns] = [0, 0];
  for (;;) {
    const chunk = await nextChunk(chunks);
    bytes = chunk === undefined ? bytes : Buffer.concat([bytes, chunk]);
    if (isMarked === undefined && (bytes.length >= BYTE_ORDER_MARK.length || chunk === undefined)) {
      isMarked = bytes.indexOf(BYTE_ORDER_MARK) === 0;
      if (isMarked) bytes = bytes.subarray(BYTE_ORDER_MARK.length);
    }
    let text = 0;
    for (; bytes[text] === LINE_FEED || bytes[text] === CARRIAGE_RETURN; text++) {
      if (bytes[text] === LINE_FEED) feeds++;
      else returns++;
    }
    bytes = bytes.subarray(text);
    const end = endOfLine(bytes);
    // The byte after a carriage return shows whether the line ends with a line feed.
    if (chunk === undefined || end + 1 < bytes.length) break;
    if (bytes.length > ROW_BYTES_MAX) throw rowTooLarge(Math.max(feeds, returns) + 1);
  }
  return { ...detectDialect(bytes), emptyLines: Math.max(feeds, returns) };
}

/** The next chunk; undefined at the end. */
export async function nextChunk(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const next = await chunks.next();
  return next.done === true ? undefined : next.value;
}

/** The index of the line feed or carriage return that ends the first line; that of the end if there is none. */
function endOfLine(bytes: Buffer): number {
  const ends = [bytes.indexOf(LINE_FEED), bytes.indexOf(CARRIAGE_RETURN)].filter((index) => index !== -1);
  return Math.min(bytes.length, ...ends);
}

/** A line before the header that states the separator, which spreadsheets understand. */
const SEPARATOR_LINE = /^"?sep=([^\w\s"]|\t)"?$/i;

function detectDialect(bytes: Buffer): Omit<FileStart, "emptyLines"> {
  const end = endOfLine(bytes);
  const line = bytes.toString("latin1", 0, end);
  const endsAtReturn = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] !== LINE_FEED;
  const stated = SEPARATOR_LINE.exec(line)?.[1];
  if (stated === undefined) return { dialect: { delimiter: delimiterOf(line), endsAtReturn }, bytes };
  const isPair = bytes[end] === CARRIAGE_RETURN && !endsAtReturn;
  return { dialect: { delimiter: stated, endsAtReturn }, bytes: bytes.subarray(end + (isPair ? 2 : 1)) };
}

const DELIMITERS = [",", ";", "\t"];

/** The separator that a line has most of, outside quotation marks. */
function delimiterOf(line: string): string {
  const header = line.replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

/** A row of a CSV file, whose cells are decoded on demand. */
export class CsvRow {
  constructor(
    /** As in a spreadsheet, from 1; empty lines count. */
    readonly number: number,
    /** How many cells it has. */
    readonly cells: number,
    private readonly bytes: Buffer,
    /** Where the first cells end; the others are not kept. */
    private readonly ends: readonly number[],
    private readonly quoted: readonly boolean[],
  ) {}

  /** The text of a cell; empty for one that the row does not have. */
  cell(index: number): string {
    const end = this.ends[index];
    if (end === undefined) return "";
    const begin = index === 0 ? 0 : (this.ends[index - 1] ?? 0) + 1;
    // A header may have a million empty cells.
    if (begin === end) return "";
    if (this.quoted[index] !== true) return this.bytes.toString("utf8", begin, end);
    return this.bytes.toString("utf8", begin + 1, end - 1).replaceAll('""', '"');
  }
}

/**
 * Where a scanner is in a row. After a quotation mark in a quoted cell, it may be the first of a pair or the end of the
 * cell; after a carriage return that follows it, the row may end.
 */
type ScanState = "begin" | "text" | "quoted" | "quote" | "quote and return";

/**
 * Finds rows and cells in the bytes of a CSV file, in constant memory: it buffers one row of at most `ROW_BYTES_MAX`,
 * counts cells without keeping more of them than are read, and skips empty lines. A quoted cell in which quotation
 * marks are not doubled, as PHP writes them, is taken as it stands. Throws AppError `invalid` for a row that is too large or
 * is not UTF-8.
 */
export class RowScanner {
  /** So many cells of a row are kept: all of the header, then as many as are read. */
  columns = Infinity;
  private state: ScanState = "begin";
  private cells = 0;
  private ends: number[] = [];
  private quoted: boolean[] = [];
  private parts: Uint8Array[] = [];
  private size = 0;
  private last = 0;
  private readonly delimiter: number;
  private readonly endsAtReturn: boolean;

  constructor(
    { delimiter, endsAtReturn }: CsvDialect,
    /** Of the current row. */
    private number: number,
  ) {
    this.delimiter = delimiter.charCodeAt(0);
    this.endsAtReturn = endsAtReturn;
  }

  /** The rows that end in these bytes. */
  *rows(chunk: Uint8Array): Generator<CsvRow, void, undefined> {
    let begin = 0;
    for (let index = 0; index < chunk.length; index++) {
      if (this.state === "quoted") {
        index = chunk.indexOf(QUOTE, index);
        if (index === -1) break;
        this.state = "quote";
        continue;
      }
      const byte = chunk[index] ?? 0;
      const end = this.size + index - begin;
      if (byte === this.delimiter) this.endCell(end);
      else if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && this.endsAtReturn)) {
        const previous = index === 0 ? this.last : chunk[index - 1];
        const isPair = byte === LINE_FEED && previous === CARRIAGE_RETURN;
        // Where a return alone ends a row, the line feed of a pair comes after its end.
        if (!(isPair && this.endsAtReturn && end === 0)) {
          if (this.state === "quote and return") this.state = "quote";
          const row = this.endRow(chunk.subarray(begin, index), isPair && end > 0 ? end - 1 : end);
          if (row !== undefined) yield row;
        }
        begin = index + 1;
      } else this.state = this.next(byte);
    }
    this.buffer(chunk.subarray(begin));
    this.last = chunk.at(-1) ?? this.last;
  }

  /** The row that ends with the file. */
  end(): CsvRow | undefined {
    if (this.state !== "quoted") return this.endRow(new Uint8Array(0), this.size);
    throw invalidCsv(`The file ends inside a quoted cell. Close the quotation mark that opens in row ${this.number}.`);
  }

  /** The state after a byte outside quotation marks. */
  private next(byte: number): ScanState {
    if (byte === QUOTE && (this.state === "begin" || this.state === "quote")) return "quoted";
    return byte === CARRIAGE_RETURN && this.state === "quote" ? "quote and return" : "text";
  }

  private endCell(end: number): void {
    if (this.cells < this.columns) {
      this.ends.push(end);
      this.quoted.push(this.state === "quote");
    }
    this.cells++;
    this.state = "begin";
  }

  private endRow(rest: Uint8Array, end: number): CsvRow | undefined {
    this.buffer(rest);
    const isEmpty = this.cells === 0 && end === 0;
    let row: CsvRow | undefined;
    if (!isEmpty) {
      this.endCell(end);
      row = new CsvRow(this.number, this.cells, this.text(), this.ends, this.quoted);
      this.ends = [];
      this.quoted = [];
    }
    this.number++;
    this.state = "begin";
    this.cells = 0;
    this.parts = [];
    this.size = 0;
    return row;
  }

  private text(): Buffer {
    const [only] = this.parts;
    const isWhole = this.parts.length === 1 && only !== undefined;
    const bytes = isWhole ? Buffer.from(only.buffer, only.byteOffset, only.length) : Buffer.concat(this.parts);
    if (isUtf8(bytes)) return bytes;
    throw invalidCsv("The file is not valid UTF-8. Save it in UTF-8.");
  }

  private buffer(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.size += bytes.length;
    if (this.size > ROW_BYTES_MAX) throw rowTooLarge(this.number);
    this.parts.push(bytes);
  }
}

/** The failure for a row of more than `ROW_BYTES_MAX`. */
export function rowTooLarge(row: number): AppError {
  const limit = counted(ROW_BYTES_MAX, "byte");
  return invalidCsv(`Row ${row} is larger than ${limit}. Close its quotation marks, or shorten it.`);
}

/** The failure for a file that is not CSV. */
export function invalidCsv(message: string): AppError {
  return new AppError("invalid", message, { code: "invalid_csv" });
}
