import type { Collections } from "./collections.js";
import { contentPartId } from "./contents.js";
import { IDEMPOTENCY_TTL_MS } from "../create/idempotency.js";
import { hasEnded, type Leftover, type OperationRecord } from "./operation.js";

/** A request that is being stored is done, or will never be, after so long, in milliseconds. */
export const CREATE_TIME_MAX_MS = 60 * 60 * 1000;
/** A worker that lost its operation has noticed after so long, in milliseconds. */
const LATE_RESULT_MAX_MS = 60 * 1000;

/** A note for an operation whose parts are stored before its record. */
export function leftoverOfCreation({ id, createdAt }: OperationRecord): Leftover {
  return { id, dueAt: createdAt + CREATE_TIME_MAX_MS, idempotency: null, requestHash: null, createdAt };
}

/** A note for an operation that has ended and that more than one worker began. */
export function leftoverOfRetries({ id, createdAt }: OperationRecord, now: number): Leftover {
  return { id, dueAt: now + LATE_RESULT_MAX_MS, idempotency: null, requestHash: null, createdAt };
}

/** A note for an operation that is deleted; also keeps its idempotency key. */
export function leftoverOfDeletion(record: OperationRecord, now: number): Leftover {
  const { id, idempotency, requestHash, createdAt } = record;
  return { id, dueAt: now + LATE_RESULT_MAX_MS, idempotency, requestHash, createdAt };
}

export interface SweepLeftoverDeps {
  collections: Collections;
  /** Frees the files that are claimed for an operation which does not exist. */
  releaseFiles: (operationId: number) => Promise<void>;
  now: () => number;
}

/** Does what a note that is due asks for, and removes it or sets it to when it is due again. */
export async function sweepLeftover(deps: SweepLeftoverDeps, leftover: Leftover): Promise<void> {
  const { collections, releaseFiles } = deps;
  const now = deps.now();
  const { id, idempotency, createdAt, files = false } = leftover;
  const record = await collections.operations.get(id);
  if (record === undefined && files) await releaseFiles(id);
  if (record === undefined) await erasePartsOf(collections, id);
  else if (hasEnded(record.status)) await dropStrayResults(collections, record);
  const keyUntil = createdAt + IDEMPOTENCY_TTL_MS;
  if (record === undefined && idempotency !== null && keyUntil > now) {
    await collections.leftovers.update({ id }, { set: { dueAt: keyUntil } });
  } else {
    await collections.leftovers.delete({ id });
  }
}

/** Removes contents and results of an operation that has no record. */
export async function erasePartsOf({ contentParts, resultParts }: Collections, operationId: number): Promise<void> {
  await Promise.all([contentParts.delete({ operationId }), resultParts.delete({ operationId })]);
}

/** Removes results of workers that lost the operation. */
export async function dropStrayResults({ resultParts }: Collections, record: OperationRecord): Promise<void> {
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

/** `part` equal to the number of content parts stands for the groups. */
export function resultPartId(operationId: number, run: number, part: number): string {
  return `${contentPartId(operationId, part)}:${run}`;
}
