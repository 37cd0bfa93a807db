import { randomUUID } from "node:crypto";
import type { Erasure } from "@hourglass/proto/insight/v1/insight_service";
import { AppError, type DueClaim, failpoint, type Logger, pauseAfter, type RetryPolicy } from "@hourglass/runtime";
import type { InsightCalls } from "./insight.js";
import { type Erased, holdsErased } from "./render/erased.js";
import { rewriteExport, startExportThread } from "./render/render.js";
import type { RenderThread } from "./render/render-thread.js";
import type { ExportingCompany, ExportRecord, ExportRepository, FailedRevision, FollowedErasures } from "./store.js";

export interface ErasureDeps {
  repository: ExportRepository;
  insight: InsightCalls;
  log: Logger;
  now: () => number;
  /**
   * Interval between two checks for erasures of a company, and pause before the first further attempt at a revision, in
   * milliseconds.
   */
  everyMs: number;
}

/**
 * Removes what Insight has erased from the exports of a company. Insight lists an erasure once its postings are gone there,
 * so exports that begin later cannot have them. The finished ones are revised at once; those that were running may have
 * read the postings before, so they are revised once they are done. An export that cannot be revised delays no other one and
 * is tried again after growing pauses. Once none is left, Insight may forget the erasure.
 */
export class ErasureFollower {
  constructor(private readonly deps: ErasureDeps) {}

  /** Rejects between two exports once `stopping` aborts. */
  async follow(claim: DueClaim<ExportingCompany>, stopping: AbortSignal): Promise<void> {
    const { insight, now, everyMs } = this.deps;
    const { id, followed } = claim.record;
    const listed = await insight.listErasures(id);
    const known = new Set(followed.flatMap(({ erasures }) => erasures));
    const fresh = listed.filter((erasure) => !known.has(Number(erasure.id)));
    const reviser = new Reviser(this.deps, claim.signal, stopping);
    try {
      const added = fresh.length === 0 ? [] : [await this.begin(id, fresh, reviser)];
      const left = await this.end(id, { listed, followed: [...followed, ...added] }, reviser);
      const failing = left.reduce((sum, { failed }) => sum + failed.length, 0);
      await claim.update({ followed: left, failing, dueAt: now() + everyMs });
    } finally {
      await reviser.close();
    }
  }

  /** Revises the finished exports, and records the running ones, which are read first so that none is missed. */
  private async begin(companyId: number, fresh: readonly Erasure[], reviser: Reviser): Promise<FollowedErasures> {
    const { exports } = this.deps.repository.collections;
    const running = await exports.find({ companyId, status: "running" });
    const runs = running.map(({ id, runs: run }) => ({ exportId: id, run }));
    const erased = fresh.map(toErased);
    const failed: FailedRevision[] = [];
    for await (const { id } of exports.stream({ companyId, status: "done" })) {
      failed.push(...(await reviser.revise(id, erased)));
    }
    return { erasures: fresh.map(({ id }) => Number(id)), runs, failed };
  }

  /** Ends the erasures whose runs have all ended and whose exports are all revised, and returns the others. */
  private async end(
    companyId: number,
    { listed, followed }: { listed: readonly Erasure[]; followed: readonly FollowedErasures[] },
    reviser: Reviser,
  ): Promise<FollowedErasures[]> {
    const left: FollowedErasures[] = [];
    for (const { erasures, runs, failed: before } of followed) {
      const erased = listed.filter(({ id }) => erasures.includes(Number(id))).map(toErased);
      const unfinished: FollowedErasures["runs"] = [];
      const failed: FailedRevision[] = [];
      for (const { exportId, run } of runs) {
        const record = await this.deps.repository.collections.exports.get(exportId);
        if (record?.status === "running" && record.runs === run) unfinished.push({ exportId, run });
        else if (erased.length > 0) failed.push(...(await reviser.revise(exportId, erased)));
      }
      for (const failure of before) failed.push(...(await reviser.retry(failure, erased)));
      if (unfinished.length > 0 || failed.length > 0) left.push({ erasures, runs: unfinished, failed });
      else {
        failpoint("export.after_followed");
        await this.deps.insight.endErasures(companyId, erasures);
      }
    }
    return left;
  }
}

function toErased({ platform, socialId, authorId }: Erasure): Erased {
  return socialId === ""
    ? { platform, by: "author_id", value: authorId }
    : { platform, by: "social_id", value: socialId };
}

/** When an export that could not be revised is revised again. From `attemptsMax` failures on, a person should look. */
const RETRY = { maxMs: 60 * 60_000, jitter: 0, attemptsMax: 5 } as const satisfies Partial<RetryPolicy>;

/** Revises one export after another, with one thread that is started for the first of them. */
class Reviser {
  private thread: RenderThread | undefined;

  constructor(
    private readonly deps: ErasureDeps,
    /** Ends the revision of an export. */
    private readonly signal: AbortSignal,
    /** Ends the revisions after that of the current export. */
    private readonly stopping: AbortSignal,
  ) {}

  /** Empty, unless the export could not be revised. Rejects once no more may be revised. */
  async revise(exportId: number, erased: readonly Erased[], attempts = 0): Promise<FailedRevision[]> {
    this.stopping.throwIfAborted();
    try {
      await this.removeErased(exportId, erased);
      return [];
    } catch (error) {
      await this.close(); // the thread may be what has failed
      this.signal.throwIfAborted();
      return [this.failed(exportId, attempts + 1, error)];
    }
  }

  /** Revises an export that failed before, if it is due. Empty, unless it was not due or failed. */
  async retry(failure: FailedRevision, erased: readonly Erased[]): Promise<FailedRevision[]> {
    if (failure.dueAt > this.deps.now()) return [failure];
    return this.revise(failure.exportId, erased, failure.attempts);
  }

  async close(): Promise<void> {
    await this.thread?.close();
    this.thread = undefined;
  }

  /**
   * Removes erased postings from a finished export, if it has any: renders all files again beside the present ones, and
   * replaces those in one commit. A crash leaves either the old or the new files; a later call does the rest.
   */
  private async removeErased(exportId: number, erased: readonly Erased[]): Promise<void> {
    const { repository, log } = this.deps;
    const { exports } = repository.collections;
    for (;;) {
      const record = await exports.get(exportId);
      if (record?.status !== "done" || record.fileSet === null) return;
      const { fileSet } = record;
      try {
        if (!(await holdsErased(this.readLines(fileSet), erased))) return;
        if (!(await this.rewrite(record, fileSet, erased))) continue;
        log.info({ exportId }, "erased postings were removed from an export");
        return;
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
        if ((await exports.get(exportId))?.fileSet !== fileSet) continue;
        log.error({ exportId }, "the files of an export are lost");
        return;
      }
    }
  }

  /** False if the export was deleted or got other files meanwhile. */
  private async rewrite(record: ExportRecord, oldSet: string, erased: readonly Erased[]): Promise<boolean> {
    const { repository } = this.deps;
    const { id: exportId, companyId } = record;
    const newSet = await repository.beginFiles({ id: randomUUID(), exportId, companyId });
    let isReplaced = false;
    try {
      const lines = repository.keepingFiles(newSet, this.readLines(oldSet));
      const thread = (this.thread ??= startExportThread());
      const rendered = await rewriteExport(lines, erased, newSet.sinks, { thread });
      failpoint("export.before_revision");
      isReplaced = await repository.replaceFiles(record, newSet, rendered);
      failpoint("export.after_revision");
    } finally {
      await repository.removeFiles(isReplaced ? oldSet : newSet.id).catch(() => undefined); // the sweeper tries again
    }
    return isReplaced;
  }

  /** The lines of an export, as long as the claim of the company is held. */
  private async *readLines(fileSet: string): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.deps.repository.read(fileSet, "ndjson")) {
      this.signal.throwIfAborted();
      yield chunk;
    }
  }

  private failed(exportId: number, attempts: number, error: unknown): FailedRevision {
    const { everyMs, log, now } = this.deps;
    const pauseMs = pauseAfter({ ...RETRY, firstMs: everyMs }, attempts);
    const details = { err: error, exportId, attempts, pauseMs };
    const message = "erased postings could not be removed from an export, trying again";
    if (attempts < RETRY.attemptsMax) log.warn(details, message);
    else log.error(details, message);
    return { exportId, attempts, dueAt: now() + pauseMs };
  }
}
