import { type Filter, type IdPage, type IdPageRequest, type JobStatus, readIdPage } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { OperationRecord } from "../records/operation.js";

export interface ListOperationsRequest extends IdPageRequest {
  companyId: number;
  status: JobStatus | undefined;
}

/**
 * One page of a company's operations, newest first. Throws AppError `invalid` for a cursor that was not issued here.
 */
export type ListOperations = (request: ListOperationsRequest) => Promise<IdPage<OperationRecord>>;

export function createListOperations({ operations }: Collections): ListOperations {
  return ({ companyId, status, ...page }) => {
    const filter: Filter<OperationRecord> = { companyId };
    if (status !== undefined) filter.status = status;
    return readIdPage(operations, filter, page);
  };
}
