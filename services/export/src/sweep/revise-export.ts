import { randomUUID } from "node:crypto";
import { AppError, failpoint, type Logger, updateEachStep, updateStep } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { ExportRecord, FailedRevision, FileSet } from "../records/export.js";
import { blobKeyOf } from "../records/blob-key.js";
import {
  beginFileSet,
  type BegunFileSet,
  type FileSetDeps,
  keepingFileSet,
  removeFileSet,
} from "../records/file-sets.js";
import {
  type Erased,
  holdsErased,
  type Rendered,
  type RenderThread,
  rewriteExport,
  startExportThread,
} from "../render/index.js";

export interface ReviseDeps extends FileSetDeps {
  collections: Collections;
  log: Logger;
}

/**
 * Removes erased postings from a finished export, if it has any: renders all files again beside the present ones, and
 * replaces those in one commit. A crash leaves either the old or the new files; a later call does the rest.
 */
async function reviseExport(
  deps: ReviseDeps,
  exportId: number,
  { erased, thread }: Pick<Rewriting, "erased" | "thread">,
): Promise<void> {
  const { collections, blobs, log } = deps;
  for (;;) {
    const record = await collections.exports.get(exportId);
    if (record?.status !== "done" || record.fileSet === null) return;
    const { fileSet } = record;
    const lines = () => blobs.get(blobKeyOf(fileSet, "ndjson"));
    try {
      if (!(await holdsErased(lines(), erased))) return;
      if (!(await replaceFiles(deps, record, { lines: lines(), erased, thread }))) continue;
      log.info({ exportId }, "erased postings were removed from an export");
      return;
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
      if ((await collections.exports.get(exportId))?.fileSet !== record.fileSet) continue;
      log.error({ exportId }, "the files of an export are lost");
      return;
    }
  }
}

interface Rewriting {
  lines: AsyncIterable<Uint8Array>;
  erased: readonly Erased[];
  thread: () => RenderThread;
}

/** False if the export was deleted or got other files meanwhile. */
async function replaceFiles(
  deps: ReviseDeps,
  record: ExportRecord,
  { lines, erased, thread }: Rewriting,
): Promise<boolean> {
  const { fileSet, sinks } = await beginFileSet(deps, {
    id: randomUUID(),
    exportId: record.id,
    companyId: record.companyId,
  });
  let isReplaced = false;
  try {
    const rendered = await rewriteExport(keepingFileSet(deps, fileSet, lines), erased, sinks, { thread: thread() });
    failpoint("export.before_revision");
    isReplaced = await commitRevision(deps, record, { fileSet, rendered });
    failpoint("export.after_revision");
  } finally {
    const unused = isReplaced ? record.fileSet : fileSet.id;
    if (unused !== null) await removeFileSet(deps, unused).catch(() => undefined); // the sweeper tries again
  }
  return isReplaced;
}

async function commitRevision(
  { store, collections, now }: ReviseDeps,
  { id, fileSet: old, revisedAt }: ExportRecord,
  { fileSet, rendered }: { fileSet: BegunFileSet; rendered: Rendered },
): Promise<boolean> {
  const { rows, files } = rendered;
  const revised = { fileSet: fileSet.id, files: { ...files }, rows, total: rows, analysed: rows, progress: rows };
  const { done } = await store.commit([
    // The sweeper has not taken the new files for abandoned.
    updateStep<FileSet>(collections.fileSets, { id: fileSet.id, dueAt: fileSet.dueAt }, { set: { dueAt: null } }),
    updateStep<ExportRecord>(
      collections.exports,
      { id, status: "done", fileSet: old },
      { set: { ...revised, revisedAt: Math.max(now(), (revisedAt ?? 0) + 1) } },
    ),
    updateEachStep<FileSet>(
      collections.fileSets,
      old === null ? [] : [{ filter: { id: old }, change: { set: { dueAt: now() } } }],
    ),
  ]);
  return done;
}

interface ReviserDeps extends ReviseDeps {
  /** Pause before the first further attempt at a revision, in milliseconds; it doubles with each. */
  everyMs: number;
}

const PAUSE_MAX_MS = 60 * 60_000;
/** From so many attempts on, a person should look. */
const MANY_ATTEMPTS = 5;

/** Revises one export after another, in one thread that is started for the first of them. */
export class Reviser {
  private thread: RenderThread | undefined;

  constructor(private readonly deps: ReviserDeps) {}

  /** Empty, unless the export could not be revised. */
  async revise(exportId: number, erased: readonly Erased[], attempts = 0): Promise<FailedRevision[]> {
    try {
      await reviseExport(this.deps, exportId, { erased, thread: () => (this.thread ??= startExportThread()) });
      return [];
    } catch (error) {
      await this.close(); // the thread may be what has failed
      return [this.failed(exportId, attempts + 1, error)];
    }
  }

  /** Revises an export that failed before, if it is due; the failure again, otherwise or if it fails. */
  async tryAgain(failure: FailedRevision, erased: readonly Erased[]): Promise<FailedRevision[]> {
    if (failure.dueAt > this.deps.now()) return [failure];
    return this.revise(failure.exportId, erased, failure.attempts);
  }

  async close(): Promise<void> {
    await this.thread?.close();
    this.thread = undefined;
  }

  private failed(exportId: number, attempts: number, error: unknown): FailedRevision {
    const { everyMs, log, now } = this.deps;
    const pauseMs = Math.min(PAUSE_MAX_MS, everyMs * 2 ** (attempts - 1));
    const about = { err: error, exportId, attempts, pauseMs };
    const message = "erased postings could not be removed from an export, trying again";
    if (attempts < MANY_ATTEMPTS) log.warn(about, message);
    else log.error(about, message);
    return { exportId, attempts, dueAt: now() + pauseMs };
  }
}
