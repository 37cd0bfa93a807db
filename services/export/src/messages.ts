import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Export,
  ExportFormat,
  ExportSchema,
  ExportStatus,
  type InsightCoverage,
  InsightCoverageSchema,
} from "@hourglass/proto/export/v1/export";
import type { ExportInfoSchema } from "@hourglass/proto/export/v1/export_service";
import { hasEnded, type JobStatus, toAuthor } from "@hourglass/runtime";
import { filterOf } from "./insight.js";
import { type FileInfo, fileOf } from "./read.js";
import type { ExportedCoverage, ExportRecord } from "./store.js";

const FORMATS = [ExportFormat.JSON, ExportFormat.NDJSON, ExportFormat.CSV, ExportFormat.PARQUET] as const;

const STATUS: Readonly<Record<JobStatus, ExportStatus>> = {
  ready: ExportStatus.PENDING,
  pending: ExportStatus.PENDING,
  running: ExportStatus.RUNNING,
  done: ExportStatus.DONE,
  failed: ExportStatus.FAILED,
  invalid: ExportStatus.FAILED,
};

/** An export with its coverage. */
export function toWholeExport(record: ExportRecord): Export {
  return { ...toExport(record), coverage: (record.coverage ?? []).map(toCoverage) };
}

function toCoverage({ insightId, platforms }: ExportedCoverage): InsightCoverage {
  return create(InsightCoverageSchema, {
    insightSearchId: BigInt(insightId),
    platforms: platforms.map(({ platform, spans }) => ({
      platform,
      spans: spans.map(({ start, end, completeness, reasons }) => ({
        start: timestampFromMs(start),
        end: timestampFromMs(end),
        completeness,
        reasons,
      })),
    })),
  });
}

/** An export as in a list. */
export function toExport(record: ExportRecord): Export {
  const { status, insights, startDate, endDate, total, analysed, rows, finishedAt, expiresAt, revisedAt } = record;
  return create(ExportSchema, {
    id: BigInt(record.id),
    status: STATUS[status],
    query: {
      insightSearchIds: insights.map(({ id }) => BigInt(id)),
      startDate,
      endDate,
      ...filterOf(record),
    },
    error: record.error ?? "",
    createdAt: timestampFromMs(record.createdAt),
    createdBy: toAuthor(record.createdBy),
    metadata: Object.fromEntries(record.metadata ?? []),
    ...(finishedAt !== null && hasEnded(status) && { finishedAt: timestampFromMs(finishedAt) }),
    progress: {
      ...(total !== null && { total: BigInt(total) }),
      analysed: BigInt(analysed ?? 0),
      rendered: BigInt(record.progress),
      done: BigInt(record.progress),
    },
    ...(rows !== null && { rows: BigInt(rows) }),
    files: FORMATS.flatMap((format) => {
      const file = fileOf(record, format);
      return file === undefined ? [] : [{ format, sizeBytes: BigInt(file.size) }];
    }),
    ...(expiresAt !== null && { expiresAt: timestampFromMs(expiresAt) }),
    ...(revisedAt !== null && { revisedAt: timestampFromMs(revisedAt) }),
  });
}

export function toInfo({
  exportId,
  format,
  size,
  tag,
  modifiedAt,
  range,
}: FileInfo): MessageInitShape<typeof ExportInfoSchema> {
  return {
    exportId: BigInt(exportId),
    format,
    sizeBytes: BigInt(size),
    tag,
    modifiedAt: timestampFromMs(modifiedAt),
    offset: BigInt(range.start),
    length: BigInt(range.end - range.start),
  };
}
