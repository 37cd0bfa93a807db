import { setTimeout as sleep } from "node:timers/promises";
import { AppError, failpoint, type FieldViolation, pauseAfter, type RetryPolicy } from "@hourglass/runtime";
import { CLAIM_STATES, type FileRecord, type FileRepository, releaseId } from "./store.js";

/** A claim in flight at the time of its release arrives within this time. In milliseconds. */
const LATE_CLAIM_MAX_MS = 60 * 60_000;
/** A claim still blocked by reservations of other operations after this time fails with a retryable error. In milliseconds. */
const BLOCKED_MAX_MS = 5000;
/** A reservation older than this belongs to a process that died. In milliseconds. */
const RESERVATION_MS = 60_000;
/** Between checks of a file reserved by another claim; most claims take few writes. */
const RETRY: RetryPolicy = { firstMs: 1, maxMs: 50, jitter: 0.5 };

export interface ClaimDeps {
  repository: FileRepository;
  now: () => number;
}

export interface Claim {
  companyId: number;
  operationId: number;
  /** Without duplicates. */
  fileIds: readonly number[];
}

/** The claims of operations on files. */
export class FileClaims {
  constructor(private readonly deps: ClaimDeps) {}

  /**
   * Assigns all files to the operation or none: AppError `invalid` names each that is unknown or used. If several claims
   * compete for a file, exactly one gets it. Claiming again for the same operation succeeds until its claims are
   * released.
   *
   * Works in two phases: all files are reserved first and only then claimed, so that no caller reads that a file is used
   * because of a claim that fails in the end. A claim that finds a file reserved by another waits for the outcome.
   */
  async claim(claim: Claim): Promise<void> {
    const attempt = new ClaimAttempt(this.deps, claim);
    try {
      if (await attempt.run()) return;
    } catch (error) {
      await attempt.rollBack().catch(() => undefined); // the sweeper frees what is still reserved
      throw error;
    }
    throw new AppError("unavailable", "Other requests are deciding about these files. Try again later.", {
      retryAfterMs: 1000,
    });
  }

  /**
   * Frees the company's files that are claimed for the operation, permanently: a later claim for it gets nothing. Without a
   * claim it frees nothing.
   */
  async release(operationId: number, companyId: number): Promise<void> {
    const { repository, now } = this.deps;
    await repository.releases.put({ id: releaseId(operationId, companyId), dueAt: now() + LATE_CLAIM_MAX_MS });
    failpoint("media.mid_release");
    const claimed = { operationId, companyId, state: { in: CLAIM_STATES } };
    await repository.files.updateMany(claimed, { set: repository.asUnused() });
  }
}

class ClaimAttempt {
  private readonly retryUntil = performance.now() + BLOCKED_MAX_MS;
  /** Ascending: a claim that waits for a file has reserved only smaller ids, so two claims never wait for each other. */
  private readonly ids: readonly number[];
  private hasClaimed = false;
  private checks = 0;

  constructor(
    private readonly deps: ClaimDeps,
    private readonly claim: Claim,
  ) {
    this.ids = [...claim.fileIds].sort((a, b) => a - b);
  }

  /** True: the files belong to the operation. False: the claim was blocked for too long, and nothing is reserved. */
  async run(): Promise<boolean> {
    do {
      this.requireAvailable(await this.read());
      if ((await this.reserveAtOnce()) || (await this.reserveInOrder())) {
        failpoint("media.mid_claim");
        // A release recorded after this check frees what is claimed; an earlier one may have ended before the reservation.
        if (await this.isReleased()) throw released();
        if (await this.claimReserved()) return true;
      }
      await this.rollBack();
    } while (await this.mayTryAgain());
    return false;
  }

  /** Frees what is reserved, and what was claimed if not all files could be claimed. */
  async rollBack(): Promise<void> {
    const { repository } = this.deps;
    const states = this.hasClaimed ? CLAIM_STATES : (["claiming"] as const);
    const set = repository.asUnused();
    for (const id of inBatches(this.ids)) {
      await repository.files.updateMany({ ...this.ofOperation, id, state: { in: states } }, { set });
    }
  }

  private get ofOperation(): { companyId: number; operationId: number } {
    const { companyId, operationId } = this.claim;
    return { companyId, operationId };
  }

  private async read(): Promise<Map<number, FileRecord>> {
    const found = new Map<number, FileRecord>();
    for (const id of inBatches(this.ids)) {
      for (const record of await this.deps.repository.files.find({ id })) found.set(record.id, record);
    }
    return found;
  }

  private requireAvailable(found: ReadonlyMap<number, FileRecord>): void {
    const violations = this.claim.fileIds.flatMap((id, index): FieldViolation[] => {
      const message = this.violationOf(found.get(id));
      return message === undefined ? [] : [{ field: `file_ids[${index}]`, message }];
    });
    if (violations.length > 0) throw AppError.invalid(violations);
  }

  private violationOf(record: FileRecord | undefined): string | undefined {
    if (record?.companyId !== this.claim.companyId) return UNKNOWN;
    if (record.state === "unused" || record.state === "claiming") return undefined;
    if (record.state !== "claimed") return UNKNOWN;
    return record.operationId === this.claim.operationId ? undefined : USED;
  }

  /** Whether all files are reserved; does not wait, and reserves nothing if it fails. */
  private async reserveAtOnce(): Promise<boolean> {
    const { files } = this.deps.repository;
    const { companyId } = this.claim;
    let reserved = 0;
    for (const id of inBatches(this.ids)) {
      reserved += await files.updateMany({ id, companyId, state: "unused" }, { set: this.reservation() });
    }
    if (reserved === this.ids.length || (await this.count(CLAIM_STATES)) === this.ids.length) return true;
    if (reserved > 0) await this.rollBack();
    return false;
  }

  /**
   * Whether all files are reserved; waits for files reserved by others. False if one is no longer available or the time
   * is up.
   */
  private async reserveInOrder(): Promise<boolean> {
    for (const id of this.ids) {
      while (!(await this.reserveOne(id))) {
        const record = await this.deps.repository.files.get(id);
        if (this.violationOf(record) !== undefined || !(await this.mayTryAgain())) return false;
      }
    }
    return true;
  }

  private async reserveOne(id: number): Promise<boolean> {
    const { files } = this.deps.repository;
    const { companyId, operationId } = this.claim;
    const reserved = await files.update({ id, companyId, state: "unused" }, { set: this.reservation() });
    if (reserved !== undefined) return true;
    const record = await files.get(id);
    return record?.operationId === operationId && (CLAIM_STATES as readonly string[]).includes(record.state);
  }

  private reservation(): Partial<FileRecord> {
    return { state: "claiming", operationId: this.claim.operationId, dueAt: this.deps.now() + RESERVATION_MS };
  }

  /** Whether all files belong to the operation: a reservation that lasted too long may have been freed in the meantime. */
  private async claimReserved(): Promise<boolean> {
    for (const id of inBatches(this.ids)) {
      const set = { state: "claimed", dueAt: null } as const;
      const filter = { ...this.ofOperation, id, state: "claiming" } as const;
      const claimed = await this.deps.repository.files.updateMany(filter, { set });
      this.hasClaimed ||= claimed > 0;
    }
    return (await this.count(["claimed"])) === this.ids.length;
  }

  private async isReleased(): Promise<boolean> {
    const { operationId, companyId } = this.claim;
    return (await this.deps.repository.releases.get(releaseId(operationId, companyId))) !== undefined;
  }

  /** Number of the files that the operation has in one of these states. */
  private async count(states: readonly FileRecord["state"][]): Promise<number> {
    let count = 0;
    for (const id of inBatches(this.ids)) {
      count += await this.deps.repository.files.count({ ...this.ofOperation, id, state: { in: states } });
    }
    return count;
  }

  private async mayTryAgain(): Promise<boolean> {
    if (performance.now() > this.retryUntil) return false;
    this.checks += 1;
    await sleep(pauseAfter(RETRY, this.checks));
    return true;
  }
}

function released(): AppError {
  return new AppError("unavailable", "The operation has been given up. Create it again.", { retryAfterMs: 1000 });
}

const UNKNOWN = "Upload the file first: this is not the id of one of your files.";
const USED = "Upload the file again: another operation uses it already.";

const IDS_PER_CALL = 500;

function inBatches(ids: readonly number[]): { in: number[] }[] {
  const batches: { in: number[] }[] = [];
  for (let from = 0; from < ids.length; from += IDS_PER_CALL)
    batches.push({ in: ids.slice(from, from + IDS_PER_CALL) });
  return batches;
}
