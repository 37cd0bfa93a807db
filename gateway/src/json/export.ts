import { ExportStatus, type Export } from "@hourglass/proto/export/v1/export";
import { toIso } from "@hourglass/runtime/json";
import { fromCoverage } from "./insights/insight-span.js";
import { EXPORT_FORMAT, EXPORT_STATUS } from "./spelling.js";

/** Whether an export has ended. */
export function hasEnded({ status }: Export): boolean {
  return status === ExportStatus.DONE || status === ExportStatus.FAILED;
}

/** The head of the full object of an export. */
export function fromWholeExport(found: Export): object {
  const coverage = found.coverage.map(({ insightSearchId, platforms }) => ({
    insight_search_id: Number(insightSearchId),
    ...fromCoverage({ platforms }),
  }));
  return { ...fromExport(found), coverage };
}

/** An entry of a list of exports. */
export function fromExport(found: Export): object {
  const { id, status, query, error, createdAt, finishedAt } = found;
  return {
    id: Number(id),
    status: EXPORT_STATUS.of(status),
    query: {
      insight_search_ids: (query?.insightSearchIds ?? []).map(Number),
      start_date: query?.startDate ?? "",
      end_date: query?.endDate ?? "",
    },
    ...(error === "" ? undefined : { error }),
    progress: fromProgress(found),
    rows: found.rows === undefined ? null : Number(found.rows),
    files: found.files.map(({ format, sizeBytes }) => ({ format: EXPORT_FORMAT.of(format), size: Number(sizeBytes) })),
    created_at: toIso(createdAt),
    finished_at: toIso(finishedAt),
    expires_at: toIso(found.expiresAt),
    revised_at: toIso(found.revisedAt),
  };
}

function fromProgress({ progress }: Export): object {
  return {
    done: Number(progress?.done ?? 0),
    total: progress?.total === undefined ? null : Number(progress.total),
    analysed: Number(progress?.analysed ?? 0),
    rendered: Number(progress?.rendered ?? 0),
  };
}
