import type { Caller } from "../create/create-operation.js";
import { eraseOperation, type EraseOperationDeps } from "../erase/erase-operation.js";
import { notFound } from "./get-operation.js";

/**
 * Cancels and erases an operation. A worker in the middle of it finds its lease gone and discards its results. Throws
 * AppError `not-found` if the operation is unknown or belongs to another company.
 */
export type DeleteOperation = (id: number, caller: Caller) => Promise<void>;

export function createDeleteOperation(deps: EraseOperationDeps): DeleteOperation {
  return async (id, caller) => {
    const record = await deps.collections.operations.get(id);
    if (record?.companyId !== caller.companyId) throw notFound();
    if (!(await eraseOperation(deps, record, (operationId) => caller.files.erase(operationId)))) throw notFound();
  };
}
