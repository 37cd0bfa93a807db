import { AppError, failpoint, type Jobs, lineOf, winnerOf } from "@hourglass/runtime";
import { type CheckedOperation, type NewOperation, settleRequest } from "./check-request.js";
import type { Collections } from "../records/collections.js";
import { contentPartId, type Layout, layOut, placeOf } from "../records/contents.js";
import { createFromFiles } from "./create-from-files.js";
import type { AttemptTimes } from "./creation-attempts.js";
import { findByKey, type KeyUse, keyUseOf } from "./idempotency.js";
import { CREATE_TIME_MAX_MS, noteOfCreation } from "../records/cleanup-notes.js";
import { type ContentValue, EXPLAIN, newOperation, type OperationRecord } from "../records/operation.js";
import type { FileClaims } from "./file-claims.js";
import { OPERATION_LANES } from "../job/lanes.js";

export interface CreateOperationDeps {
  collections: Collections;
  jobs: Jobs<OperationRecord>;
  /** Of creations that claim files. */
  times: AttemptTimes;
  now: () => number;
}

/** The company that asks, and access to its files. */
export interface Caller {
  companyId: number;
  files: FileClaims;
}

/**
 * Accepts an operation, which has passed the rules on requests: once the id is returned, it is stored and will be carried
 * out. A refusal stores nothing.
 */
export type CreateOperation = (request: NewOperation, caller: Caller) => Promise<number>;

export function createCreateOperation(deps: CreateOperationDeps): CreateOperation {
  return async (request, caller) => {
    const checked = settleRequest(request);
    const key = keyUseOf(request, { checked, companyId: caller.companyId, now: deps.now() });
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
  { checked, layout, key, caller: { companyId } }: Creation,
): Promise<OperationRecord> {
  const { kind, analyses, groups, contents, explain } = checked;
  const place = placeOf(layout);
  const isShared = OPERATION_LANES.laneOf({ kind, ...place }) === OPERATION_LANES.shared;
  // Texts are not to wait their turn for what is in another lane.
  const job = await deps.jobs.draft({ companyId, cost: isShared ? contents.length : 0, mark: key?.mark });
  const record = newOperation(job, {
    kind,
    analyses: explain ? [...analyses, EXPLAIN] : analyses,
    groups,
    contentsCount: contents.length,
    ...place,
  });
  return { ...record, line: lineOf(OPERATION_LANES, record) };
}

/**
 * Stores a note of what is about to be stored, then the parts, the record last: its insert is the acceptance. The note
 * leads the sweeper to what a crash leaves behind before that.
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
    // The insert may have happened although its answer was lost; then the operation keeps its parts.
    const stored = await operations.get(id).catch(() => record);
    if (stored === undefined && layout.parts.length > 0) {
      await removeParts(deps.collections, id).catch(() => undefined); // the sweeper finds the note
    }
    return winnerOf(error, key && (() => findByKey(deps.collections, key)));
  }
  // The sweeper finds the note when this fails.
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

/** Parts go in a few at a time, so that one write never holds the whole of a large request. */
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

const PARTS_PER_WRITE = 16;

async function removeParts({ contentParts, cleanupNotes }: Collections, operationId: number): Promise<void> {
  await contentParts.delete({ operationId });
  await cleanupNotes.delete({ id: operationId });
}

/** The sweeper removes parts without a record after a while; a record that came later would stand without its parts. */
function refuseStale(record: OperationRecord, now: number): void {
  if (now - record.createdAt < CREATE_TIME_MAX_MS / 2) return;
  throw new AppError("unavailable", "Storing the operation took too long. Try again later.");
}
