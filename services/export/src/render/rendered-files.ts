import type { Digest } from "./digest.js";
import type { Sink } from "./outlet.js";

/** The files of an export. The JSON array is read from the JSON lines. */
export const RENDERED_FORMATS = ["ndjson", "csv", "parquet"] as const;

export type RenderedFormat = (typeof RENDERED_FORMATS)[number];

/** Where the files of an export go. */
export type Sinks = Readonly<Record<RenderedFormat, Sink>>;

/** An export that has been stored. */
export interface Rendered {
  readonly rows: number;
  /** The same postings give the same bytes, and therefore the same tags; of Parquet, until some are erased. */
  readonly files: Readonly<Record<RenderedFormat, Digest>>;
}
