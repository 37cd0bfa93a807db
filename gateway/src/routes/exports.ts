import { ExportFormat, ExportStatus, type Export } from "@hourglass/proto/export/v1/export";
import { GetExportRequestSchema, ListExportsRequestSchema } from "@hourglass/proto/export/v1/export_service";
import { AppError } from "@hourglass/runtime";
import { toIso, type Violations } from "@hourglass/runtime/json";
import type { Clients } from "../clients.js";
import { originOf } from "../http/address.js";
import type { Call } from "../http/routing/call.js";
import type { Endpoint } from "../http/routing/endpoint.js";
import { preferredType } from "../http/response/negotiate.js";
import { jsonReply, type Reply } from "../http/reply.js";
import {
  fromExport,
  fromWholeExport,
  hasEnded,
  readExportForm,
  toCreateExportRequest,
  toCreateLinkRequest,
} from "../json/export.js";
import { accepted } from "../json/field-errors.js";
import { fromCursor, wholeNumber, EXPORT_FORMAT } from "../json/fields.js";
import { EXPORT_TYPES, fileReply, formatOf, objectReply, type Form, type ReadExport } from "./export-downloads.js";
import { EXPORT_LINKS, EXPORTS, EXPORTS_ALIAS } from "../paths/export-paths.js";

/** A hundred ids and two dates, or a format. */
const SHORT_BYTES_MAX = 65_536;
const SECONDS_UNTIL_NEXT_LOOK = "1";

/** Bounded by the client's pace, which is checked elsewhere. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/** Creating, reading, listing, downloading and deleting exports. */
export function exportRoutes({ export: service }: Pick<Clients, "export">): Endpoint[] {
  const base = { access: "insight", record: "export" } as const;
  const create = async (call: Call, body: Record<string, unknown>) => {
    const { id } = await service.createExport(toCreateExportRequest(body, call.idempotencyKey), call.options());
    call.concerns(id);
    return jsonReply(201, { id: Number(id) }, ["Location", `${EXPORTS}/${id}`]);
  };
  const read = (call: Call) => getExport(service, call);
  const remove = async (call: Call): Promise<Reply> => {
    await service.deleteExport({ id: call.pathId }, call.options());
    return { status: 204 };
  };
  const link = (call: Call, body: Record<string, unknown>) => createLink(service, call, body);
  const short = { body: "json", bodyBytesMax: SHORT_BYTES_MAX } as const;
  return [
    { ...base, ...short, method: "POST", path: EXPORTS, handle: create },
    { ...base, method: "GET", path: EXPORTS, handle: (call) => listExports(service, call) },
    { method: "GET", path: `${EXPORT_LINKS}/:token`, access: "open", handle: (call) => getLinked(service, call) },
    { ...base, method: "GET", path: `${EXPORTS}/:id`, handle: read },
    { ...base, method: "DELETE", path: `${EXPORTS}/:id`, handle: remove },
    { ...base, method: "GET", path: `${EXPORTS}/:id/download`, handle: (call) => download(service, call) },
    { ...base, ...short, method: "POST", path: `${EXPORTS}/:id/links`, handle: link },
    { ...base, ...short, method: "POST", path: EXPORTS_ALIAS, handle: create },
    { ...base, method: "GET", path: `${EXPORTS_ALIAS}/:id`, handle: read },
  ];
}

async function listExports(service: Clients["export"], call: Call): Promise<Reply> {
  const violations: Violations = [];
  const request = accepted(ListExportsRequestSchema, call.page(call.query(violations)), violations);
  const page = await service.listExports(request, call.options());
  return jsonReply(200, { exports: page.exports.map(fromExport), next_cursor: fromCursor(page.nextCursor) });
}

/** JSON returns the export and its progress; any other type downloads its file, which fails until it is done. */
async function getExport(service: Clients["export"], call: Call): Promise<Reply> {
  const id = call.pathId;
  const violations: Violations = [];
  const wait = call.query(violations).optional("wait", wholeNumber) ?? 0;
  const form = formIn(call, violations);
  accepted(GetExportRequestSchema, { id, wait }, violations);
  const found = await waitForExport(service, call, { id, wait });
  const format = acceptedFormat(call);
  if (format !== ExportFormat.JSON) return fileReply(call, reader(service, call, { id, format }), form);
  if (found.status === ExportStatus.DONE) {
    const again = () => waitForExport(service, call, { id, wait: 0 });
    return objectReply(call, reader(service, call, { id, format }), again, form);
  }
  const retry = hasEnded(found) ? [] : ["Retry-After", SECONDS_UNTIL_NEXT_LOOK];
  return jsonReply(200, { ...fromWholeExport(found), data: null }, ["Vary", "Accept, Accept-Encoding", ...retry]);
}

async function waitForExport(
  service: Clients["export"],
  call: Call,
  { id, wait }: { id: bigint; wait: number },
): Promise<Export> {
  const { export: found } = await call.waitFor(wait, (seconds, options) =>
    service.getExport({ id, wait: seconds }, options),
  );
  if (found === undefined) throw new AppError("internal", "The export could not be read. Try again later.");
  return found;
}

/** `format` comes before Accept, because it can be part of a link. */
async function download(service: Clients["export"], call: Call): Promise<Reply> {
  const id = call.pathId;
  const violations: Violations = [];
  const format = call.query(violations).optional("format", EXPORT_FORMAT.read) ?? acceptedFormat(call);
  const form = formIn(call, violations);
  if (violations.length > 0) throw AppError.invalid(violations);
  return fileReply(call, reader(service, call, { id, format }), form);
}

async function createLink(service: Clients["export"], call: Call, body: Record<string, unknown>): Promise<Reply> {
  const request = toCreateLinkRequest(call.pathId, body);
  const { token, expiresAt } = await service.createExportLink(request, call.options());
  const url = `${originOf(call.exchange)}${EXPORT_LINKS}/${token}`;
  return jsonReply(201, { url, expires_at: toIso(expiresAt) });
}

async function getLinked(service: Clients["export"], call: Call): Promise<Reply> {
  const violations: Violations = [];
  const form = formIn(call, violations);
  if (violations.length > 0) throw AppError.invalid(violations);
  const token = call.pathToken;
  return fileReply(call, (reading) => service.readLinkedExport({ token, reading }, downloading(call)), form);
}

function reader(
  service: Clients["export"],
  call: Call,
  { id, format }: { id: bigint; format: ExportFormat },
): ReadExport {
  return (reading) => service.readExport({ id, format, reading }, downloading(call));
}

function downloading(call: Call) {
  return { ...call.options(DOWNLOAD_TIMEOUT_MS), signal: call.exchange.clientLeft };
}

function acceptedFormat({ exchange }: Call): ExportFormat {
  return formatOf(preferredType(exchange.req.headers, EXPORT_TYPES));
}

function formIn(call: Call, violations: Violations): Form | undefined {
  return readExportForm({ fields: call.query(violations), columns: call.queryValues("columns") }, violations);
}
