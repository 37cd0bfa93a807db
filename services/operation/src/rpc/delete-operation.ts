import { failpoint } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { Caller } from "../create/create-operation.js";
import { notFound } from "./get-operation.js";
import { erasePartsOf, noteOfDeletion } from "../records/cleanup-notes.js";

export interface DeleteOperationDeps {
  collections: Collections;
  now: () => number;
  /** Called immediately, so that a worker in this process stops and waiting callers are answered. */
  onDeleted: (operationId: number) => void;
}

/**
 * Cancels and erases an operation. A worker in the middle of it finds its lease gone and discards its results. Throws
 * AppError `not-found` if the operation is unknown or belongs to another company.
 */
export type DeleteOperation = (id: number, caller: Caller) => Promise<void>;

export function createDeleteOperation({ collections, now, onDeleted }: DeleteOperationDeps): DeleteOperation {
  return async (id, caller) => {
    const record = await collections.operations.get(id);
    if (record?.companyId !== caller.companyId) throw notFound();
    if (record.kind === "file-id") await caller.files.erase(id);
    await collections.cleanupNotes.put(noteOfDeletion(record, now()));
    const deleted = await collections.operations.delete({ id, companyId: caller.companyId });
    failpoint("operation.mid_delete");
    onDeleted(id);
    await erasePartsOf(collections, id);
    if (deleted === 0) throw notFound();
  };
}
