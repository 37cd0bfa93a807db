import {
  type Blobs,
  checkStep,
  deleteStep,
  failpoint,
  IDEMPOTENCY_TTL_MS,
  insertNewStep,
  isFresh,
  type Logger,
  type Store,
  updateEachStep,
} from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { DeletedKey, ExportRecord, FileSet } from "../records/export.js";
import { removeFileSet } from "../records/file-sets.js";
import { exportNotFound, findExport } from "./find-export.js";

export interface DeleteExportDeps {
  store: Pick<Store, "commit">;
  collections: Collections;
  blobs: Blobs;
  log: Logger;
  now: () => number;
  /** Called immediately, so that a worker in this process stops and waiting callers are answered. */
  onDeleted: (id: number) => void;
}

/**
 * Cancels and erases an export. A worker in the middle of it finds its lease gone and removes what it has stored. Throws
 * AppError `not-found` if the export is unknown or another company's.
 */
export type DeleteExport = (id: number, companyId: number) => Promise<void>;

export function createDeleteExport(deps: DeleteExportDeps): DeleteExport {
  return async (id, companyId) => {
    const record = await findExport(deps.collections, id, companyId);
    if (!(await removeExport(deps, record))) throw exportNotFound();
  };
}

/** Removes the record, so that nobody sees it, and then its files. False if another caller was faster. */
export async function removeExport(deps: DeleteExportDeps, found: ExportRecord): Promise<boolean> {
  const { collections, log } = deps;
  const { id } = found;
  for (;;) {
    const record = await collections.exports.get(id);
    if (record === undefined) return false;
    if (!(await commitRemoval(deps, record))) continue;
    failpoint("export.mid_delete");
    deps.onDeleted(id);
    if (record.fileSet === null) return true;
    await removeFileSet(deps, record.fileSet).catch((error: unknown) => {
      log.warn({ err: error, exportId: id }, "files of a deleted export could not be removed, the sweeper tries again");
    });
    return true;
  }
}

/** False if the export has got other files since it was read. */
async function commitRemoval({ store, collections, now }: DeleteExportDeps, record: ExportRecord): Promise<boolean> {
  const { id, fileSet, leaseToken } = record;
  const sets = [fileSet, leaseToken].filter((set) => set !== null);
  const { done } = await store.commit([
    checkStep<ExportRecord>(collections.exports, { id, fileSet, leaseToken }),
    deleteStep<ExportRecord>(collections.exports, { id }),
    insertNewStep<DeletedKey>(collections.deletedKeys, isFresh(record, now()) ? [keyOf(record)] : []),
    updateEachStep<FileSet>(
      collections.fileSets,
      sets.map((set) => ({ filter: { id: set }, change: { set: { dueAt: now() } } })),
    ),
  ]);
  return done;
}

function keyOf({ id, idempotency, requestHash, createdAt }: ExportRecord): DeletedKey {
  return { id, idempotency, requestHash, createdAt, dueAt: createdAt + IDEMPOTENCY_TTL_MS };
}
