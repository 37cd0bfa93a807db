import { setTimeout as sleep } from "node:timers/promises";
import { AppError, type ErrorKind, failpoint, isConflict } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";
import {
  type AttemptTimes,
  bar,
  beginAttempt,
  endAttempt,
  isTombstone,
  keepAlive,
  markAbandoned,
} from "./creation-attempts.js";
import { findByKey, type KeyUse } from "./idempotency.js";
import { erasePartsOf } from "../records/cleanup-notes.js";
import type { CreationAttempt, OperationRecord } from "../records/operation.js";
import type { FileClaims } from "./file-claims.js";

export interface CreateFromFilesDeps {
  collections: Collections;
  times: AttemptTimes;
  now: () => number;
}

/** A creation that claims uploaded files. */
export interface FileCreation {
  key: KeyUse | undefined;
  files: FileClaims;
  fileIds: readonly number[];
  /** Makes the record, with a new id on each call. */
  draft: () => Promise<OperationRecord>;
  /** Stores everything of the operation except its record. */
  storeParts: (record: OperationRecord) => Promise<void>;
  /** Stores the record, which accepts the operation. AppError `conflict` if its id or key is taken. */
  insert: (record: OperationRecord) => Promise<void>;
}

/** A retry waits this long for the earlier request, in milliseconds. */
const WAIT_MAX_MS = 20_000;
const PAUSE_MS = 50;

/**
 * Creates an operation from uploaded files; returns its id. Only one of the requests with the same key claims files at
 * a time: the others wait for its outcome, and take over if its process has died, after releasing the files that it had
 * claimed. A retry therefore never meets claims of its own.
 */
export async function createFromFiles(deps: CreateFromFilesDeps, creation: FileCreation): Promise<number> {
  const { collections } = deps;
  const { key } = creation;
  const giveUpAt = performance.now() + WAIT_MAX_MS;
  for (;;) {
    if (key !== undefined) {
      await passFormer(deps, creation, giveUpAt);
      const found = await findByKey(collections, key);
      if (found !== undefined) return found;
    }
    const record = await creation.draft();
    try {
      await beginAttempt(collections, record);
    } catch (error) {
      if (key !== undefined && isConflict(error)) continue; // another request with the key was faster
      throw error;
    }
    return attempt(deps, creation, record);
  }
}

/** Returns once no other request with the key is in progress. AppError `unavailable` if that takes too long. */
async function passFormer(deps: CreateFromFilesDeps, creation: FileCreation, giveUpAt: number): Promise<void> {
  const { collections, times } = deps;
  const idempotency = creation.key?.mark.idempotency ?? null;
  let last: CreationAttempt | undefined;
  let since = performance.now();
  for (;;) {
    const [former] = await collections.attempts.find({ idempotency }, { limit: 1 });
    if (former === undefined) return;
    if (former.id !== last?.id || former.beats !== last.beats) since = performance.now();
    last = former;
    const isDead = performance.now() - since > times.takeOverMs || (await isGivenUp(collections, former.id));
    if (isDead) return abandon(deps, former.id, creation.files);
    if (performance.now() > giveUpAt) throw tookTooLong();
    await sleep(PAUSE_MS);
  }
}

async function isGivenUp({ operations }: Collections, id: number): Promise<boolean> {
  const record = await operations.get(id);
  return record !== undefined && isTombstone(record);
}

/**
 * Abandons an attempt, even a live one, and releases its files; an operation that it has stored is kept. Throws if that
 * is uncertain.
 */
async function abandon({ collections, now }: CreateFromFilesDeps, id: number, files: FileClaims): Promise<void> {
  if (!(await bar(collections, id, now()))) return endAttempt(collections, id);
  await files.release(id);
  failpoint("operation.after_release");
  await erasePartsOf(collections, id);
  await markAbandoned(collections, id, { now: now(), freeKey: true });
}

async function attempt(deps: CreateFromFilesDeps, creation: FileCreation, record: OperationRecord): Promise<number> {
  const { collections, times } = deps;
  const stop = keepAlive(collections, record.id, times);
  try {
    failpoint("operation.after_attempt");
    // The previous holder of the key may have ended between the check and the start of this attempt.
    const found = creation.key && (await findByKey(collections, creation.key));
    if (found === undefined) await carryOut(creation, record);
    await endAttempt(collections, record.id);
    return found ?? record.id;
  } catch (error) {
    return await salvage(deps, { creation, record, error });
  } finally {
    stop();
  }
}

async function carryOut({ files, fileIds, storeParts, insert }: FileCreation, record: OperationRecord): Promise<void> {
  await files.claim(record.id, fileIds);
  failpoint("operation.after_claim");
  await storeParts(record);
  await insert(record);
}

/** Errors of a claim after which certainly nothing is claimed. */
const REFUSALS: readonly ErrorKind[] = ["invalid", "unimplemented"];

interface Failed {
  creation: FileCreation;
  record: OperationRecord;
  error: unknown;
}

/**
 * Returns the id of the operation if it exists nevertheless, or throws. The store may have inserted the record although
 * the call failed; the operation then keeps its files. Files that cannot be released now are left to the sweeper or to
 * a retry.
 */
async function salvage(deps: CreateFromFilesDeps, { creation, record, error }: Failed): Promise<number> {
  const { collections } = deps;
  const { id } = record;
  if (error instanceof AppError && REFUSALS.includes(error.kind)) {
    await endAttempt(collections, id); // nothing was claimed, and nothing will be inserted
    throw error;
  }
  const stored = await collections.operations.get(id).catch(() => undefined);
  if (stored !== undefined && !isTombstone(stored)) {
    await endAttempt(collections, id);
    return id;
  }
  await abandon(deps, id, creation.files).catch(() => undefined); // the original error matters more
  if (!isConflict(error)) throw error;
  const winner = creation.key && (await findByKey(collections, creation.key));
  if (winner !== undefined) return winner;
  throw tookTooLong(error);
}

function tookTooLong(cause?: unknown): AppError {
  return new AppError("unavailable", "Storing the operation took too long. Try again.", { cause, retryAfterMs: 1000 });
}
