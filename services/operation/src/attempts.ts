import { setTimeout as sleep } from "node:timers/promises";
import {
  AppError,
  type Created,
  type DueClaim,
  type ErrorKind,
  failpoint,
  isConflict,
  type Logger,
  madeBefore,
  madeNow,
  newJob,
  repeat,
  type Stoppable,
} from "@hourglass/runtime";
import { type Media, type MediaCalls, releaseFiles } from "./media.js";
import {
  CREATE_TIME_MAX_MS,
  type CreationAttempt,
  isTombstone,
  type KeyUse,
  newOperation,
  NO_COMPANY,
  type OperationRecord,
  type OperationRepository,
} from "./store.js";

/** Longest time without a heartbeat after which an attempt counts as dead, in milliseconds. */
const DEAD_MS_MAX = 15_000;
/** A retry waits this long for the earlier request, in milliseconds. */
const WAIT_MAX_MS = 20_000;
const PAUSE_MS = 50;
const WATCH_PAUSE_MS_MAX = 5000;
/** Attempts that one sweep looks at. */
const BATCH_MAX = 1000;

export interface AttemptsDeps {
  repository: OperationRepository;
  leaseMs: number;
  now: () => number;
}

/** A creation that claims uploaded files. */
export interface FileCreation {
  key: KeyUse | undefined;
  files: MediaCalls;
  fileIds: readonly number[];
  /** Makes the record, with a new id on each call. */
  draft: () => Promise<OperationRecord>;
  /** Stores everything of the operation except its record. */
  storeParts: (record: OperationRecord) => Promise<void>;
  /** Stores the record, which accepts the operation. AppError `conflict` if its id or key is taken. */
  insert: (record: OperationRecord) => Promise<void>;
}

/**
 * Creations of operations from uploaded files. Each is recorded as an attempt before it claims files, so that the claims
 * of a process that dies are released: by a retry with the same key, or by the sweeper.
 */
export class CreationAttempts {
  /** Time without a heartbeat after which the sweeper releases the claimed files. */
  private readonly deadMs: number;
  /** Open attempts as the last sweep saw them, by id. */
  private seen = new Map<number, { beats: number; since: number }>();

  constructor(private readonly deps: AttemptsDeps) {
    this.deadMs = Math.min(deps.leaseMs, DEAD_MS_MAX);
  }

  /**
   * Creates an operation from uploaded files. Only one of the requests with the same key claims files at
   * a time: the others wait for its outcome, and take over if its process has died, after releasing the files that it had
   * claimed. A retry therefore never meets claims of an earlier request.
   */
  async create(creation: FileCreation): Promise<Created> {
    const { repository } = this.deps;
    const { key } = creation;
    const waitUntil = performance.now() + WAIT_MAX_MS;
    for (;;) {
      if (key !== undefined) {
        await this.awaitEarlier(key, creation.files, waitUntil);
        const found = await repository.findByKey(key);
        if (found !== undefined) return madeBefore(found);
      }
      const record = await creation.draft();
      try {
        const { id, companyId, idempotency } = record;
        const attempt = { id, companyId, idempotency, state: "open", beats: 0, dueAt: null } as const;
        await repository.collections.attempts.insert(attempt);
      } catch (error) {
        if (key !== undefined && isConflict(error)) continue; // another request with the key was faster
        throw error;
      }
      return this.run(creation, record);
    }
  }

  /**
   * Finds creations whose process died, and releases the files that they claimed. Since the clocks of two processes may
   * differ, an attempt counts as dead once this process has seen no heartbeat for long enough by its monotonic clock.
   */
  startWatch(log: Logger): Stoppable {
    const pauseMs = Math.min(this.deps.leaseMs / 4, WATCH_PAUSE_MS_MAX);
    return repeat(async () => {
      await this.sweep().catch((error: unknown) => {
        log.warn({ err: error }, "creations could not be watched, trying again");
      });
      return pauseMs;
    });
  }

  private async sweep(): Promise<void> {
    const { attempts } = this.deps.repository.collections;
    const open = await attempts.find({ state: "open" }, { sort: [["id", 1]], limit: BATCH_MAX });
    const seen: typeof this.seen = new Map();
    for (const attempt of open) {
      const before = this.seen.get(attempt.id);
      const since = before?.beats === attempt.beats ? before.since : performance.now();
      seen.set(attempt.id, { beats: attempt.beats, since });
      if (performance.now() - since > this.deadMs) await this.abandonDead(attempt);
    }
    this.seen = seen;
  }

  /**
   * Removes the remains of an attempt that was abandoned long ago. Its process refuses to insert after half of that time,
   * so the tombstone is no longer needed. The files are released once more: the process may have claimed them late, and ended.
   */
  async deleteRemains(claim: DueClaim<CreationAttempt>, media: Media | undefined): Promise<void> {
    const { id } = claim.record;
    const { repository } = this.deps;
    await releaseFiles(media, claim.record);
    await repository.deleteParts(id);
    await repository.collections.operations.delete({ id, companyId: NO_COMPANY });
    await claim.delete();
  }

  /**
   * Ensures that the operation will never be stored: inserts a tombstone under its id, so that the process of the attempt
   * cannot insert it, even if still alive. Returns false if the operation was already stored.
   */
  async preventStoring(id: number): Promise<boolean> {
    const { operations } = this.deps.repository.collections;
    try {
      await operations.insert(tombstone(id, this.deps.now()));
      failpoint("operation.mid_abandon");
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
      const present = await operations.get(id);
      return present !== undefined && isTombstone(present);
    }
  }

  /** Returns once no other request with the key is in progress. AppError `unavailable` if that takes too long. */
  private async awaitEarlier({ idempotency }: KeyUse, files: MediaCalls, waitUntil: number): Promise<void> {
    const { attempts } = this.deps.repository.collections;
    let last: CreationAttempt | undefined;
    let since = performance.now();
    for (;;) {
      const [earlier] = await attempts.find({ idempotency }, { limit: 1 });
      if (earlier === undefined) return;
      if (earlier.id !== last?.id || earlier.beats !== last.beats) since = performance.now();
      last = earlier;
      const isDead = performance.now() - since > this.deadMs / 4 || (await this.hasTombstone(earlier.id));
      if (isDead) return this.abandon(earlier, files);
      if (performance.now() > waitUntil) throw tookTooLong();
      await sleep(PAUSE_MS);
    }
  }

  private async hasTombstone(id: number): Promise<boolean> {
    const record = await this.deps.repository.collections.operations.get(id);
    return record !== undefined && isTombstone(record);
  }

  private async run(creation: FileCreation, record: OperationRecord): Promise<Created> {
    const stopHeartbeat = this.startHeartbeat(record.id);
    try {
      failpoint("operation.after_attempt");
      // The previous owner of the key may have ended between the check and the start of this attempt.
      const found = creation.key && (await this.deps.repository.findByKey(creation.key));
      if (found === undefined) await claimAndStore(creation, record);
      await this.end(record.id);
      return found === undefined ? madeNow(record.id) : madeBefore(found);
    } catch (error) {
      return await this.recover(creation, record, error);
    } finally {
      stopHeartbeat();
    }
  }

  /** Sends heartbeats until the returned function is called. */
  private startHeartbeat(id: number): () => void {
    const { attempts } = this.deps.repository.collections;
    const timer = setInterval(() => {
      attempts.update({ id, state: "open" }, { increment: { beats: 1 } }).catch(() => undefined); // the next may succeed
    }, this.deadMs / 15).unref();
    return () => clearInterval(timer);
  }

  /**
   * Returns the operation if it exists anyway, or throws. The store may have inserted the record although
   * the call failed; the operation then keeps its files. Files that cannot be released now are left to the sweeper or to
   * a retry.
   */
  private async recover({ key, files }: FileCreation, record: OperationRecord, error: unknown): Promise<Created> {
    const { id } = record;
    const { repository } = this.deps;
    if (error instanceof AppError && REFUSALS.includes(error.kind)) {
      await this.end(id); // nothing was claimed, and nothing will be inserted
      throw error;
    }
    const stored = await repository.collections.operations.get(id).catch(() => undefined);
    if (stored !== undefined && !isTombstone(stored)) {
      await this.end(id);
      return madeNow(id);
    }
    await this.abandon(record, files).catch(() => undefined); // the original error matters more
    if (!isConflict(error)) throw error;
    const winner = key && (await repository.findByKey(key));
    if (winner !== undefined) return madeBefore(winner);
    throw tookTooLong(error);
  }

  /**
   * Abandons an attempt, even a live one, and releases its files; an operation that it has stored is kept. Throws if that
   * is uncertain. The key is freed, since the files are released.
   */
  private async abandon(attempt: AttemptId, files: MediaCalls): Promise<void> {
    const { id } = attempt;
    if (!(await this.preventStoring(id))) return this.end(id);
    await files.release(id);
    failpoint("operation.after_release");
    await this.deps.repository.deleteParts(id);
    await this.setAbandoned(attempt, { freeKey: true });
  }

  /**
   * Abandons the attempt of a process that died; a note has its files released. The state changes last, so that everything is
   * repeated after a crash in between. A retry with the key releases the files itself before it claims any.
   */
  private async abandonDead({ id, companyId }: CreationAttempt): Promise<void> {
    if (!(await this.preventStoring(id))) return this.end(id);
    const { repository, now } = this.deps;
    const note = { id, companyId, idempotency: null, requestHash: null, files: true };
    await repository.collections.cleanupNotes.put({ ...note, dueAt: now(), createdAt: now() });
    await this.setAbandoned({ id, companyId }, { freeKey: false });
  }

  /** Deletes an attempt whose operation is stored, or that has claimed nothing. If this fails, the sweeper does it. */
  private async end(id: number): Promise<void> {
    await this.deps.repository.collections.attempts.delete({ id, state: "open" }).catch(() => undefined);
  }

  /** The key is freed once a retry can no longer meet the claims of this attempt. */
  private async setAbandoned({ id, companyId }: AttemptId, { freeKey }: { freeKey: boolean }): Promise<void> {
    const { attempts } = this.deps.repository.collections;
    const abandoned = { state: "abandoned", dueAt: this.deps.now() + CREATE_TIME_MAX_MS } as const;
    const set = freeKey ? { ...abandoned, idempotency: null } : abandoned;
    if ((await attempts.update({ id }, { set })) !== undefined) return;
    // Its process has deleted it in the meantime; the attempt is stored again, so that the tombstone is removed later.
    await attempts.put({ id, companyId, idempotency: null, beats: 0, ...abandoned });
  }
}

type AttemptId = Pick<CreationAttempt, "id" | "companyId">;

/** Errors of a claim after which certainly nothing is claimed. */
const REFUSALS: readonly ErrorKind[] = ["invalid", "unimplemented"];

async function claimAndStore(
  { files, fileIds, storeParts, insert }: FileCreation,
  record: OperationRecord,
): Promise<void> {
  await files.claim(record.id, fileIds);
  failpoint("operation.after_claim");
  await storeParts(record);
  await insert(record);
}

function tookTooLong(cause?: unknown): AppError {
  return new AppError("unavailable", "Storing the operation took too long. Try again.", { cause, retryAfterMs: 1000 });
}

function tombstone(id: number, createdAt: number): OperationRecord {
  const job = { id, ...newJob({ companyId: NO_COMPANY, createdAt }) };
  const ended = { status: "failed", finishedAt: createdAt, error: "It was never accepted." } as const;
  const createdBy = { userId: null, keyId: null, name: "" };
  const request = { groups: null, contentsCount: 0, contents: [], partCount: 0, createdBy };
  return newOperation({ ...job, ...ended }, { kind: "file-id", analyses: [], ...request });
}
