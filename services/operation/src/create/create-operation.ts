import { activeTrace, AppError, failpoint } from "@hourglass/runtime";
import { type CheckedOperation, type NewOperation, settleRequest } from "./check-request.js";
import type { Collections } from "../records/collections.js";
import { contentPartId, type Layout, layOut, placeOf } from "../records/contents.js";
import { createFromFiles } from "./create-from-files.js";
import type { AttemptTimes } from "./creation-attempts.js";
import { findByKey, type KeyUse, keyUseOf } from "./idempotency.js";
import { isSlow, type Lane, laneOf, lineOf } from "../outbox/lanes.js";
import { CREATE_TIME_MAX_MS, leftoverOfCreation } from "../records/leftovers.js";
import { type ContentValue, EXPLAIN, type OperationRecord } from "../records/operation.js";
import type { FileClaims } from "./file-claims.js";
import type { Quota } from "./quota.js";
import type { Turns } from "../outbox/turns.js";

export interface CreateOperationDeps {
  collections: Collections;
  nextId: () => Promise<number>;
  turns: Turns;
  quota: Quota;
  /** Of creations that claim files. */
  times: AttemptTimes;
  now: () => number;
  /** Told of each operation that is stored and waits to be published. */
  onReady: (lane: Lane) => void;
}

/** Who asks, and what is his. */
export interface Caller {
  companyId: number;
  files: FileClaims;
}

/** Accepts an operation, which has passed the rules on requests: once the id is returned, it is stored and will be carried out. A refusal stores nothing. */
export type CreateOperation = (request: NewOperation, caller: Caller) => Promise<number>;

export function createCreateOperation(deps: CreateOperationDeps): CreateOperation {
  return async (request, caller) => {
    const checked = settleRequest(request);
    const key = keyUseOf(request, { checked, companyId: caller.companyId, now: deps.now() });
    const earlier = key && (await findByKey(deps.collections, key));
    if (earlier !== undefined) return earlier;
    await deps.quota.take(caller.companyId);
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
  // Texts are not to wait their turn for what is in another lane.
  const cost = isSlow(laneOf({ ...checked, ...place })) ? 0 : contents.length;
  const [id, turn] = await Promise.all([deps.nextId(), deps.turns.take(companyId, cost)]);
  const record: OperationRecord = {
    id,
    companyId,
    status: "ready",
    kind,
    analyses: explain ? [...analyses, EXPLAIN] : analyses,
    groups,
    contentsCount: contents.length,
    ...place,
    turn,
    createdAt: deps.now(),
    queuedAt: null,
    attempts: 0,
    runs: 0,
    leaseToken: null,
    leaseExpiresAt: null,
    progress: 0,
    finishedAt: null,
    error: null,
    results: null,
    resultParts: null,
    ...(key?.mark ?? { idempotency: null, requestHash: null }),
    traceparent: activeTrace()?.traceparent ?? null,
  };
  return { ...record, line: lineOf(record) };
}

/**
 * Notes what is about to be done, then stores parts, the record last: its insert is the acceptance, and being `ready` is
 * its entry in the outbox. What a crash leaves behind before that is swept later, by the note.
 */
async function store(deps: CreateOperationDeps, creation: Creation): Promise<number> {
  const { operations, leftovers } = deps.collections;
  const { layout, key } = creation;
  const record = await draft(deps, creation);
  const { id } = record;
  try {
    if (layout.parts.length > 0) {
      await leftovers.put(leftoverOfCreation(record));
      await insertParts(deps.collections, record, layout.parts);
    }
    await insertRecord(deps, record);
    failpoint("operation.after_insert");
  } catch (error) {
    // The insert may have happened although its answer was lost; then the operation stands and keeps what it has.
    const stored = await operations.get(id).catch(() => record);
    if (stored === undefined && layout.parts.length > 0) {
      await removeParts(deps.collections, id).catch(() => undefined); // the sweeper finds the note
    }
    const winner = key && isConflict(error) ? await findByKey(deps.collections, key) : undefined;
    if (winner === undefined) throw error;
    return winner;
  }
  // The sweeper finds the note when this fails.
  if (layout.parts.length > 0) await leftovers.delete({ id }).catch(() => undefined);
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
  failpoint("operation.before_insert");
  refuseStale(record, deps.now());
  await Promise.all([deps.collections.operations.insert(record), keepTurn(deps.turns, record)]);
  deps.onReady(laneOf(record));
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

async function removeParts({ contentParts, leftovers }: Collections, operationId: number): Promise<void> {
  await contentParts.delete({ operationId });
  await leftovers.delete({ id: operationId });
}

/** The sweeper removes parts without a record after a while; a record that came later would stand without its parts. */
function refuseStale(record: OperationRecord, now: number): void {
  if (now - record.createdAt < CREATE_TIME_MAX_MS / 2) return;
  throw new AppError("unavailable", "Storing the operation took too long. Try again later.");
}

/** A turn that is not kept costs some fairness after a restart, not the operation. */
function keepTurn(turns: Turns, { companyId, turn }: OperationRecord): Promise<void> {
  return turns.keep(companyId, turn).catch(() => undefined);
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.kind === "conflict";
}
