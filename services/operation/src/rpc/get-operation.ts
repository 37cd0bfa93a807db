import { AppError } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import { readContents } from "../records/contents.js";
import type { Ended } from "./ended.js";
import { type ContentValue, hasEnded, type OperationRecord, type Results } from "../records/operation.js";
import { readResults } from "../records/results.js";

/** Another process may end an operation unseen; so often it is looked at while somebody waits, in milliseconds. */
const LOOK_EVERY_MS = 400;

export interface GetOperationDeps {
  collections: Collections;
  ended: Ended;
  /** Aborted when the process stops. */
  stopping?: AbortSignal | undefined;
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
 * Reads an operation; holds the answer until it has ended, the wait is over, or the signal aborts. The signal is asked
 * for only when there is something to wait for. Throws AppError `not-found` for unknown ones and those of others alike.
 */
export type GetOperation = (request: GetOperationRequest, signal: () => AbortSignal) => Promise<FullOperation>;

export function createGetOperation({ collections, ended, stopping }: GetOperationDeps): GetOperation {
  const read = async (id: number, companyId: number): Promise<OperationRecord> => {
    const record = await collections.operations.get(id);
    if (record?.companyId !== companyId) throw notFound();
    return record;
  };
  return async ({ id, companyId, waitMs }, signalOf) => {
    let record = await read(id, companyId);
    if (waitMs > 0 && !hasEnded(record.status)) {
      const signal = stopping === undefined ? signalOf() : AbortSignal.any([signalOf(), stopping]);
      const until = performance.now() + waitMs;
      for (let left = waitMs; left > 0 && !signal.aborted; left = until - performance.now()) {
        await ended.wait(id, Math.min(left, LOOK_EVERY_MS), signal);
        record = await read(id, companyId);
        if (hasEnded(record.status)) break;
      }
    }
    return readFull(collections, record);
  };
}

/** One answer for what does not exist and for what belongs to others, so that nobody learns which it is. */
export function notFound(): AppError {
  return new AppError("not-found", "There is no such operation: it was deleted, or the id is wrong.", {
    code: "operation_not_found",
  });
}

async function readFull(collections: Collections, record: OperationRecord): Promise<FullOperation> {
  const contents = await readContents(collections.contentParts, record);
  const results = record.status === "done" ? await readResults(collections.resultParts, record) : undefined;
  // Parts of an operation go after its record: it has been deleted since it was read.
  if (contents === undefined || (record.status === "done" && results === undefined)) throw notFound();
  return { record, contents, results };
}
