import { ExportFormat } from "@hourglass/proto/export/v1/export";
import type { ByteRange as WireRange, ExportForm, ExportReading } from "@hourglass/proto/export/v1/export_service";
import {
  AppError,
  type ByteRange,
  hasMetadata,
  type IdPage,
  type IdPageRequest,
  type Jobs,
  type Metadata,
  readIdPage,
  readSelectedIdPage,
} from "@hourglass/runtime";
import { readInForm, tagOfForm } from "./render/form.js";
import { jsonArraySize, readJsonArray, type StoredLines } from "./render/json.js";
import type { RenderedFormat } from "./render/render.js";
import type { ExportRecord, ExportRepository } from "./store.js";

export interface GetExportRequest {
  id: number;
  companyId: number;
  /** Whose waits are counted. */
  callerId?: number | string | undefined;
  /** 0: returns at once. */
  waitMs: number;
}

export interface ReadRequest {
  id: number;
  companyId: number;
  format: ExportFormat;
  reading: Pick<ExportReading, "range" | "expectedTag" | "infoOnly" | "form"> | undefined;
}

/** Which exports a list has. */
export interface WantedExports {
  companyId: number;
  /** What their metadata has; empty: anything. */
  metadata: Metadata;
}

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

export interface ReadDeps {
  repository: ExportRepository;
  jobs: Jobs<ExportRecord>;
  now: () => number;
}

/** Interval of the checks that the bytes are still those of the export, in milliseconds. */
const CHECK_MS = 1000;
const RETRY_AFTER_MS = 1000;

/** Reads exports and their bytes. All methods throw AppError `not-found` if the export is unknown or another company's. */
export class ExportReader {
  constructor(private readonly deps: ReadDeps) {}

  /** Reads an export; waits until it has ended, the wait is over, or the signal aborts. */
  get({ id, companyId, callerId, waitMs }: GetExportRequest, signal: () => AbortSignal): Promise<ExportRecord> {
    const { jobs, repository } = this.deps;
    return jobs.readWhenEnded({ id, callerId, waitMs, signal }, () => repository.find(id, companyId));
  }

  /**
   * One page, newest first; with metadata, it may be short although more follow. Throws AppError `invalid` for a cursor that
   * was not issued here for the same list.
   */
  list({ companyId, metadata }: WantedExports, page: IdPageRequest): Promise<IdPage<ExportRecord>> {
    const { exports } = this.deps.repository.collections;
    if (metadata.length === 0) return readIdPage(exports, { companyId }, page);
    const has = (record: ExportRecord) => hasMetadata(record.metadata, metadata);
    return readSelectedIdPage(
      exports,
      { companyId },
      {
        page: { ...page, narrowedBy: JSON.stringify(metadata) },
        selection: { select: (looked) => Promise.resolve(looked.filter(has)), isBehind: () => false },
      },
    );
  }

  /**
   * Streams what is read, and then its bytes. Throws AppError `precondition` while there are no bytes, if they have another
   * tag than expected, or if they are replaced before the end.
   */
  async *read({ id, companyId, format, reading }: ReadRequest): AsyncGenerator<FileInfo | Uint8Array> {
    const form = reading?.form;
    const file = await this.open(id, companyId, form === undefined ? format : ExportFormat.NDJSON);
    const content =
      form === undefined ? this.storedContent(file, reading?.range) : this.renderedContent(file, format, form);
    const expected = reading?.expectedTag ?? "";
    if (expected !== "" && expected !== content.tag) throw revised();
    const { revisedAt, finishedAt, createdAt } = file.record;
    const { size, tag, range } = content;
    yield { exportId: id, format, size, tag, modifiedAt: revisedAt ?? finishedAt ?? createdAt, range };
    if (reading?.infoOnly !== true) yield* content.bytes();
  }

  private storedContent(file: OpenFile, requested: WireRange | undefined): Content {
    const { size, tag } = file;
    const range = rangeOf(requested, size);
    return { size, tag, range, bytes: () => this.whileCurrent(file, range) };
  }

  /** Rendered from the JSON lines. */
  private renderedContent(file: OpenFile, format: ExportFormat, form: ExportForm): Content {
    const lines = () => this.whileCurrent(file, { start: 0, end: file.size });
    return {
      size: 0,
      tag: tagOfForm(file.tag, format, form),
      range: { start: 0, end: 0 },
      bytes: () => readInForm(lines(), format, form),
    };
  }

  private async open(id: number, companyId: number, format: ExportFormat): Promise<OpenFile> {
    const { repository } = this.deps;
    for (;;) {
      const record = await repository.find(id, companyId);
      const file = fileOf(record, format);
      requireFiles(record);
      if (file === undefined) throw withoutBytes(record);
      const size = await repository.size(record.fileSet, file.storedFormat);
      if (size === record.files?.[file.storedFormat].bytes) return { ...file, record };
      // A revision may have replaced the files since the record was read.
      if ((await repository.find(id, companyId)).fileSet === record.fileSet) throw bytesLost();
    }
  }

  /** Streams the bytes. A file that is replaced or deleted meanwhile ends in an error before its last bytes. */
  private async *whileCurrent(file: OpenFile, range: Required<ByteRange>): AsyncGenerator<Uint8Array> {
    const { now } = this.deps;
    let left = range.end - range.start;
    if (left <= 0) return;
    let checkedAt = now();
    for await (const chunk of this.bytes(file, range)) {
      left -= chunk.length;
      // The reader's pace decides how much time has passed. The last bytes are never sent without a check.
      if (left <= 0 || Math.abs(now() - checkedAt) >= CHECK_MS) {
        await this.requireCurrent(file.record);
        checkedAt = now();
      }
      yield chunk;
    }
    if (left > 0) throw bytesLost();
  }

  private async *bytes(
    { record, format, storedFormat }: OpenFile,
    range: Required<ByteRange>,
  ): AsyncGenerator<Uint8Array> {
    const read = (part: ByteRange) => this.deps.repository.read(record.fileSet, storedFormat, part);
    try {
      yield* format === ExportFormat.JSON
        ? readJsonArray(() => read({ start: 0 }), linesOf(record), range)
        : read(range);
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
      await this.requireCurrent(record);
      throw bytesLost();
    }
  }

  private async requireCurrent({ id, companyId, fileSet }: ExportRecord): Promise<void> {
    if ((await this.deps.repository.find(id, companyId)).fileSet !== fileSet) throw revised();
  }
}

/** What is sent first, and the bytes. */
interface Content extends Pick<FileInfo, "size" | "tag" | "range"> {
  bytes: () => AsyncIterable<Uint8Array>;
}

/** The file of a `done` export in a format of the interface. */
interface ExportFile {
  format: ExportFormat;
  size: number;
  tag: string;
  /** The stored file from which it is read. */
  storedFormat: RenderedFormat;
}

interface OpenFile extends ExportFile {
  record: WithFiles;
}

type WithFiles = ExportRecord & { fileSet: string };

/** The file of an export in a format; undefined unless the export is done. */
export function fileOf(record: ExportRecord, format: ExportFormat): ExportFile | undefined {
  const { files } = record;
  if (files === null) return undefined;
  const { ndjson, csv, parquet } = files;
  switch (format) {
    case ExportFormat.JSON:
      return { format, size: jsonArraySize(linesOf(record)), tag: `${ndjson.tag}-json`, storedFormat: "ndjson" };
    case ExportFormat.NDJSON:
      return { format, size: ndjson.bytes, tag: ndjson.tag, storedFormat: "ndjson" };
    case ExportFormat.CSV:
      return { format, size: csv.bytes, tag: csv.tag, storedFormat: "csv" };
    case ExportFormat.PARQUET:
      return { format, size: parquet.bytes, tag: parquet.tag, storedFormat: "parquet" };
    default:
      return undefined;
  }
}

function linesOf({ files, rows }: ExportRecord): StoredLines {
  return { bytes: files?.ndjson.bytes ?? 0, rows: rows ?? 0 };
}

/** Throws AppError `precondition` for an export that has no files, as a read of its bytes does. */
export function requireFiles(record: ExportRecord): asserts record is WithFiles {
  if (record.status !== "done" || record.fileSet === null) throw withoutBytes(record);
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
  return new AppError("precondition", message, { code: "export_not_done", retryAfterMs: RETRY_AFTER_MS });
}

function revised(): AppError {
  const message = "The export has changed since, because postings were erased from it. Start the download again.";
  return new AppError("precondition", message, { code: "export_revised" });
}

function bytesLost(): AppError {
  const message =
    "The stored files of this export are lost. Create the export again, or ask the operator of this server.";
  return new AppError("internal", message, {
    code: "export_files_lost",
    cause: new Error("a file of an export is lost"),
  });
}
