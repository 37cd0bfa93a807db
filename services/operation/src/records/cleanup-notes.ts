import { findDue, hasEnded, IDEMPOTENCY_TTL_MS } from "@hourglass/runtime";
import type { Collections } from "./collections.js";
import { contentPartId } from "./contents.js";
import type { CleanupNote, OperationRecord } from "./operation.js";

/** Time after which a request has been stored or never will be, in milliseconds. */
export const CREATE_TIME_MAX_MS = 60 * 60 * 1000;
/** Time after which a worker that lost its operation has noticed it, in milliseconds. */
const LATE_RESULT_MAX_MS = 60 * 1000;

/** A note for an operation whose parts are stored before its record. */
export function noteOfCreation({ id, companyId, createdAt }: OperationRecord): CleanupNote {
  return { id, companyId, dueAt: createdAt + CREATE_TIME_MAX_MS, idempotency: null, requestHash: null, createdAt };
}

/** A note for an operation that has ended and that several workers began. */
export function noteOfRetries({ id, companyId, createdAt }: OperationRecord, now: number): CleanupNote {
  return { id, companyId, dueAt: now + LATE_RESULT_MAX_MS, idempotency: null, requestHash: null, createdAt };
}

/** A note for a deleted operation; also keeps its idempotency key. */
export function noteOfDeletion(record: OperationRecord, now: number): CleanupNote {
  const { id, companyId, idempotency, requestHash, createdAt } = record;
  return { id, companyId, dueAt: now + LATE_RESULT_MAX_MS, idempotency, requestHash, createdAt };
}

export interface CleanupDeps {
  collections: Collections;
  /** Releases the files claimed for an operation that does not exist. */
  releaseFiles: (operationId: number) => Promise<void>;
  now: () => number;
}

const BATCH_MAX = 1000;

/** Processes the notes that are due. Several processes may do so at once: each step can be repeated. */
export async function sweepCleanupNotes(deps: CleanupDeps): Promise<void> {
  const { collections, now } = deps;
  for (const note of await findDue({ records: collections.cleanupNotes, now }, BATCH_MAX)) await cleanUp(deps, note);
}

/** Processes a note, and removes it or sets when it is due again. */
async function cleanUp({ collections, releaseFiles, now }: CleanupDeps, note: CleanupNote): Promise<void> {
  const { id, idempotency, createdAt, files = false } = note;
  const record = await collections.operations.get(id);
  if (record === undefined && files) await releaseFiles(id);
  if (record === undefined) await erasePartsOf(collections, id);
  else if (hasEnded(record.status)) await dropStrayResults(collections, record);
  const keyUntil = createdAt + IDEMPOTENCY_TTL_MS;
  if (record === undefined && idempotency !== null && keyUntil > now()) {
    await collections.cleanupNotes.update({ id }, { set: { dueAt: keyUntil } });
  } else {
    await collections.cleanupNotes.delete({ id });
  }
}

/** Removes results of workers that lost the operation, now and again once such a worker must have noticed. */
export async function cleanUpRetries(collections: Collections, record: OperationRecord, now: number): Promise<void> {
  await collections.cleanupNotes.put(noteOfRetries(record, now));
  await dropStrayResults(collections, record);
}

/** Removes the contents and results of an operation without a record. */
export async function erasePartsOf({ contentParts, resultParts }: Collections, operationId: number): Promise<void> {
  await Promise.all([contentParts.delete({ operationId }), resultParts.delete({ operationId })]);
}

async function dropStrayResults({ resultParts }: Collections, record: OperationRecord): Promise<void> {
  const kept = new Set(record.resultParts ?? []);
  const stray: string[] = [];
  for (let run = 1; run <= record.runs; run++) {
    for (let part = 0; part <= record.partCount; part++) {
      const id = resultPartId(record.id, run, part);
      if (!kept.has(id)) stray.push(id);
    }
  }
  for (let from = 0; from < stray.length; from += IDS_PER_DELETE) {
    await resultParts.delete({ id: { in: stray.slice(from, from + IDS_PER_DELETE) } });
  }
}

const IDS_PER_DELETE = 500;

/** A `part` equal to the number of content parts denotes the groups. */
export function resultPartId(operationId: number, run: number, part: number): string {
  return `${contentPartId(operationId, part)}:${run}`;
}
