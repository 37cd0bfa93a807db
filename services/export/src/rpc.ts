import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type CreateExportRequest, ExportService } from "@hourglass/proto/export/v1/export_service";
import {
  authorOfCall,
  type AuthenticatedContext,
  callerIdOfCall,
  type FieldViolation,
  type Handlers,
  metadataOf,
  route,
  type Route,
  type Rules,
} from "@hourglass/runtime";
import type { ExportCreation } from "./create.js";
import type { ExportLinks } from "./links.js";
import { toExport, toInfo, toWholeExport } from "./messages.js";
import { type ExportReader, type FileInfo, requireFiles } from "./read.js";
import { daysBetween, exportNotFound, type ExportRepository } from "./store.js";

export interface RpcDeps {
  repository: ExportRepository;
  creation: ExportCreation;
  reader: ExportReader;
  links: ExportLinks;
}

/** The service's methods. */
export function exportRoute(deps: RpcDeps, { rangeDaysMax }: { rangeDaysMax: number }): Route {
  const handlers: Handlers<typeof ExportService> = { ...recordHandlers(deps), ...byteHandlers(deps) };
  const rules: Rules<typeof ExportService> = { createExport: (request) => longRange(request, rangeDaysMax) };
  return route(ExportService, handlers, { product: "insight", rules });
}

/** Also called for texts that are no dates. */
function longRange({ startDate, endDate }: CreateExportRequest, daysMax: number): FieldViolation[] {
  if (!(daysBetween(startDate, endDate) > daysMax)) return [];
  return [{ field: "end_date", message: `Give a date at most ${daysMax} days after start_date.` }];
}

function recordHandlers({ repository, creation, reader }: RpcDeps): Handlers<typeof ExportService> {
  return {
    createExport: async ({ insightSearchIds, metadata, ...given }, context) => {
      const { startDate, endDate, filter, idempotencyKey } = given;
      const { token, requestId } = context;
      const createdBy = authorOfCall(context);
      const caller = { companyId: companyOf(context), createdBy, token, requestId, signal: () => context.signal };
      const asked = { insightSearchIds: insightSearchIds.map(Number), startDate, endDate, filter };
      const request = { ...asked, metadata: metadataOf(metadata), idempotencyKey };
      const { id, replayed } = await creation.create(request, caller);
      return { id: BigInt(id), replayed };
    },
    getExport: async ({ id, wait }, context) => {
      const callerId = callerIdOfCall(context);
      const request = { id: Number(id), companyId: companyOf(context), callerId, waitMs: wait * 1000 };
      return { export: toWholeExport(await reader.get(request, () => context.signal)) };
    },
    listExports: async ({ limit, cursor, metadata }, context) => {
      const wanted = { companyId: companyOf(context), metadata: metadataOf(metadata) };
      const { records, nextCursor } = await reader.list(wanted, { limit, cursor });
      return { exports: records.map(toExport), nextCursor };
    },
    // A worker in the middle of the export finds its lease gone and removes what it has stored.
    deleteExport: async ({ id }, context) => {
      const record = await repository.find(Number(id), companyOf(context));
      if (!(await repository.remove(record))) throw exportNotFound();
      return {};
    },
  };
}

function byteHandlers({ reader, links }: RpcDeps): Handlers<typeof ExportService> {
  return {
    async *readExport({ id, format, reading }, context) {
      const request = { id: Number(id), companyId: companyOf(context), format, reading };
      for await (const part of reader.read(request)) yield toPart(part);
    },
    createExportLink: async ({ id, format, idempotencyKey }, context) => {
      const request = { id: Number(id), companyId: companyOf(context) };
      requireFiles(await reader.get({ ...request, waitMs: 0 }, () => context.signal));
      const { token, expiresAt, replayed } = await links.issue({ ...request, format }, idempotencyKey);
      return { token, expiresAt: timestampFromMs(expiresAt), replayed };
    },
    async *readLinkedExport({ token, reading }) {
      const file = await links.read(token);
      for await (const part of reader.read({ ...file, reading })) yield toPart(part);
    },
  };
}

function toPart(part: FileInfo | Uint8Array) {
  if (part instanceof Uint8Array) return { part: { case: "chunk" as const, value: part } };
  return { part: { case: "info" as const, value: toInfo(part) } };
}

function companyOf({ principal }: AuthenticatedContext): number {
  return principal.companyId;
}
