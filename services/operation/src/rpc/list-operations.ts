import { type Filter, readIdCursor, writeIdCursor } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import type { OperationRecord, OperationStatus } from "../records/operation.js";

const LIMIT_DEFAULT = 50;

export interface ListOperationsRequest {
  companyId: number;
  limit: number | undefined;
  /** Empty for the first page. */
  cursor: string;
  status: OperationStatus | undefined;
}

export interface OperationPage {
  records: OperationRecord[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** One page of a company's operations, newest first. Throws AppError `invalid` for a cursor that was not given out. */
export type ListOperations = (request: ListOperationsRequest) => Promise<OperationPage>;

export function createListOperations({ operations }: Collections): ListOperations {
  return async ({ companyId, limit = LIMIT_DEFAULT, cursor, status }) => {
    const filter: Filter<OperationRecord> = { companyId };
    if (cursor !== "") filter.id = { lt: readIdCursor(cursor) };
    if (status !== undefined) filter.status = status;
    const found = await operations.find(filter, { sort: [["id", -1]], limit: limit + 1 });
    const records = found.slice(0, limit);
    const last = records.at(-1);
    return { records, nextCursor: found.length > limit && last !== undefined ? writeIdCursor(last.id) : "" };
  };
}
