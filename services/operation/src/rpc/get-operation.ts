import { AppError, type Jobs } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { readContents } from "../records/contents.js";
import type { ContentValue, OperationRecord, Results } from "../records/operation.js";
import { readResults } from "../records/results.js";

export interface GetOperationDeps {
  collections: Collections;
  jobs: Jobs<OperationRecord>;
}

/** An operation with all its contents, and its results when it is done. */
export interface FullOperation {
  record: OperationRecord;
  contents: ContentValue[];
  results: Results | undefined;
}

export interface GetOperationRequest {
  id: number;
  companyId: number;
  /** 0: answer at once. */
  waitMs: number;
}

/**
 * Reads an operation; waits until it has ended, the wait is over, or the signal aborts. The signal is requested only if
 * there is something to wait for. Throws AppError `not-found` if it is unknown or belongs to another company.
 */
export type GetOperation = (request: GetOperationRequest, signal: () => AbortSignal) => Promise<FullOperation>;

export function createGetOperation({ collections, jobs }: GetOperationDeps): GetOperation {
  const read = async (id: number, companyId: number): Promise<OperationRecord> => {
    const record = await collections.operations.get(id);
    if (record?.companyId !== companyId) throw notFound();
    return record;
  };
  return async ({ id, companyId, waitMs }, signal) =>
    readFull(collections, await jobs.readWhenEnded({ id, waitMs, signal }, () => read(id, companyId)));
}

/** The same error for unknown operations and for those of others, so that callers cannot tell them apart. */
export function notFound(): AppError {
  return new AppError("not-found", "There is no such operation: it was deleted, or the id is wrong.", {
    code: "operation_not_found",
  });
}

async function readFull(collections: Collections, record: OperationRecord): Promise<FullOperation> {
  const contents = await readContents(collections.contentParts, record);
  const results = record.status === "done" ? await readResults(collections.resultParts, record) : undefined;
  // The parts of an operation are deleted after its record: it has been deleted since it was read.
  if (contents === undefined || (record.status === "done" && results === undefined)) throw notFound();
  return { record, contents, results };
}
