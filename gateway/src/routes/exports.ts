import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ExportFormat, ExportStatus, type Export } from "@hourglass/proto/export/v1/export";
import {
  GetExportRequestSchema,
  ListExportsRequestSchema,
  type ExportFormSchema,
  type ExportInfo,
  type ExportReadingSchema,
} from "@hourglass/proto/export/v1/export_service";
import { AppError } from "@hourglass/runtime";
import { toIso, type Violations } from "@hourglass/runtime/json";
import { originOf } from "../http/client-address.js";
import { downloadReply, preferredType, unlessReplaced, type Download, type Part } from "../http/download.js";
import { JSON_TYPE, jsonReply, type Reply } from "../http/reply.js";
import type { Endpoint, RouteContext } from "../http/route.js";
import {
  fromExport,
  fromWholeExport,
  hasEnded,
  readExportForm,
  toCreateExportRequest,
  toCreateLinkRequest,
} from "../json/export.js";
import { accepted } from "../json/field-errors.js";
import { EXPORT_FORMAT, fromCursor, wholeNumber } from "../json/fields.js";
import type { Clients } from "../services.js";
import { INSIGHTS } from "./insights.js";

/** Path of exports. */
export const EXPORTS = `${INSIGHTS}/exports`;
/** A second path for creating and reading exports, which clients of the interface also use. */
export const EXPORTS_ALIAS = "/api/v2/products/api/exports";
/** Path of the links of exports, each followed by its token. */
export const EXPORT_LINKS = `${EXPORTS}/links`;

/** A hundred ids and two dates, or a format. */
const SHORT_BYTES_MAX = 65_536;
const SECONDS_UNTIL_NEXT_LOOK = "1";

/** Bounded by the client's pace, which is checked elsewhere. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/** Creating, reading, listing, downloading and deleting exports. */
export class ExportRoutes {
  readonly endpoints: readonly Endpoint[];

  constructor(private readonly service: Clients["export"]) {
    const base = { access: "insight", record: "export" } as const;
    const short = { ...base, body: "json", bodyBytesMax: SHORT_BYTES_MAX } as const;
    const create = (context: RouteContext, body: Record<string, unknown>) => this.create(context, body);
    const get = (context: RouteContext) => this.get(context);
    const link = (context: RouteContext, body: Record<string, unknown>) => this.link(context, body);
    this.endpoints = [
      { ...short, method: "POST", path: EXPORTS, handle: create },
      { ...base, method: "GET", path: EXPORTS, handle: (context) => this.list(context) },
      { method: "GET", path: `${EXPORT_LINKS}/:token`, access: "open", handle: (context) => this.getLinked(context) },
      { ...base, method: "GET", path: `${EXPORTS}/:id`, handle: get },
      { ...base, method: "DELETE", path: `${EXPORTS}/:id`, handle: (context) => this.delete(context) },
      { ...base, method: "GET", path: `${EXPORTS}/:id/download`, handle: (context) => this.download(context) },
      { ...short, method: "POST", path: `${EXPORTS}/:id/links`, handle: link },
      { ...short, method: "POST", path: EXPORTS_ALIAS, handle: create },
      { ...base, method: "GET", path: `${EXPORTS_ALIAS}/:id`, handle: get },
    ];
  }

  private async create(context: RouteContext, body: Record<string, unknown>): Promise<Reply> {
    const request = toCreateExportRequest(body, context.idempotencyKey);
    const { id } = await this.service.createExport(request, context.options());
    context.concerns(id);
    return jsonReply(201, { id: Number(id) }, ["Location", `${EXPORTS}/${id}`]);
  }

  private async list(context: RouteContext): Promise<Reply> {
    const violations: Violations = [];
    const request = accepted(ListExportsRequestSchema, context.page(context.query(violations)), violations);
    const page = await this.service.listExports(request, context.options());
    return jsonReply(200, { exports: page.exports.map(fromExport), next_cursor: fromCursor(page.nextCursor) });
  }

  /** JSON returns the export and its progress; any other type downloads its file, which fails until it is done. */
  private async get(context: RouteContext): Promise<Reply> {
    const id = context.pathId;
    const violations: Violations = [];
    const wait = context.query(violations).optional("wait", wholeNumber) ?? 0;
    const form = formIn(context, violations);
    accepted(GetExportRequestSchema, { id, wait }, violations);
    const found = await this.waitFor(context, id, wait);
    const format = acceptedFormat(context);
    if (format !== ExportFormat.JSON) return fileReply(context, this.reader(context, id, format), form);
    if (found.status === ExportStatus.DONE) {
      return objectReply(context, this.reader(context, id, format), () => this.waitFor(context, id, 0), form);
    }
    const retry = hasEnded(found) ? [] : ["Retry-After", SECONDS_UNTIL_NEXT_LOOK];
    return jsonReply(200, { ...fromWholeExport(found), data: null }, ["Vary", "Accept, Accept-Encoding", ...retry]);
  }

  private async waitFor(context: RouteContext, id: bigint, wait: number): Promise<Export> {
    const { export: found } = await context.waitFor(wait, (seconds, options) =>
      this.service.getExport({ id, wait: seconds }, options),
    );
    if (found === undefined) throw new AppError("internal", "The export could not be read. Try again later.");
    return found;
  }

  private async delete(context: RouteContext): Promise<Reply> {
    await this.service.deleteExport({ id: context.pathId }, context.options());
    return { status: 204 };
  }

  /** `format` comes before Accept, because it can be part of a link. */
  private async download(context: RouteContext): Promise<Reply> {
    const id = context.pathId;
    const violations: Violations = [];
    const format = context.query(violations).optional("format", EXPORT_FORMAT.read) ?? acceptedFormat(context);
    const form = formIn(context, violations);
    if (violations.length > 0) throw AppError.invalid(violations);
    return fileReply(context, this.reader(context, id, format), form);
  }

  private async link(context: RouteContext, body: Record<string, unknown>): Promise<Reply> {
    const request = toCreateLinkRequest(context.pathId, body);
    const { token, expiresAt } = await this.service.createExportLink(request, context.options());
    const url = `${originOf(context.request)}${EXPORT_LINKS}/${token}`;
    return jsonReply(201, { url, expires_at: toIso(expiresAt) });
  }

  private async getLinked(context: RouteContext): Promise<Reply> {
    const violations: Violations = [];
    const form = formIn(context, violations);
    if (violations.length > 0) throw AppError.invalid(violations);
    const token = context.pathToken;
    const read: ReadExport = (reading) => this.service.readLinkedExport({ token, reading }, downloading(context));
    return fileReply(context, read, form);
  }

  private reader(context: RouteContext, id: bigint, format: ExportFormat): ReadExport {
    return (reading) => this.service.readExport({ id, format, reading }, downloading(context));
  }
}

function downloading(context: RouteContext) {
  return { ...context.options(DOWNLOAD_TIMEOUT_MS), signal: context.request.clientLeft };
}

function acceptedFormat({ request }: RouteContext): ExportFormat {
  return formatOf(preferredType(request.req.headers, EXPORT_TYPES));
}

function formIn(context: RouteContext, violations: Violations): Form | undefined {
  return readExportForm({ fields: context.query(violations), columns: context.queryValues("columns") }, violations);
}

type Form = MessageInitShape<typeof ExportFormSchema>;
type Reading = MessageInitShape<typeof ExportReadingSchema>;
type ReadPart = {
  part:
    { case: "info"; value: ExportInfo } | { case: "chunk"; value: Uint8Array } | { case: undefined; value?: undefined };
};

/** Streams what the service tells of an export: first its size and tag, then its bytes. */
type ReadExport = (reading: Reading) => AsyncIterable<ReadPart>;

interface FormatFile {
  readonly format: ExportFormat;
  readonly type: string;
  readonly contentType: string;
  /** Parquet is compressed already. */
  readonly isCompressible: boolean;
}

const JSON_FILE: FormatFile = {
  format: ExportFormat.JSON,
  type: "application/json",
  contentType: JSON_TYPE,
  isCompressible: true,
};

/** In the order in which they are preferred by clients that accept any. */
const FILES: readonly FormatFile[] = [
  JSON_FILE,
  { format: ExportFormat.CSV, type: "text/csv", contentType: "text/csv; charset=utf-8", isCompressible: true },
  {
    format: ExportFormat.NDJSON,
    type: "application/x-ndjson",
    contentType: "application/x-ndjson; charset=utf-8",
    isCompressible: true,
  },
  {
    format: ExportFormat.PARQUET,
    type: "application/vnd.apache.parquet",
    contentType: "application/vnd.apache.parquet",
    isCompressible: false,
  },
];

/** Media types of exports, the preferred one first. */
const EXPORT_TYPES: readonly string[] = FILES.map(({ type }) => type);

/** The format of a media type; JSON for any other. */
function formatOf(type: string | undefined): ExportFormat {
  return (FILES.find((file) => file.type === type) ?? JSON_FILE).format;
}

function fileOf(format: ExportFormat): FormatFile {
  return FILES.find((file) => file.format === format) ?? JSON_FILE;
}

/** The response with the bytes of an export as a file. */
function fileReply(context: RouteContext, read: ReadExport, form?: Form): Promise<Reply> {
  return unlessReplaced(async () => {
    const info = await infoOf(read, form);
    const { contentType, isCompressible } = fileOf(info.format);
    const disposition = `attachment; filename="export-${info.exportId}.${EXPORT_FORMAT.of(info.format)}"`;
    const headers = ["Content-Disposition", disposition];
    return downloadReply(context.request.req, {
      ...storedBytes(read, info, form),
      contentType,
      isCompressible,
      headers,
    });
  }, isRevised);
}

/** The response with the export object of the interface, whose data is the JSON array of the service. */
function objectReply(
  context: RouteContext,
  read: ReadExport,
  found: () => Promise<Export>,
  form?: Form,
): Promise<Reply> {
  return unlessReplaced(async () => {
    const info = await infoOf(read, form);
    const head = Buffer.from(`${JSON.stringify(fromWholeExport(await found())).slice(0, -1)},"data":`);
    const bytes = framed(head, storedBytes(read, info, form), Buffer.from("}"));
    return downloadReply(context.request.req, { ...bytes, contentType: JSON_TYPE, isCompressible: true, headers: [] });
  }, isRevised);
}

const REVISED = "export_revised";

function isRevised({ code }: AppError): boolean {
  return code === REVISED;
}

async function infoOf(read: ReadExport, form: Form | undefined): Promise<ExportInfo> {
  for await (const { part } of read({ infoOnly: true, ...(form === undefined ? {} : { form }) })) {
    if (part.case === "info") return part.value;
  }
  throw new AppError("internal", "The export could not be read. Try again later.");
}

type Bytes = Pick<Download, "size" | "tag" | "read">;

function storedBytes(read: ReadExport, { tag, sizeBytes }: ExportInfo, form: Form | undefined): Bytes {
  const expected = { expectedTag: tag };
  if (form !== undefined) return { size: undefined, tag, read: () => chunks(read({ ...expected, form })) };
  const rangeOf = ({ start, end }: Part) => ({ offset: BigInt(start), length: BigInt(end - start) });
  return {
    size: Number(sizeBytes),
    tag,
    read: (part) => chunks(read({ ...expected, ...(part === undefined ? {} : { range: rangeOf(part) }) })),
  };
}

async function* chunks(parts: AsyncIterable<ReadPart>): AsyncGenerator<Uint8Array> {
  for await (const { part } of parts) if (part.case === "chunk" && part.value.length > 0) yield part.value;
}

/** Bytes between a head and an end. */
function framed(head: Buffer, bytes: Bytes, end: Buffer): Bytes {
  const { size } = bytes;
  const digest = createHash("sha256").update(head).digest("hex").slice(0, 16);
  const all = { start: 0, end: size === undefined ? Infinity : head.length + size + end.length };
  return {
    size: size === undefined ? undefined : all.end,
    tag: `${bytes.tag}-${digest}`,
    async *read(part: Part = all) {
      yield* cut(head, part, 0);
      yield* cutBytes(bytes, part, head.length);
      yield* size === undefined ? [end] : cut(end, part, head.length + size);
    },
  };
}

/** The part of some bytes that begin at an offset. */
function cut(bytes: Buffer, { start, end }: Part, offset: number): Buffer[] {
  const found = bytes.subarray(Math.max(0, start - offset), Math.max(0, end - offset));
  return found.length === 0 ? [] : [found];
}

function cutBytes({ size, read }: Bytes, { start, end }: Part, offset: number): AsyncIterable<Uint8Array> | [] {
  if (size === undefined) return read();
  const part = { start: Math.max(0, start - offset), end: Math.min(size, end - offset) };
  if (part.start >= part.end) return [];
  return part.end - part.start === size ? read() : read(part);
}
