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
  /** Makes the record, with an id of its own each time. */
  draft: () => Promise<OperationRecord>;
  /** Stores all of the operation but its record. */
  storeParts: (record: OperationRecord) => Promise<void>;
  /** Stores the record, which is the acceptance. AppError `conflict` when its id or key is taken. */
  insert: (record: OperationRecord) => Promise<void>;
}

/** A repetition waits for the request before it, for so long. */
const WAIT_MAX_MS = 20_000;
const PAUSE_MS = 50;

/**
 * Creates an operation from uploaded files; returns its id. Of requests with one key only one claims files at a time: the
 * others wait for its outcome, and take over when its process has died, after they have released what it had claimed. So
 * a repetition never meets claims of its own.
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
      await beginAttempt(collections, record.id, key?.mark.idempotency ?? null);
    } catch (error) {
      if (key !== undefined && isConflict(error)) continue; // another request with the key was quicker
      throw error;
    }
    return attempt(deps, creation, record);
  }
}

/** Returns when no other request with the key is being carried out. AppError `unavailable` when that takes too long. */
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

/** Gives an attempt up, be it alive, and what it claimed back; what it has stored stays. Fails when it cannot be known to be so. */
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
    // The one that had the key before may have ended between the look at it and this one's note.
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

/** Failures of a claim after which nothing is claimed, for certain. */
const REFUSALS: readonly ErrorKind[] = ["invalid", "unimplemented"];

interface Failed {
  creation: FileCreation;
  record: OperationRecord;
  error: unknown;
}

/**
 * Returns the id of the operation that stands all the same, or throws. The store may have inserted the record although it
 * failed; then the operation keeps what it has. What cannot be given back now is left to the sweeper, or to a repetition.
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
  await abandon(deps, id, creation.files).catch(() => undefined); // why it failed matters more
  if (!isConflict(error)) throw error;
  const winner = creation.key && (await findByKey(collections, creation.key));
  if (winner !== undefined) return winner;
  throw tookTooLong(error);
}

function tookTooLong(cause?: unknown): AppError {
  return new AppError("unavailable", "Storing the operation took too long. Try again.", { cause, retryAfterMs: 1000 });
}
