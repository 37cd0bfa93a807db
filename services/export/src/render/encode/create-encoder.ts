import { CsvEncoder, type CsvDelimiter } from "./csv-encoder.js";
import type { Encoder } from "./encoder.js";
import { NdjsonEncoder } from "./ndjson-encoder.js";
import { ParquetEncoder } from "./parquet-encoder.js";

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
