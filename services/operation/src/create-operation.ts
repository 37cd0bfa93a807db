import { activeTrace, AppError, failpoint } from "@hourglass/runtime";
import { type CheckedOperation, type NewOperation, settleRequest } from "./check-request.js";
import type { Collections } from "./collections.js";
import { contentPartId, layOut, placeOf } from "./contents.js";
import { findByKey, keyUseOf } from "./idempotency.js";
import { isSlow, type Lane, laneOf, lineOf } from "./lanes.js";
import { CREATE_TIME_MAX_MS, leftoverOfCreation } from "./leftovers.js";
import { type ContentValue, EXPLAIN, type OperationRecord } from "./operation.js";
import type { FileClaims } from "./ports/file-claims.js";
import type { Quota } from "./quota.js";
import type { Turns } from "./turns.js";

export interface CreateOperationDeps {
  collections: Collections;
  nextId: () => Promise<number>;
  turns: Turns;
  quota: Quota;
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
    const layout = layOut(checked);
    const place = placeOf(layout);
    const lane = laneOf({ ...checked, ...place });
    // Texts are not to wait their turn for what is in another lane.
    const cost = isSlow(lane) ? 0 : checked.contents.length;
    const drafted = await draft(deps, checked, { companyId: caller.companyId, cost });
    const record = { ...drafted, ...place, line: lineOf({ ...drafted, ...place }), ...key?.mark };
    try {
      await store(deps, record, { parts: layout.parts, checked, files: caller.files });
    } catch (error) {
      const winner = key && isConflict(error) ? await findByKey(deps.collections, key) : undefined;
      if (winner === undefined) throw error;
      return winner;
    }
    deps.onReady(lane);
    return record.id;
  };
}

async function draft(
  deps: CreateOperationDeps,
  { kind, analyses, groups, contents, explain }: CheckedOperation,
  { companyId, cost }: { companyId: number; cost: number },
): Promise<OperationRecord> {
  const [id, turn] = await Promise.all([deps.nextId(), deps.turns.take(companyId, cost)]);
  return {
    id,
    companyId,
    status: "ready",
    kind,
    analyses: explain ? [...analyses, EXPLAIN] : analyses,
    groups,
    contentsCount: contents.length,
    contents: null,
    partCount: 0,
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
    idempotency: null,
    requestHash: null,
    traceparent: activeTrace()?.traceparent ?? null,
  };
}

interface Goods {
  checked: CheckedOperation;
  parts: readonly ContentValue[][];
  files: FileClaims;
}

/**
 * Notes what is about to be done, then claims files and stores parts, the record last: its insert is the acceptance, and
 * being `ready` is its entry in the outbox. What a crash leaves behind before that is swept later, by the note.
 */
async function store(deps: CreateOperationDeps, record: OperationRecord, goods: Goods): Promise<void> {
  const { operations, leftovers } = deps.collections;
  const undo: (() => Promise<unknown>)[] = [];
  try {
    if (goods.parts.length > 0) {
      await leftovers.put(leftoverOfCreation(record));
      undo.push(() => removeParts(deps.collections, record.id));
    }
    if (record.kind === "file-id") {
      undo.unshift(() => goods.files.release(record.id));
      await goods.files.claim(record.id, goods.checked.contents.map(Number));
    }
    if (goods.parts.length > 0) {
      await insertParts(deps.collections, record, goods.parts);
      failpoint("operation.after_chunks");
    }
    failpoint("operation.before_insert");
    refuseStale(record, deps.now());
    await Promise.all([operations.insert(record), keepTurn(deps.turns, record)]);
    failpoint("operation.after_insert");
  } catch (error) {
    // The insert may have happened although its answer was lost; then the operation stands and keeps what it has.
    const stored = await operations.get(record.id).catch(() => record);
    if (stored === undefined) await undoAll(undo);
    throw error;
  }
  // The sweeper finds the note when this fails.
  if (goods.parts.length > 0) await leftovers.delete({ id: record.id }).catch(() => undefined);
}

/** The first step that fails leaves the rest, and the note that comes last, to the sweeper. */
async function undoAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  try {
    for (const step of steps) await step();
  } catch {
    return; // why the operation could not be stored matters more
  }
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
