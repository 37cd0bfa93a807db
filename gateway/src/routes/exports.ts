import {
  ExportFormat,
  ExportStatus,
  GetExportRequestSchema,
  ListExportsRequestSchema,
  type Export,
} from "@hourglass/proto/export/v1/export_service";
import { AppError } from "@hourglass/runtime";
import type { Clients } from "../clients.js";
import type { Call } from "../http/call.js";
import type { Endpoint } from "../http/endpoint.js";
import { asksFor } from "../http/media-type.js";
import { jsonReply, type Reply } from "../http/reply.js";
import { exportPieces, fromExport, hasEnded, toCreateExportRequest } from "../json/export.js";
import { accepted } from "../json/field-errors.js";
import { fromCursor, wholeNumber } from "../json/query.js";
import type { Violations } from "../json/reader.js";
import { INSIGHTS } from "./insights.js";

const EXPORTS = `${INSIGHTS}/exports`;
/** The interface also uses this path, in one place. */
const EXPORTS_ALIAS = "/api/v2/products/api/exports";
const SECONDS_UNTIL_NEXT_LOOK = "1";

/** Bounded by the client's pace, which is checked elsewhere. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/** Formats that a client may request instead of the export object. */
const DOWNLOADS = [
  { type: "text/csv", format: ExportFormat.CSV, extension: "csv" },
  { type: "application/x-ndjson", format: ExportFormat.NDJSON, extension: "ndjson" },
] as const;

/** Creating, reading and listing exports. */
export function exportRoutes({ export: service }: Pick<Clients, "export">): Endpoint[] {
  const base = { access: "insight" } as const;
  const create = async (call: Call, body: Record<string, unknown>) => {
    const { id } = await service.createExport(toCreateExportRequest(body, call.idempotencyKey), call.options());
    return jsonReply(201, { id: Number(id) }, ["Location", `${EXPORTS}/${id}`]);
  };
  const read = (call: Call) => getExport(service, call);
  return [
    { ...base, method: "POST", path: EXPORTS, body: "json", handle: create },
    { ...base, method: "GET", path: EXPORTS, handle: (call) => listExports(service, call) },
    { ...base, method: "GET", path: `${EXPORTS}/:id`, handle: read },
    { ...base, method: "POST", path: EXPORTS_ALIAS, body: "json", handle: create },
    { ...base, method: "GET", path: `${EXPORTS_ALIAS}/:id`, handle: read },
  ];
}

async function listExports(service: Clients["export"], call: Call): Promise<Reply> {
  const violations: Violations = [];
  const request = accepted(ListExportsRequestSchema, call.page(call.query(violations)), violations);
  const page = await service.listExports(request, call.options());
  return jsonReply(200, { exports: page.exports.map(fromExport), next_cursor: fromCursor(page.nextCursor) });
}

async function getExport(service: Clients["export"], call: Call): Promise<Reply> {
  const id = call.pathId;
  const violations: Violations = [];
  const wait = call.query(violations).optional("wait", wholeNumber) ?? 0;
  accepted(GetExportRequestSchema, { id, wait }, violations);
  const { export: found } = await call.waitFor(wait, (seconds, options) =>
    service.getExport({ id, wait: seconds }, options),
  );
  if (found === undefined) throw new AppError("internal", "The export could not be read. Try again later.");
  if (found.status === ExportStatus.DONE) return doneExport(service, call, found);
  const retry = hasEnded(found) ? [] : ["Retry-After", SECONDS_UNTIL_NEXT_LOOK];
  return jsonReply(200, { ...fromExport(found), data: null }, ["Vary", "Accept", ...retry]);
}

async function doneExport(service: Clients["export"], call: Call, found: Export): Promise<Reply> {
  const { id } = found;
  const download = DOWNLOADS.find(({ type }) => asksFor(call.exchange.req.headers.accept, type));
  const format = download?.format ?? ExportFormat.JSON;
  const data = await begun(chunks(service, call, { id, format }));
  if (download === undefined) {
    return { status: 200, body: exportPieces(found, data), headers: ["Vary", "Accept"] };
  }
  const disposition = `attachment; filename="export-${id}.${download.extension}"`;
  return {
    status: 200,
    contentType: `${download.type}; charset=utf-8`,
    headers: ["Vary", "Accept", "Content-Disposition", disposition],
    body: data,
  };
}

async function* chunks(
  service: Clients["export"],
  call: Call,
  request: { id: bigint; format: ExportFormat },
): AsyncGenerator<Uint8Array> {
  const options = { ...call.options(DOWNLOAD_TIMEOUT_MS), signal: call.exchange.clientLeft };
  for await (const { chunk } of service.readExport(request, options)) yield chunk;
}

/** Waits for the first chunk, so that an error at the start still gets its status. */
async function begun(data: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await data.next();
  return resumed(first, data);
}

async function* resumed(
  first: IteratorResult<Uint8Array, unknown>,
  others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done === true) return;
  yield first.value;
  yield* others;
}
