import { AppError, failpoint, type Jobs, lineOf, winnerOf } from "@hourglass/runtime";
import { type CheckedOperation, type NewOperation, settleRequest } from "./check-request.js";
import type { Collections } from "../records/collections.js";
import { contentPartId, type Layout, layOut, placeOf } from "../records/contents.js";
import { createFromFiles } from "./create-from-files.js";
import type { AttemptTimes } from "./creation-attempts.js";
import { findByKey, type KeyUse, keyUseOf } from "./idempotency.js";
import { CREATE_TIME_MAX_MS, noteOfCreation } from "../records/cleanup-notes.js";
import { type ContentValue, newOperation, type OperationRecord, withOptions } from "../records/operation.js";
import type { FileClaims } from "./file-claims.js";
import { OPERATION_LANES } from "../job/lanes.js";

export interface CreateOperationDeps {
  collections: Collections;
  jobs: Jobs<OperationRecord>;
  /** Times for creations that claim files. */
  times: AttemptTimes;
  now: () => number;
}

/** The calling company and access to its files. */
export interface Caller {
  companyId: number;
  requestId: string;
  files: FileClaims;
}

/**
 * Accepts an operation that has passed the rules on requests: once the id is returned, the operation is stored and will
 * be carried out. A rejected request stores nothing.
 */
export type CreateOperation = (request: NewOperation, caller: Caller) => Promise<number>;

export function createCreateOperation(deps: CreateOperationDeps): CreateOperation {
  return async (request, caller) => {
    const checked = settleRequest(request);
    const key = await keyUseOf(request, { checked, companyId: caller.companyId, now: deps.now() });
    const earlier = key && (await findByKey(deps.collections, key));
    if (earlier !== undefined) return earlier;
    await deps.jobs.admit(caller.companyId);
    const creation = { checked, layout: layOut(checked), key, caller };
    return checked.kind === "file-id" ? storeWithFiles(deps, creation) : store(deps, creation);
  };
}

interface Creation {
  checked: CheckedOperation;
  layout: Layout;
  key: KeyUse | undefined;
  caller: Caller;
}

async function draft(
  deps: CreateOperationDeps,
  { checked, layout, key, caller: { companyId, requestId } }: Creation,
): Promise<OperationRecord> {
  const { kind, analyses, groups, contents } = checked;
  const place = placeOf(layout);
  const isShared = OPERATION_LANES.laneOf({ kind, ...place }) === OPERATION_LANES.shared;
  // Operations in another lane cost nothing, so that they do not delay the company's texts.
  const cost = isShared ? contents.length : 0;
  const job = await deps.jobs.draft({ companyId, cost, mark: key?.mark, requestId });
  const record = newOperation(job, {
    kind,
    analyses: withOptions(analyses, checked),
    groups,
    contentsCount: contents.length,
    ...place,
  });
  return { ...record, line: lineOf(OPERATION_LANES, record) };
}

/**
 * Stores a cleanup note, then the parts, and the record last: its insert accepts the operation. The note lets the
 * sweeper find what a crash before that leaves behind.
 */
async function store(deps: CreateOperationDeps, creation: Creation): Promise<number> {
  const { operations, cleanupNotes } = deps.collections;
  const { layout, key } = creation;
  const record = await draft(deps, creation);
  const { id } = record;
  try {
    if (layout.parts.length > 0) {
      await cleanupNotes.put(noteOfCreation(record));
      await insertParts(deps.collections, record, layout.parts);
    }
    await insertRecord(deps, record);
  } catch (error) {
    // The insert may have happened although its response was lost; the operation then keeps its parts.
    const stored = await operations.get(id).catch(() => record);
    if (stored === undefined && layout.parts.length > 0) {
      await removeParts(deps.collections, id).catch(() => undefined); // the sweeper finds the note
    }
    return winnerOf(error, key && (() => findByKey(deps.collections, key)));
  }
  // If this fails, the sweeper finds the note.
  if (layout.parts.length > 0) await cleanupNotes.delete({ id }).catch(() => undefined);
  return id;
}

function storeWithFiles(deps: CreateOperationDeps, creation: Creation): Promise<number> {
  const { checked, layout, key, caller } = creation;
  return createFromFiles(deps, {
    key,
    files: caller.files,
    fileIds: checked.contents.map(Number),
    draft: () => draft(deps, creation),
    storeParts: (record) => insertParts(deps.collections, record, layout.parts),
    insert: (record) => insertRecord(deps, record),
  });
}

async function insertRecord(deps: CreateOperationDeps, record: OperationRecord): Promise<void> {
  refuseStale(record, deps.now());
  await deps.jobs.insert(record);
}

/** Parts are inserted in small batches: the embedded store writes each in one turn of the event loop. */
async function insertParts(
  { contentParts }: Collections,
  record: OperationRecord,
  parts: readonly ContentValue[][],
): Promise<void> {
  const operationId = record.id;
  const documents = parts.map((contents, part) => ({ id: contentPartId(operationId, part), operationId, contents }));
  for (let from = 0; from < documents.length; from += PARTS_PER_WRITE) {
    await contentParts.insertMany(documents.slice(from, from + PARTS_PER_WRITE));
  }
  failpoint("operation.after_chunks");
}

/** Some hundred kilobytes, which take some milliseconds. */
const PARTS_PER_WRITE = 3;

async function removeParts({ contentParts, cleanupNotes }: Collections, operationId: number): Promise<void> {
  await contentParts.delete({ operationId });
  await cleanupNotes.delete({ id: operationId });
}

/** The sweeper removes parts without a record after a while; a record inserted later would have no parts. */
function refuseStale(record: OperationRecord, now: number): void {
  if (now - record.createdAt < CREATE_TIME_MAX_MS / 2) return;
  throw new AppError("unavailable", "Storing the operation took too long. Try again later.");
}
