import { setTimeout as sleep } from "node:timers/promises";
import { AppError, failpoint, type FieldViolation } from "@hourglass/runtime";
import { type Files, releaseIds, type Releases } from "../records/collections.js";
import { type FileRecord, HELD } from "../records/file-record.js";

export interface ClaimFilesDeps {
  files: Files;
  releases: Releases;
  now: () => number;
  /** A file that no operation uses is deleted after this time, in milliseconds. */
  unusedMs: number;
}

export interface Claim {
  companyId: number;
  operationId: number;
  /** Without duplicates. */
  fileIds: readonly number[];
}

/**
 * Assigns all files to the operation or none: AppError `invalid` names each that is unknown or used. If several claims
 * compete for a file, exactly one gets it. Claiming again for the same operation succeeds until its claims are
 * released.
 */
export type ClaimFiles = (claim: Claim) => Promise<void>;

/** A claim still blocked by holds of other operations after this time fails with a retryable error. In milliseconds. */
const DECIDED_WITHIN_MS = 5000;
/** A hold older than this belongs to a process that died. In milliseconds. */
const HOLD_MS = 60_000;
/** Pause between checks of a file held by another claim, in milliseconds; doubles, as most claims take few writes. */
const PAUSE_MS = { first: 1, max: 50 };

/**
 * Works in two steps: all files are held first and only then taken, so that no caller is told that a file is used
 * because of a claim that fails in the end. A claim that finds a file held by another waits for the outcome.
 */
export function createClaimFiles(deps: ClaimFilesDeps): ClaimFiles {
  return async (claim) => {
    const attempt = new Attempt(deps, claim);
    try {
      if (await attempt.decide()) return;
    } catch (error) {
      await attempt.giveBack().catch(() => undefined); // the sweeper releases what is still held
      throw error;
    }
    throw new AppError("unavailable", "Other requests are deciding about these files. Try again later.", {
      retryAfterMs: 1000,
    });
  };
}

class Attempt {
  private readonly giveUpAt = performance.now() + DECIDED_WITHIN_MS;
  /** Ascending: a claim that waits for a file holds only smaller ids, so two claims never wait for each other. */
  private readonly ids: readonly number[];
  private tookSome = false;
  private pauseMs = PAUSE_MS.first;

  constructor(
    private readonly deps: ClaimFilesDeps,
    private readonly claim: Claim,
  ) {
    this.ids = [...claim.fileIds].sort((a, b) => a - b);
  }

  /** True: the files belong to the operation. False: the claim could not be decided in time, and nothing is held. */
  async decide(): Promise<boolean> {
    do {
      this.refuse(await this.read());
      if ((await this.holdAtOnce()) || (await this.holdInOrder())) {
        failpoint("media.mid_claim");
        // A release recorded after this check frees what is taken; an earlier one may have ended before the hold.
        if (await this.isReleased()) throw released();
        if (await this.take()) return true;
      }
      await this.giveBack();
    } while (await this.mayTryAgain());
    return false;
  }

  /** Releases what is held, and what was taken if not all files could be taken. */
  async giveBack(): Promise<void> {
    const { files, now, unusedMs } = this.deps;
    const states = this.tookSome ? HELD : (["claiming"] as const);
    const set = { state: "unused", operationId: null, dueAt: now() + unusedMs } as const;
    for (const id of inBatches(this.ids)) await files.updateMany({ ...this.mine, id, state: { in: states } }, { set });
  }

  private get mine(): { companyId: number; operationId: number } {
    const { companyId, operationId } = this.claim;
    return { companyId, operationId };
  }

  private async read(): Promise<Map<number, FileRecord>> {
    const found = new Map<number, FileRecord>();
    for (const id of inBatches(this.ids)) {
      for (const record of await this.deps.files.find({ id })) found.set(record.id, record);
    }
    return found;
  }

  private refuse(found: ReadonlyMap<number, FileRecord>): void {
    const violations = this.claim.fileIds.flatMap((id, index): FieldViolation[] => {
      const message = this.objectionTo(found.get(id));
      return message === undefined ? [] : [{ field: `file_ids[${index}]`, message }];
    });
    if (violations.length > 0) throw AppError.invalid(violations);
  }

  private objectionTo(record: FileRecord | undefined): string | undefined {
    if (record?.companyId !== this.claim.companyId) return UNKNOWN;
    if (record.state === "unused" || record.state === "claiming") return undefined;
    if (record.state !== "claimed") return UNKNOWN;
    return record.operationId === this.claim.operationId ? undefined : USED;
  }

  /** Whether all files are held; does not wait, and holds nothing if it fails. */
  private async holdAtOnce(): Promise<boolean> {
    const { files } = this.deps;
    let held = 0;
    for (const id of inBatches(this.ids)) {
      held += await files.updateMany({ id, companyId: this.claim.companyId, state: "unused" }, { set: this.hold() });
    }
    if (held === this.ids.length || (await this.countHeld(HELD)) === this.ids.length) return true;
    if (held > 0) await this.giveBack();
    return false;
  }

  /**
   * Whether all files are held; waits for files held by others. False if one is no longer available or the time is up.
   */
  private async holdInOrder(): Promise<boolean> {
    for (const id of this.ids) {
      while (!(await this.holdOne(id))) {
        const record = await this.deps.files.get(id);
        if (this.objectionTo(record) !== undefined || !(await this.mayTryAgain())) return false;
      }
    }
    return true;
  }

  private async holdOne(id: number): Promise<boolean> {
    const { files } = this.deps;
    const { companyId } = this.claim;
    if ((await files.update({ id, companyId, state: "unused" }, { set: this.hold() })) !== undefined) return true;
    const record = await files.get(id);
    return record?.operationId === this.claim.operationId && (HELD as readonly string[]).includes(record.state);
  }

  private hold(): Partial<FileRecord> {
    return { state: "claiming", operationId: this.claim.operationId, dueAt: this.deps.now() + HOLD_MS };
  }

  /** Whether all files belong to the operation: one that was held for too long may have been freed in the meantime. */
  private async take(): Promise<boolean> {
    for (const id of inBatches(this.ids)) {
      const set = { state: "claimed", dueAt: null } as const;
      const taken = await this.deps.files.updateMany({ ...this.mine, id, state: "claiming" }, { set });
      this.tookSome ||= taken > 0;
    }
    return (await this.countHeld(["claimed"])) === this.ids.length;
  }

  private async isReleased(): Promise<boolean> {
    const { operationId, companyId } = this.claim;
    const { ofCompany, ofAny } = releaseIds(operationId, companyId);
    return (await this.deps.releases.count({ id: { in: [ofCompany, ofAny] } })) > 0;
  }

  private async countHeld(states: readonly FileRecord["state"][]): Promise<number> {
    let count = 0;
    for (const id of inBatches(this.ids)) {
      count += await this.deps.files.count({ ...this.mine, id, state: { in: states } });
    }
    return count;
  }

  private async mayTryAgain(): Promise<boolean> {
    if (performance.now() > this.giveUpAt) return false;
    await sleep(this.pauseMs * (0.5 + Math.random()));
    this.pauseMs = Math.min(2 * this.pauseMs, PAUSE_MS.max);
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
