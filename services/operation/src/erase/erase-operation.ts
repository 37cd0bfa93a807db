import { failpoint } from "@hourglass/runtime";
import { erasePartsOf, noteOfDeletion } from "../records/cleanup-notes.js";
import type { Collections } from "../records/collections.js";
import type { OperationRecord } from "../records/operation.js";

export interface EraseOperationDeps {
  collections: Collections;
  now: () => number;
  /** Called immediately, so that a worker in this process stops and waiting callers are answered. */
  onDeleted: (operationId: number) => void;
}

/**
 * Erases an operation: its files by `eraseFiles`, its record, contents and results. Can be repeated after a crash at any
 * step. False if somebody else has deleted the record meanwhile.
 */
export async function eraseOperation(
  { collections, now, onDeleted }: EraseOperationDeps,
  record: OperationRecord,
  eraseFiles: (operationId: number) => Promise<void>,
): Promise<boolean> {
  const { id, companyId } = record;
  if (record.kind === "file-id") await eraseFiles(id);
  await collections.cleanupNotes.put(noteOfDeletion(record, now()));
  const deleted = await collections.operations.delete({ id, companyId });
  failpoint("operation.mid_delete");
  onDeleted(id);
  await erasePartsOf(collections, id);
  return deleted > 0;
}
