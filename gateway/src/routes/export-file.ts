import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ExportFormat, ExportFormatSchema } from "@hourglass/proto/export/v1/export";
import type { ExportFormSchema, ExportInfo, ExportReadingSchema } from "@hourglass/proto/export/v1/export_service";
import { AppError } from "@hourglass/runtime";
import { Spelling } from "@hourglass/runtime/json";
import { downloadReply, preferredType, unlessReplaced, type Download, type Part } from "../http/download.js";
import { JSON_TYPE, type Reply } from "../http/reply.js";
import type { RouteContext } from "../http/route.js";

export const EXPORT_FORMAT = new Spelling(ExportFormatSchema);

/** The form in which an export is rendered. */
export type Form = MessageInitShape<typeof ExportFormSchema>;
type Reading = MessageInitShape<typeof ExportReadingSchema>;
type ReadPart = {
  part:
    { case: "info"; value: ExportInfo } | { case: "chunk"; value: Uint8Array } | { case: undefined; value?: undefined };
};

/** Streams what the service tells of an export: first its size and tag, then its bytes. */
export type ReadExport = (reading: Reading) => AsyncIterable<ReadPart>;

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

/** The format that a client prefers. */
export function acceptedFormat({ request }: RouteContext): ExportFormat {
  return formatOf(preferredType(request.req.headers, EXPORT_TYPES));
}

/** The format of a media type; JSON for any other. */
function formatOf(type: string | undefined): ExportFormat {
  return (FILES.find((file) => file.type === type) ?? JSON_FILE).format;
}

function fileOf(format: ExportFormat): FormatFile {
  return FILES.find((file) => file.format === format) ?? JSON_FILE;
}

/** The response with the bytes of an export as a file. */
export function fileReply(context: RouteContext, read: ReadExport, form?: Form): Promise<Reply> {
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

/** The response with an export object, as `head` makes it, whose last field is the JSON array of the service. */
export function objectReply(
  context: RouteContext,
  read: ReadExport,
  head: () => Promise<object>,
  form?: Form,
): Promise<Reply> {
  return unlessReplaced(async () => {
    const info = await infoOf(read, form);
    const start = Buffer.from(`${JSON.stringify(await head()).slice(0, -1)},"data":`);
    const bytes = framed(start, storedBytes(read, info, form), Buffer.from("}"));
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
