import type { MessageInitShape } from "@bufbuild/protobuf";
import { CreateExportRequestSchema, ExportStatus, type Export } from "@hourglass/proto/export/v1/export_service";
import { accepted } from "./field-errors.js";
import { id, list, ObjectReader, string, type Violations } from "./reader.js";
import { EXPORT_STATUS } from "./spelling.js";
import { toIso } from "./time.js";

const INSIGHTS_MAX = 100;

/** Reads the request body for a new export. */
export function toCreateExportRequest(
  body: Record<string, unknown>,
  idempotencyKey: string,
): MessageInitShape<typeof CreateExportRequestSchema> {
  const violations: Violations = [];
  const reader = new ObjectReader(body, "", violations);
  const ids = list(id, { itemsMax: INSIGHTS_MAX, placeholder: (index) => -1n - BigInt(index) });
  const request = {
    insightSearchIds: reader.required("insight_search_ids", ids) ?? [],
    startDate: reader.required("start_date", string) ?? "",
    endDate: reader.required("end_date", string) ?? "",
    idempotencyKey,
  };
  return accepted(CreateExportRequestSchema, request, violations);
}

/** Whether an export has ended. */
export function hasEnded({ status }: Export): boolean {
  return status === ExportStatus.DONE || status === ExportStatus.FAILED;
}

/** An export without its data: an entry of a list, or the head of the full object. */
export function fromExport({ id: exportId, status, query, error, createdAt, finishedAt }: Export): object {
  return {
    id: Number(exportId),
    status: EXPORT_STATUS.of(status),
    query: {
      insight_search_ids: (query?.insightSearchIds ?? []).map(Number),
      start_date: query?.startDate ?? "",
      end_date: query?.endDate ?? "",
    },
    ...(error === "" ? undefined : { error }),
    created_at: toIso(createdAt),
    finished_at: toIso(finishedAt),
  };
}

/** The export object of the interface; its data is the JSON array rendered by the service. */
export async function* exportPieces(head: Export, data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(fromExport(head)).slice(0, -1)},"data":`);
  yield* data;
  yield Buffer.from("}");
}
