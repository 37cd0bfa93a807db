import type { Posting } from "@hourglass/proto/insight/v1/posting";
import type { FieldViolation } from "@hourglass/runtime";
import type { ShapeLimits } from "@hourglass/runtime/json";

/** A row of an import: a posting, or what is wrong with it, by the keys of the posting object. */
export type ImportRow = PostingRow | WrongRow;

export interface PostingRow {
  /** Number of the row, from 1: of the line, or of the row in a spreadsheet. */
  readonly row: number;
  readonly posting: Posting;
}

export interface WrongRow {
  readonly row: number;
  readonly violations: readonly FieldViolation[];
}

/** Rows with more bytes are not read. */
export const ROW_BYTES_MAX = 1_048_576;

/** JSON of a row with more in it is not read: no posting has as much. */
export const JSON_LIMITS: ShapeLimits = { parts: 60_000, depth: 64 };
