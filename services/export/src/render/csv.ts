import { toCsvCell, type PostingJson } from "@hourglass/posting/columns";
import { stringify } from "csv-stringify/sync";

/** What separates the cells of a row. */
export type CsvDelimiter = "," | ";" | "\t";

export interface CsvEncoderOptions {
  columns: readonly string[];
  delimiter?: CsvDelimiter;
  /** Whether a byte order mark comes first, by which some spreadsheets recognize UTF-8. */
  bom?: boolean;
}

const BYTE_ORDER_MARK = "\ufeff";

/** Writes postings as CSV of RFC 4180 with a header, safe to open in a spreadsheet. */
export class CsvEncoder {
  private readonly columns: readonly string[];
  private readonly bom: boolean;
  private readonly options;

  constructor({ columns, delimiter = ",", bom = false }: CsvEncoderOptions) {
    this.columns = columns;
    this.bom = bom;
    this.options = {
      delimiter,
      record_delimiter: "\r\n",
      // Many readers take a line feed or a carriage return alone for the end of a row; the library quotes only both.
      quoted_match: /[\r\n]/,
      // An empty cell alone in its row would be an empty line, which readers skip.
      quoted_empty: columns.length === 1,
    };
  }

  begin(): Uint8Array {
    return Buffer.from((this.bom ? BYTE_ORDER_MARK : "") + stringify([[...this.columns]], this.options));
  }

  add(postings: readonly PostingJson[]): Uint8Array {
    if (postings.length === 0) return NO_BYTES;
    const rows = postings.map((posting) => this.columns.map((column) => toCsvCell(column, posting[column] ?? null)));
    return Buffer.from(stringify(rows, this.options));
  }

  end(): Uint8Array {
    return NO_BYTES;
  }
}

const NO_BYTES = new Uint8Array(0);
