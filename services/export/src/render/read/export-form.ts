import { createHash } from "node:crypto";
import { POSTING_KEYS } from "@hourglass/posting";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { CsvDelimiter, type ExportForm } from "@hourglass/proto/export/v1/export_service";
import { AppError, giveOneOf } from "@hourglass/runtime";
import type { Encoding } from "../encode/create-encoder.js";
import type { CsvDelimiter as Delimiter } from "../encode/csv-encoder.js";
import { toJsonArray } from "./json-array.js";
import { withoutFlagged } from "./without-flagged.js";
import { projectExport, type ProjectOptions } from "./project-export.js";

/**
 * The bytes of an export in another form, rendered from its JSON lines while they are read. Throws AppError `invalid` for
 * unknown columns, before anything is read.
 */
export function readInForm(
  ndjson: AsyncIterable<Uint8Array>,
  format: ExportFormat,
  form: ExportForm,
  options?: ProjectOptions,
): AsyncIterable<Uint8Array> {
  const lines = form.flaggedIdsOnly ? withoutFlagged(ndjson) : ndjson;
  const bytes = projectExport(lines, encodingOf(format, form), options);
  return format === ExportFormat.JSON ? toJsonArray(bytes) : bytes;
}

/** The tag of a form of the export whose stored bytes have the given tag. Throws as `readInForm`. */
export function tagOfForm(tag: string, format: ExportFormat, form: ExportForm): string {
  const parts = [format, encodingOf(format, form), ...(form.flaggedIdsOnly ? ["flagged_ids_only"] : [])];
  const encoding = JSON.stringify(parts);
  return `${tag}-${createHash("sha256").update(encoding).digest("hex").slice(0, 16)}`;
}

function encodingOf(format: ExportFormat, { columns: asked, csvDelimiter, csvBom: bom }: ExportForm): Encoding {
  checkColumns(asked);
  const columns = asked.length === 0 ? POSTING_KEYS : asked;
  switch (format) {
    case ExportFormat.CSV:
      return { format: "csv", columns, delimiter: DELIMITERS[csvDelimiter], bom };
    case ExportFormat.PARQUET:
      return { format: "parquet", columns };
    default:
      return { format: "ndjson", columns };
  }
}

function checkColumns(columns: readonly string[]): void {
  const violations = columns.flatMap((column, index) => {
    if (POSTING_KEYS.includes(column)) return [];
    return [{ field: `reading.form.columns[${index}]`, message: giveOneOf(POSTING_KEYS, column) }];
  });
  if (violations.length > 0) throw AppError.invalid(violations);
}

const DELIMITERS: Readonly<Record<CsvDelimiter, Delimiter>> = {
  [CsvDelimiter.UNSPECIFIED]: ",",
  [CsvDelimiter.COMMA]: ",",
  [CsvDelimiter.SEMICOLON]: ";",
  [CsvDelimiter.TAB]: "\t",
};
