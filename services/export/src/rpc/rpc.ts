import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type CreateExportRequest, ExportService } from "@hourglass/proto/export/v1/export_service";
import {
  type AuthenticatedContext,
  type FieldViolation,
  type Handlers,
  route,
  type Route,
  type Rules,
} from "@hourglass/runtime";
import type { CreateExport } from "../create/create-export.js";
import type { DeleteExport } from "../read/delete-export.js";
import type { GetExport, ListExports } from "../read/get-export.js";
import type { Links } from "../read/links.js";
import { type FileInfo, type ReadExport, requireBytes } from "../read/read-export.js";
import { daysBetween } from "../records/dates.js";
import { toExport, toInfo, toWholeExport } from "./messages.js";

export interface ExportUseCases {
  createExport: CreateExport;
  getExport: GetExport;
  listExports: ListExports;
  deleteExport: DeleteExport;
  readExport: ReadExport;
  links: Links;
}

/** The service's methods. */
export function exportRoute(useCases: ExportUseCases, { rangeDaysMax }: { rangeDaysMax: number }): Route {
  const handlers: Handlers<typeof ExportService> = { ...handlersOfRecords(useCases), ...handlersOfBytes(useCases) };
  const rules: Rules<typeof ExportService> = { createExport: (request) => longRange(request, rangeDaysMax) };
  return route(ExportService, handlers, { product: "insight", rules });
}

/** Also called for dates that are none. */
function longRange({ startDate, endDate }: CreateExportRequest, daysMax: number): FieldViolation[] {
  if (!(daysBetween(startDate, endDate) > daysMax)) return [];
  return [{ field: "end_date", message: `Give a date at most ${daysMax} days after start_date.` }];
}

function handlersOfRecords(useCases: ExportUseCases): Handlers<typeof ExportService> {
  return {
    createExport: async ({ insightSearchIds, startDate, endDate, idempotencyKey }, context) => {
      const { token, requestId } = context;
      const caller = { companyId: companyOf(context), token, requestId, signal: () => context.signal };
      const request = { insightSearchIds: insightSearchIds.map(Number), startDate, endDate, idempotencyKey };
      return { id: BigInt(await useCases.createExport(request, caller)) };
    },
    getExport: async ({ id, wait }, context) => {
      const wanted = { id: Number(id), companyId: companyOf(context), waitMs: wait * 1000 };
      return { export: toWholeExport(await useCases.getExport(wanted, () => context.signal)) };
    },
    listExports: async ({ limit, cursor }, context) => {
      const { records, nextCursor } = await useCases.listExports(companyOf(context), { limit, cursor });
      return { exports: records.map(toExport), nextCursor };
    },
    deleteExport: async ({ id }, context) => {
      await useCases.deleteExport(Number(id), companyOf(context));
      return {};
    },
  };
}

function handlersOfBytes({ readExport, getExport, links }: ExportUseCases): Handlers<typeof ExportService> {
  return {
    async *readExport({ id, format, reading }, context) {
      const request = { id: Number(id), companyId: companyOf(context), format, reading };
      for await (const part of readExport(request)) yield toPart(part);
    },
    createExportLink: async ({ id, format }, context) => {
      const wanted = { id: Number(id), companyId: companyOf(context) };
      requireBytes(await getExport({ ...wanted, waitMs: 0 }, () => context.signal));
      const { token, expiresAt } = await links.issue({ ...wanted, format });
      return { token, expiresAt: timestampFromMs(expiresAt) };
    },
    async *readLinkedExport({ token, reading }) {
      const linked = await links.read(token);
      for await (const part of readExport({ ...linked, reading })) yield toPart(part);
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
