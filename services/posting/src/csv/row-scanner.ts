import { isUtf8 } from "node:buffer";
import { AppError, counted } from "@hourglass/runtime";
import { ROW_BYTES_MAX } from "../rows/row.js";

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** As many columns as a sheet of a spreadsheet has. */
export const COLUMNS_MAX = 16_384;

/** A row of a CSV file, whose cells are decoded as they are asked for. */
export class CsvRow {
  constructor(
    /** As in a spreadsheet, from 1; empty lines count. */
    readonly number: number,
    /** How many cells it has. */
    readonly cells: number,
    private readonly bytes: Buffer,
    /** Where the first cells end; the others are not noted. */
    private readonly ends: readonly number[],
    private readonly quoted: readonly boolean[],
  ) {}

  /** The text of a cell; empty for one that the row does not have. */
  cell(index: number): string {
    const end = this.ends[index];
    if (end === undefined) return "";
    const begin = index === 0 ? 0 : (this.ends[index - 1] ?? 0) + 1;
    if (this.quoted[index] !== true) return this.bytes.toString("utf8", begin, end);
    return this.bytes.toString("utf8", begin + 1, end - 1).replaceAll('""', '"');
  }
}

/**
 * Where a scanner is in a row. Behind a quotation mark in a quoted cell, it may be the first of a pair or the end of the
 * cell; behind a carriage return that follows it, the row may end.
 */
type At = "begin" | "text" | "quoted" | "quote" | "quote and return";

/** How a file is written. */
export interface CsvDialect {
  /** A character of ASCII. */
  readonly delimiter: string;
  /** Whether a carriage return alone ends a row. */
  readonly endsAtReturn: boolean;
}

/**
 * Finds rows and cells in the bytes of a CSV file, in constant memory: it holds one row of at most `ROW_BYTES_MAX`, counts
 * cells without noting more of them than the header has, and passes over empty lines. A quoted cell in which quotation
 * marks are not doubled, as PHP writes them, is what is written. Throws AppError `invalid` for a row that is too large or
 * is not UTF-8.
 */
export class RowScanner {
  /** So many cells of a row are noted. */
  columns = COLUMNS_MAX;
  private at: At = "begin";
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
    /** Of the row that has begun. */
    private number: number,
  ) {
    this.delimiter = delimiter.charCodeAt(0);
    this.endsAtReturn = endsAtReturn;
  }

  /** The rows that end in these bytes. */
  *rows(chunk: Uint8Array): Generator<CsvRow, void, undefined> {
    let begin = 0;
    for (let index = 0; index < chunk.length; index++) {
      if (this.at === "quoted") {
        index = chunk.indexOf(QUOTE, index);
        if (index === -1) break;
        this.at = "quote";
        continue;
      }
      const byte = chunk[index] ?? 0;
      const end = this.size + index - begin;
      if (byte === this.delimiter) this.endCell(end);
      else if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && this.endsAtReturn)) {
        const previous = index === 0 ? this.last : chunk[index - 1];
        const isPair = byte === LINE_FEED && previous === CARRIAGE_RETURN;
        // Where a return alone ends a row, the line feed of a pair comes behind its end.
        if (!(isPair && this.endsAtReturn && end === 0)) {
          if (this.at === "quote and return") this.at = "quote";
          const row = this.endRow(chunk.subarray(begin, index), isPair && end > 0 ? end - 1 : end);
          if (row !== undefined) yield row;
        }
        begin = index + 1;
      } else this.at = this.next(byte);
    }
    this.hold(chunk.subarray(begin));
    this.last = chunk.at(-1) ?? this.last;
  }

  /** The row that ends with the file. */
  end(): CsvRow | undefined {
    if (this.at !== "quoted") return this.endRow(new Uint8Array(0), this.size);
    throw invalidCsv(`The file ends inside a quoted cell. Close the quotation mark that opens in row ${this.number}.`);
  }

  /** Behind a byte within a cell that is not being quoted. */
  private next(byte: number): At {
    if (byte === QUOTE && (this.at === "begin" || this.at === "quote")) return "quoted";
    return byte === CARRIAGE_RETURN && this.at === "quote" ? "quote and return" : "text";
  }

  private endCell(end: number): void {
    if (this.cells < this.columns) {
      this.ends.push(end);
      this.quoted.push(this.at === "quote");
    }
    this.cells++;
    this.at = "begin";
  }

  private endRow(rest: Uint8Array, end: number): CsvRow | undefined {
    this.hold(rest);
    const isEmpty = this.cells === 0 && end === 0;
    let row: CsvRow | undefined;
    if (!isEmpty) {
      this.endCell(end);
      row = new CsvRow(this.number, this.cells, this.text(), this.ends, this.quoted);
      this.ends = [];
      this.quoted = [];
    }
    this.number++;
    this.at = "begin";
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

  private hold(bytes: Uint8Array): void {
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
