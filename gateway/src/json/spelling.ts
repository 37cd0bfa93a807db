import {
  AnalysisTypeSchema,
  ContentErrorCodeSchema,
  DimensionSchema,
  OffsetUnitSchema,
  OperationStatusSchema,
  OperationTypeSchema,
  SourceSchema,
} from "@hourglass/proto/operation/v1/operation";
import { ExportFormatSchema, ExportStatusSchema } from "@hourglass/proto/export/v1/export";
import { CsvDelimiterSchema } from "@hourglass/proto/export/v1/export_service";
import { InsightDimensionSchema, InsightStatusSchema } from "@hourglass/proto/insight/v1/insight";
import { CompletenessSchema, GapReasonSchema } from "@hourglass/proto/insight/v1/coverage";
import { CollectionModeSchema, PlatformStatusSchema } from "@hourglass/proto/insight/v1/platform";
import { SpikeMetricSchema, SpikeStatusSchema, SummaryIntervalSchema } from "@hourglass/proto/insight/v1/summary";
import { FileStateSchema, FileTypeSchema } from "@hourglass/proto/media/v1/media_service";
import { Spelling } from "@hourglass/runtime/json";

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
