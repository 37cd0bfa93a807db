import { type DueClaim, failpoint, hasEnded, IDEMPOTENCY_TTL_MS, type Logger } from "@hourglass/runtime";
import { type Media, releaseFiles } from "./media.js";
import {
  type CleanupNote,
  isTombstone,
  type OperationRecord,
  type OperationRepository,
  resultPartId,
} from "./store.js";

/** Time after which a worker that lost its operation has noticed it, in milliseconds. */
const LATE_RESULT_MAX_MS = 60 * 1000;
/** Expired operations that are read at once. */
const EXPIRED_BATCH_MAX = 500;
const IDS_PER_DELETE = 500;

export interface ErasureDeps {
  repository: OperationRepository;
  log: Logger;
  now: () => number;
  /** Called immediately, so that a worker in this process stops and waiting callers get an answer. */
  onDeleted: (operationId: number) => void;
}

/** Erases operations, and what crashes and late workers leave of them. */
export class OperationErasure {
  constructor(private readonly deps: ErasureDeps) {}

  /**
   * Erases an operation: its files by `eraseFiles`, its record, contents and results. Can be repeated after a crash at
   * any step. False if another caller has deleted the record meanwhile.
   */
  async erase(record: OperationRecord, eraseFiles: (operationId: number) => Promise<void>): Promise<boolean> {
    const { repository, now, onDeleted } = this.deps;
    const { operations, cleanupNotes } = repository.collections;
    const { id, companyId } = record;
    if (record.kind === "file-id") await eraseFiles(id);
    await cleanupNotes.put(noteOfDeletion(record, now()));
    const deleted = await operations.delete({ id, companyId });
    failpoint("operation.mid_delete");
    onDeleted(id);
    await repository.deleteParts(id);
    return deleted > 0;
  }

  /**
   * Erases some operations that ended more than `retentionMs` ago, with their files, in the order of their ends; returns
   * whether there may be more. Several processes may do so at once. Rejects at the first that cannot be erased.
   */
  async eraseExpired(retentionMs: number, media: Media, stopping: AbortSignal): Promise<boolean> {
    const { repository, log, now } = this.deps;
    const endedBefore = now() - retentionMs;
    const expired = await repository.collections.operations.find(
      { finishedAt: { lt: endedBefore } },
      { sort: [["finishedAt", 1]], limit: EXPIRED_BATCH_MAX },
    );
    for (const record of expired) {
      if (stopping.aborted) return true;
      const eraseFiles = async (operationId: number) => {
        const request = { operationId: BigInt(operationId) };
        await media.serviceTokens.call(record.companyId, (token) => media.client.deleteFiles(request, { token }));
      };
      await this.erase(record, eraseFiles);
    }
    if (expired.length > 0) log.info({ operations: expired.length }, "operations past their retention were erased");
    return expired.length === EXPIRED_BATCH_MAX;
  }

  /** Removes results of workers that lost the operation, now and again once such a worker must have noticed. */
  async cleanUpRetries(record: OperationRecord): Promise<void> {
    const { repository, now } = this.deps;
    await repository.collections.cleanupNotes.put(noteOfRetries(record, now()));
    await this.deleteStrayResults(record);
  }

  /**
   * Does what a cleanup note is about, and removes it or sets when it is due again. Each step can be repeated.
   */
  async processNote(claim: DueClaim<CleanupNote>, media: Media | undefined): Promise<void> {
    const { repository, now } = this.deps;
    const { id, idempotency, createdAt, files = false } = claim.record;
    const record = await repository.collections.operations.get(id);
    const isStored = record !== undefined && !isTombstone(record);
    if (!isStored && files) await releaseFiles(media, claim.record);
    if (!isStored) await repository.deleteParts(id);
    else if (hasEnded(record.status)) await this.deleteStrayResults(record);
    const keyUntil = createdAt + IDEMPOTENCY_TTL_MS;
    if (!isStored && idempotency !== null && keyUntil > now()) await claim.reschedule(keyUntil);
    else await claim.delete();
  }

  private async deleteStrayResults(record: OperationRecord): Promise<void> {
    const kept = new Set(record.resultParts ?? []);
    const stray: string[] = [];
    for (let run = 1; run <= record.runs; run++) {
      for (let part = 0; part <= record.partCount; part++) {
        const id = resultPartId(record.id, run, part);
        if (!kept.has(id)) stray.push(id);
      }
    }
    const { resultParts } = this.deps.repository.collections;
    for (let from = 0; from < stray.length; from += IDS_PER_DELETE) {
      await resultParts.delete({ id: { in: stray.slice(from, from + IDS_PER_DELETE) } });
    }
  }
}

/** A note for a deleted operation; also keeps its idempotency key. */
function noteOfDeletion(record: OperationRecord, now: number): CleanupNote {
  const { id, companyId, idempotency, requestHash, createdAt } = record;
  return { id, companyId, dueAt: now + LATE_RESULT_MAX_MS, idempotency, requestHash, createdAt };
}

/** A note for an operation that has ended and that several workers began. */
function noteOfRetries({ id, companyId, createdAt }: OperationRecord, now: number): CleanupNote {
  return { id, companyId, dueAt: now + LATE_RESULT_MAX_MS, idempotency: null, requestHash: null, createdAt };
}
