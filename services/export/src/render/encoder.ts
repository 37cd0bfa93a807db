import type { PostingJson } from "@hourglass/posting/columns";
import { type CsvDelimiter, CsvEncoder } from "./csv.js";
import { NdjsonEncoder } from "./ndjson.js";
import { ParquetEncoder } from "./parquet.js";

/** Writes postings in one format. Every method returns the bytes that are ready, in order. */
export interface Encoder {
  begin(): Uint8Array;
  /** `weight` is the size of the postings as JSON lines, in bytes. */
  add(postings: readonly PostingJson[], weight: number): Uint8Array;
  end(): Uint8Array;
}

/** How postings are written. */
export interface Encoding {
  readonly format: "ndjson" | "csv" | "parquet";
  /** Keys of the posting object, in their order in the file. */
  readonly columns: readonly string[];
  /** CSV only; default: comma. */
  readonly delimiter?: CsvDelimiter;
  /** CSV only; default: no byte order mark. */
  readonly bom?: boolean;
}

export function createEncoder({ format, ...options }: Encoding): Encoder {
  switch (format) {
    case "ndjson":
      return new NdjsonEncoder(options.columns);
    case "csv":
      return new CsvEncoder(options);
    case "parquet":
      return new ParquetEncoder(options.columns);
  }
}
