import type { Completeness, GapReason } from "@hourglass/proto/insight/v1/coverage";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import {
  answersOf,
  AppError,
  type Blobs,
  type ByteRange,
  checkStep,
  type Collection,
  type CollectionDeclaration,
  type ChoreRecord,
  choresOf,
  declared,
  deleteStep,
  DUE_INDEX,
  type DueRecord,
  failpoint,
  IDEMPOTENCY_TTL_MS,
  insertNewStep,
  insertStep,
  isFresh,
  JOB_HALT,
  JOB_INDEXES,
  type JobRecord,
  type Json,
  type Logger,
  type Metadata,
  ofCompany,
  ofMark,
  type ServiceData,
  type Store,
  type StoredKey,
  updateEachStep,
  updateStep,
  type Author,
} from "@hourglass/runtime";
import { type Rendered, RENDERED_FORMATS, type RenderedFormat, type Sinks } from "./render/render.js";

/** Name of the job kind of exports. */
export const EXPORT = "export";
/** Name of the lane of all exports. */
export const EXPORT_LANE = "exports";

/** A search of an export, and how far it had stored postings when the export was created. */
export interface ExportedInsight {
  id: number;
  watermark: number;
}

/** A stored file: its size, and a digest of its bytes. */
interface StoredFile {
  bytes: number;
  tag: string;
}

interface ExportedSpan {
  start: number;
  end: number;
  completeness: Completeness;
  reasons: GapReason[];
}

/** For which spans of time a search was collected completely. Enums are those of the contract. */
export interface ExportedCoverage {
  insightId: number;
  platforms: { platform: Platform; spans: ExportedSpan[] }[];
}

/** An export as it is stored. Times are milliseconds since the epoch. */
export interface ExportRecord extends JobRecord {
  insights: ExportedInsight[];
  /** As requested: `YYYY-MM-DD`, inclusive. */
  startDate: string;
  /** `YYYY-MM-DD`, exclusive. */
  endDate: string;
  /** Absent: a service. */
  createdBy?: Author;
  /** For programs. Absent without any. */
  metadata?: Metadata;
  /** Which postings of the range, as JSON of the contract's filter; absent: all. */
  filter?: Json;
  /** Postings to export, and those of them whose analysis has ended; null until counted. */
  total: number | null;
  analysed: number | null;
  /** Number of postings; null unless `done`. */
  rows: number | null;
  /** Of the range of the export, when it was rendered; null unless `done`. */
  coverage: ExportedCoverage[] | null;
  /** Name of the set of files that the export has; null unless `done`. It changes with each revision. */
  fileSet: string | null;
  files: Record<RenderedFormat, StoredFile> | null;
  /** Since when a service or storage that the export needs has been unavailable; null if none was. */
  awaySince: number | null;
  /** When erased postings were last removed. */
  revisedAt: number | null;
  /** When it is removed; null: never. */
  expiresAt: number | null;
}

/** The record of an export that no worker has begun. */
export function newExport(
  job: Omit<JobRecord, "id">,
  request: Pick<ExportRecord, "insights" | "startDate" | "endDate" | "filter" | "metadata" | "expiresAt" | "createdBy">,
): Omit<ExportRecord, "id"> {
  return {
    ...job,
    ...request,
    total: null,
    analysed: null,
    rows: null,
    coverage: null,
    awaySince: null,
    fileSet: null,
    files: null,
    revisedAt: null,
  };
}

/**
 * Names a set of files before the first of them is stored, so that what a crash leaves behind is found. Removed after the
 * files.
 */
export interface FileSet extends DueRecord {
  /** Part of the keys of its files: a random name, or that of a run of an export, see `fileSetOf`. */
  id: string;
  companyId: number;
  exportId: number;
  /** When the sweeper checks whether an export has the set, and otherwise removes it; null: an export has it. */
  dueAt: number | null;
}

/** The idempotency key of an export that was deleted. */
export interface DeletedKey {
  /** Id of the export. */
  id: number;
  /** Company and key; null once the key may be reused. */
  idempotency: string | null;
  requestHash: string | null;
  /** Creation time of the export. */
  createdAt: number;
  /** When it is removed. */
  dueAt: number;
}

/** An export that could not be revised. */
export interface FailedRevision {
  exportId: number;
  attempts: number;
  /** When it is tried again. */
  dueAt: number;
}

/**
 * Erasures that were applied to the finished exports, except to those that failed, and the runs that may have read the
 * postings before.
 */
export interface FollowedErasures {
  erasures: number[];
  runs: { exportId: number; run: number }[];
  failed: FailedRevision[];
}

/** A company with exports, for which the sweeper looks for erasures. */
export interface ExportingCompany extends DueRecord {
  /** Id of the company. */
  id: number;
  followed: FollowedErasures[];
  /** How many exports could not be revised yet; absent if erasures were never followed. */
  failing?: number;
}

const BLOB_FOLDER = "exports";

export const EXPORTS: CollectionDeclaration<ExportRecord> = {
  name: "exports",
  indexes: [...JOB_INDEXES, { fields: ["expiresAt"] }],
  belongs: [ofCompany("companyId")],
  halt: JOB_HALT,
};

const FILE_SETS: CollectionDeclaration<FileSet> = {
  name: "export_file_sets",
  indexes: [DUE_INDEX],
  belongs: [ofCompany("companyId")],
  blobsOf: ({ id }) => RENDERED_FORMATS.map((format) => blobKey(id, format)),
};

const DELETED_KEYS: CollectionDeclaration<DeletedKey> = {
  name: "export_deleted_keys",
  indexes: [{ fields: ["idempotency"] }, DUE_INDEX],
  belongs: [ofMark("idempotency")],
};

const COMPANIES: CollectionDeclaration<ExportingCompany> = {
  name: "export_companies",
  indexes: [DUE_INDEX, { fields: ["failing"] }],
  belongs: [ofCompany("id")],
};

const LINK_KEYS: CollectionDeclaration<StoredKey> = {
  name: "export_link_keys",
  belongs: { because: "one key signs the links of all companies" },
};

/** The links that were given for idempotency keys. */
export const LINK_ANSWERS = answersOf("export_link_answers");

const CHORES = choresOf("export");

/** All that this service keeps. */
export const EXPORT_DATA: ServiceData = {
  collections: [
    declared(FILE_SETS),
    declared(DELETED_KEYS),
    declared(COMPANIES),
    declared(LINK_KEYS),
    declared(LINK_ANSWERS),
    declared(CHORES),
    declared(EXPORTS),
  ],
  blobFolders: [BLOB_FOLDER],
};

/** The blob of one file of a set. Sets have no folders, which would have to be removed as well. */
function blobKey(fileSet: string, format: RenderedFormat): string {
  return `${BLOB_FOLDER}/${fileSet}-${format}`;
}

/** All collections of this service. No other service reads or writes them. */
interface Collections {
  exports: Collection<ExportRecord>;
  fileSets: Collection<FileSet>;
  deletedKeys: Collection<DeletedKey>;
  companies: Collection<ExportingCompany>;
  /** The key by which links are signed. */
  linkKeys: Collection<StoredKey>;
  chores: Collection<ChoreRecord>;
}

export interface RepositoryDeps {
  store: Store;
  blobs: Blobs;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Called as soon as a record is gone, so that a worker in this process stops and waiting callers get an answer. */
  onRemoved: (id: number) => void;
}

/** Interval of the checks whether a set that is being written is still wanted, in milliseconds. */
export const CHECK_SET_MS = 10 * 60_000;

/** The stored exports and their files. */
export class ExportRepository {
  private constructor(
    private readonly deps: RepositoryDeps,
    readonly collections: Collections,
  ) {}

  /** Opens the collections, and creates those that are missing. */
  static async open(deps: RepositoryDeps): Promise<ExportRepository> {
    const { store } = deps;
    return new ExportRepository(deps, {
      exports: await store.collection(EXPORTS),
      fileSets: await store.collection(FILE_SETS),
      deletedKeys: await store.collection(DELETED_KEYS),
      companies: await store.collection(COMPANIES),
      linkKeys: await store.collection(LINK_KEYS),
      chores: await store.collection(CHORES),
    });
  }

  /** The export. Throws AppError `not-found` if it is unknown or another company's. */
  async find(id: number, companyId: number): Promise<ExportRecord> {
    const record = await this.collections.exports.get(id);
    if (record?.companyId !== companyId) throw exportNotFound();
    return record;
  }

  /** The bytes of a file, or of a part of it. AppError `not-found` if it is lost. */
  read(fileSet: string, format: RenderedFormat, range?: ByteRange): AsyncIterable<Uint8Array> {
    return this.deps.blobs.get(blobKey(fileSet, format), range);
  }

  /** Size of a file in bytes; undefined if it is lost. */
  size(fileSet: string, format: RenderedFormat): Promise<number | undefined> {
    return this.deps.blobs.size(blobKey(fileSet, format));
  }

  /** Names a set of files before they are written. */
  async beginFiles(named: Required<Pick<FileSet, "id" | "exportId" | "companyId">>): Promise<NewFileSet> {
    const { store, blobs, now } = this.deps;
    const fileSet = { ...named, dueAt: now() + CHECK_SET_MS };
    await store.commit([insertStep<FileSet>(this.collections.fileSets, fileSet)]);
    failpoint("export.after_file_set");
    const sink = (format: RenderedFormat) => (bytes: AsyncIterable<Uint8Array>) =>
      blobs.put(blobKey(named.id, format), bytes);
    return { ...fileSet, sinks: { ndjson: sink("ndjson"), csv: sink("csv"), parquet: sink("parquet") } };
  }

  /**
   * Passes on the bytes from which the files of a set are rendered, and meanwhile postpones its check, so that the sweeper
   * does not take the set for abandoned, however long the rendering takes. Throws if the sweeper already has.
   */
  async *keepingFiles(fileSet: NewFileSet, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { now } = this.deps;
    for await (const chunk of bytes) {
      if (fileSet.dueAt - now() < CHECK_SET_MS / 2) {
        const dueAt = now() + CHECK_SET_MS;
        const { id } = fileSet;
        const kept = await this.collections.fileSets.update({ id, dueAt: fileSet.dueAt }, { set: { dueAt } });
        if (kept === undefined) throw new Error("The sweeper has taken files that are being written for abandoned.");
        fileSet.dueAt = dueAt;
      }
      yield chunk;
    }
  }

  /**
   * Gives an export other files in one commit, and leaves its present ones to the sweeper. False if the export was deleted
   * or got other files meanwhile, or if the sweeper has taken the new ones for abandoned.
   */
  async replaceFiles(
    { id, fileSet: old, revisedAt }: ExportRecord,
    fileSet: NewFileSet,
    { rows, files }: Rendered,
  ): Promise<boolean> {
    const { store, now } = this.deps;
    const { exports, fileSets } = this.collections;
    const revised = { fileSet: fileSet.id, files: { ...files }, rows, total: rows, analysed: rows, progress: rows };
    const { done } = await store.commit([
      updateStep<FileSet>(fileSets, { id: fileSet.id, dueAt: fileSet.dueAt }, { set: { dueAt: null } }),
      updateStep<ExportRecord>(
        exports,
        { id, status: "done", fileSet: old },
        { set: { ...revised, revisedAt: Math.max(now(), (revisedAt ?? 0) + 1) } },
      ),
      updateEachStep<FileSet>(
        fileSets,
        old === null ? [] : [{ filter: { id: old }, change: { set: { dueAt: now() } } }],
      ),
    ]);
    return done;
  }

  /** Removes the files of a set that no export has, and then its name. */
  async removeFiles(id: string): Promise<void> {
    for (const format of RENDERED_FORMATS) await this.deps.blobs.delete(blobKey(id, format));
    failpoint("export.after_files_removed");
    await this.collections.fileSets.delete({ id });
  }

  /** Removes the record, which hides the export, and then its files. False if another caller was faster. */
  async remove({ id }: ExportRecord): Promise<boolean> {
    const { log, onRemoved } = this.deps;
    for (;;) {
      const record = await this.collections.exports.get(id);
      if (record === undefined) return false;
      if (!(await this.commitRemoval(record))) continue;
      failpoint("export.mid_delete");
      onRemoved(id);
      if (record.fileSet === null) return true;
      await this.removeFiles(record.fileSet).catch((error: unknown) => {
        log.warn(
          { err: error, exportId: id },
          "files of a deleted export could not be removed, the sweeper tries again",
        );
      });
      return true;
    }
  }

  /** False if the export has got other files since it was read. */
  private async commitRemoval(record: ExportRecord): Promise<boolean> {
    const { store, now } = this.deps;
    const { exports, deletedKeys, fileSets } = this.collections;
    const { id, status, fileSet, runs, idempotency, requestHash, createdAt } = record;
    const key = { id, idempotency, requestHash, createdAt, dueAt: createdAt + IDEMPOTENCY_TTL_MS };
    const written = fileSetOf(record);
    const sets = [fileSet, written].filter((set) => set !== null);
    // A worker that still writes removes its files itself; without the name of the set, nobody would know them if it died.
    const dueAtOf = (set: string): number => (status === "running" && set === written ? now() + CHECK_SET_MS : now());
    const { done } = await store.commit([
      checkStep<ExportRecord>(exports, { id, fileSet, runs }),
      deleteStep<ExportRecord>(exports, { id }),
      insertNewStep<DeletedKey>(deletedKeys, isFresh(record, now()) ? [key] : []),
      updateEachStep<FileSet>(
        fileSets,
        sets.map((set) => ({ filter: { id: set }, change: { set: { dueAt: dueAtOf(set) } } })),
      ),
    ]);
    return done;
  }
}

/** The name of the set of files that the latest run of an export writes. */
export function fileSetOf({ id, runs }: Pick<ExportRecord, "id" | "runs">): string {
  return `run-${id}-${runs}`;
}

/** A set whose files are being written, and where they are stored. */
export interface NewFileSet {
  readonly id: string;
  /** As in the store. */
  dueAt: number;
  readonly sinks: Sinks;
}

/** The same error for unknown exports and for those of others, so that callers cannot tell them apart. */
export function exportNotFound(): AppError {
  return new AppError("not-found", "There is no such export: it was deleted, or the id is wrong.", {
    code: "export_not_found",
  });
}

const DAY_MS = 24 * 60 * 60_000;

/** Start of a date `YYYY-MM-DD` in UTC, in milliseconds since the epoch. */
export function startOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Days from one date to another; NaN if one is not a date. */
export function daysBetween(start: string, end: string): number {
  return (startOfDate(end) - startOfDate(start)) / DAY_MS;
}

/** When an export that is created or done at a time expires; null if it is kept for 0 days, which means always. */
export function expiryOf(from: number, days: number): number | null {
  return days === 0 ? null : from + days * DAY_MS;
}
