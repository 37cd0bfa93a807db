import { type ExportFormat, ExportFormat as Format } from "@hourglass/proto/export/v1/export";
import type { ByteRange as WireRange, ExportForm, ExportReading } from "@hourglass/proto/export/v1/export_service";
import { AppError, type Blobs, type ByteRange } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { ExportRecord } from "../records/export.js";
import { blobKeyOf } from "../records/blob-key.js";
import { jsonArraySize, readInForm, readJsonArray, type RenderedFormat, tagOfForm } from "../render/index.js";
import { findExport } from "./find-export.js";

/** What is read: the file, and the range of its bytes that follows. Size and range are 0 for another form. */
export interface FileInfo {
  exportId: number;
  format: ExportFormat;
  size: number;
  tag: string;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
  range: Required<ByteRange>;
}

export interface ReadRequest {
  id: number;
  companyId: number;
  format: ExportFormat;
  reading: Pick<ExportReading, "range" | "expectedTag" | "infoOnly" | "form"> | undefined;
}

/**
 * Streams what is read, and then its bytes. Throws AppError `not-found` as `findExport` does, and `precondition` while
 * there are no bytes, if they have another tag than expected, or if they are replaced before the end.
 */
export type ReadExport = (request: ReadRequest) => AsyncGenerator<FileInfo | Uint8Array>;

export interface ReadExportDeps {
  collections: Pick<Collections, "exports">;
  blobs: Blobs;
  now: () => number;
}

/** Interval of the checks that the bytes are still those of the export, in milliseconds. */
const CHECK_MS = 1000;
const LOOK_AGAIN_MS = 1000;

export function createReadExport(deps: ReadExportDeps): ReadExport {
  return async function* ({ id, companyId, format, reading }) {
    const form = reading?.form;
    const opened = await openFile(deps, { id, companyId, format: form === undefined ? format : Format.NDJSON });
    const read =
      form === undefined ? readStored(deps, opened, reading?.range) : readFormed(deps, opened, { format, form });
    const expected = reading?.expectedTag ?? "";
    if (expected !== "" && expected !== read.tag) throw revised();
    const { revisedAt, finishedAt, createdAt } = opened.record;
    const { size, tag, range } = read;
    yield { exportId: id, format, size, tag, modifiedAt: revisedAt ?? finishedAt ?? createdAt, range };
    if (reading?.infoOnly !== true) yield* read.bytes();
  };
}

/** What is told first, and the bytes. */
interface Reading extends Pick<FileInfo, "size" | "tag" | "range"> {
  bytes: () => AsyncIterable<Uint8Array>;
}

function readStored(deps: ReadExportDeps, opened: OpenedFile, wanted: WireRange | undefined): Reading {
  const { size, tag } = opened.file;
  const range = rangeOf(wanted, size);
  return { size, tag, range, bytes: () => whileCurrent(deps, opened, range) };
}

/** Rendered from the JSON lines. */
function readFormed(
  deps: ReadExportDeps,
  opened: OpenedFile,
  { format, form }: { format: ExportFormat; form: ExportForm },
): Reading {
  const { size, tag } = opened.file;
  const lines = () => whileCurrent(deps, opened, { start: 0, end: size });
  return {
    size: 0,
    tag: tagOfForm(tag, format, form),
    range: { start: 0, end: 0 },
    bytes: () => readInForm(lines(), format, form),
  };
}

/** The file of a format, as the interface shows it. */
interface ShownFile {
  size: number;
  tag: string;
  /** The stored file from which it is read. */
  stored: RenderedFormat;
}

interface OpenedFile {
  record: ExportRecord & { fileSet: string };
  file: ShownFile;
}

/** The size of a file of a `done` export in the given format. */
export function shownFile({ files }: Pick<ExportRecord, "files">, format: ExportFormat): ShownFile | undefined {
  if (files === null) return undefined;
  const { ndjson } = files;
  switch (format) {
    case Format.JSON:
      return { size: jsonArraySize(ndjson.bytes), tag: `${ndjson.tag}-json`, stored: "ndjson" };
    case Format.NDJSON:
      return { size: ndjson.bytes, tag: ndjson.tag, stored: "ndjson" };
    case Format.CSV:
      return { size: files.csv.bytes, tag: files.csv.tag, stored: "csv" };
    case Format.PARQUET:
      return { size: files.parquet.bytes, tag: files.parquet.tag, stored: "parquet" };
    default:
      return undefined;
  }
}

async function openFile(
  { collections, blobs }: ReadExportDeps,
  { id, companyId, format }: Pick<ReadRequest, "id" | "companyId" | "format">,
): Promise<OpenedFile> {
  for (;;) {
    const record = await findExport(collections, id, companyId);
    const file = shownFile(record, format);
    if (!hasFiles(record) || file === undefined) throw withoutBytes(record);
    const size = await blobs.size(blobKeyOf(record.fileSet, file.stored));
    if (size === record.files?.[file.stored].bytes) return { record, file };
    // A revision may have replaced the files since the record was read.
    if ((await findExport(collections, id, companyId)).fileSet === record.fileSet) throw bytesLost();
  }
}

function hasFiles(record: ExportRecord): record is ExportRecord & { fileSet: string } {
  return record.status === "done" && record.fileSet !== null;
}

/** Throws the failure of a read of an export that has no bytes. */
export function requireBytes(record: ExportRecord): void {
  if (!hasFiles(record)) throw withoutBytes(record);
}

/** Streams the bytes. What was read of a file that is replaced or deleted meanwhile ends in an error before its end. */
async function* whileCurrent(
  deps: ReadExportDeps,
  { record, file }: OpenedFile,
  range: Required<ByteRange>,
): AsyncGenerator<Uint8Array> {
  let left = range.end - range.start;
  if (left <= 0) return;
  let checkedAt = deps.now();
  for await (const chunk of bytesOf(deps, { record, file }, range)) {
    left -= chunk.length;
    // The reader's pace decides how much time has passed. The end is never told without a check.
    if (left <= 0 || Math.abs(deps.now() - checkedAt) >= CHECK_MS) {
      await requireCurrent(deps, record);
      checkedAt = deps.now();
    }
    yield chunk;
  }
  if (left > 0) throw bytesLost();
}

async function* bytesOf(
  { blobs, collections }: ReadExportDeps,
  { record, file }: OpenedFile,
  range: Required<ByteRange>,
): AsyncGenerator<Uint8Array> {
  const key = blobKeyOf(record.fileSet, file.stored);
  const read = (part: ByteRange): AsyncIterable<Uint8Array> => blobs.get(key, part);
  const isArray = file.tag.endsWith("-json");
  try {
    yield* isArray ? readJsonArray(read, record.files?.ndjson.bytes ?? 0, range) : read(range);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
    await requireCurrent({ collections }, record);
    throw bytesLost();
  }
}

async function requireCurrent(
  { collections }: Pick<ReadExportDeps, "collections">,
  { id, companyId, fileSet }: ExportRecord,
): Promise<void> {
  if ((await findExport(collections, id, companyId)).fileSet !== fileSet) throw revised();
}

function rangeOf(range: WireRange | undefined, size: number): Required<ByteRange> {
  if (range === undefined) return { start: 0, end: size };
  const suffix = Number(range.suffixLength);
  if (suffix > 0) return { start: Math.max(0, size - suffix), end: size };
  const start = Math.min(Number(range.offset), size);
  const length = Number(range.length);
  return { start, end: length === 0 ? size : Math.min(start + length, size) };
}

function withoutBytes({ status, error }: ExportRecord): AppError {
  if (status === "failed" || status === "invalid") {
    return new AppError("precondition", error ?? "The export failed. Create it again.", { code: "export_failed" });
  }
  const message = "The export is not done yet. Try again once its status is done.";
  return new AppError("precondition", message, { code: "export_not_done", retryAfterMs: LOOK_AGAIN_MS });
}

function revised(): AppError {
  const message = "The export has changed since, because postings were erased from it. Start the download again.";
  return new AppError("precondition", message, { code: "export_revised" });
}

function bytesLost(): AppError {
  const message = "The stored files of this export are lost. Create the export again, or ask whoever runs this server.";
  return new AppError("internal", message, {
    code: "export_files_lost",
    cause: new Error("a file of an export is lost"),
  });
}
