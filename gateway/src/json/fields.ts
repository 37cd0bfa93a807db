import { ExportFormatSchema, ExportStatusSchema } from "@hourglass/proto/export/v1/export";
import { CsvDelimiterSchema } from "@hourglass/proto/export/v1/export_service";
import { CompletenessSchema, GapReasonSchema } from "@hourglass/proto/insight/v1/coverage";
import { InsightDimensionSchema, InsightStatusSchema } from "@hourglass/proto/insight/v1/insight";
import { CollectionModeSchema, PlatformStatusSchema } from "@hourglass/proto/insight/v1/platform";
import { SpikeMetricSchema, SpikeStatusSchema, SummaryIntervalSchema } from "@hourglass/proto/insight/v1/summary";
import { FileStateSchema, FileTypeSchema } from "@hourglass/proto/media/v1/media_service";
import {
  AnalysisTypeSchema,
  ContentErrorCodeSchema,
  DimensionSchema,
  OffsetUnitSchema,
  OperationStatusSchema,
  OperationTypeSchema,
  SourceSchema,
} from "@hourglass/proto/operation/v1/operation";
import { calendarDate, Spelling, wrong, type Moment, type ObjectReader, type Read } from "@hourglass/runtime/json";

/** The requested part of a list; the rules are in proto/. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** A whole number in a query string. */
export const wholeNumber: Read<number> = (value, path, violations) =>
  typeof value === "string" && /^\d{1,9}$/.test(value)
    ? Number(value)
    : wrong(violations, path, "Give a whole number.");

/** Returns the id that a text spells, or undefined if it spells none. */
export function parseId(text: string): bigint | undefined {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined;
}

/** A switch in a query string. */
export const flag: Read<boolean> = (value, path, violations) =>
  value === "true" || value === "false" ? value === "true" : wrong(violations, path, "Give true or false.");

/** A span of time; each end may be open. */
interface Span {
  start?: Moment;
  end?: Moment;
}

/** Reads `start_date`, inclusive, and `end_date`, exclusive, both from 00:00 UTC. */
export function readSpan(query: ObjectReader): Span {
  const start = query.optional("start_date", calendarDate);
  const end = query.optional("end_date", calendarDate);
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** The cursor of the next page, null on the last one. */
export function fromCursor(cursor: string): string | null {
  return cursor === "" ? null : cursor;
}

export const OPERATION_TYPE = new Spelling(OperationTypeSchema);
export const OPERATION_STATUS = new Spelling(OperationStatusSchema);
export const ANALYSIS_TYPE = new Spelling(AnalysisTypeSchema);
export const DIMENSION = new Spelling(DimensionSchema);
export const SOURCE = new Spelling(SourceSchema);
export const CONTENT_ERROR_CODE = new Spelling(ContentErrorCodeSchema, "_");
export const OFFSET_UNIT = new Spelling(OffsetUnitSchema, "_");
export const FILE_TYPE = new Spelling(FileTypeSchema);
export const FILE_STATE = new Spelling(FileStateSchema);
export const PLATFORM_STATUS = new Spelling(PlatformStatusSchema, "_");
export const COLLECTION_MODE = new Spelling(CollectionModeSchema);
export const COMPLETENESS = new Spelling(CompletenessSchema);
export const GAP_REASON = new Spelling(GapReasonSchema, "_");
export const SUMMARY_INTERVAL = new Spelling(SummaryIntervalSchema);
export const SPIKE_METRIC = new Spelling(SpikeMetricSchema, "_");
export const SPIKE_STATUS = new Spelling(SpikeStatusSchema, "_");
export const INSIGHT_DIMENSION = new Spelling(InsightDimensionSchema);
export const INSIGHT_STATUS = new Spelling(InsightStatusSchema);
export const EXPORT_STATUS = new Spelling(ExportStatusSchema);
export const EXPORT_FORMAT = new Spelling(ExportFormatSchema);
export const CSV_DELIMITER = new Spelling(CsvDelimiterSchema);
