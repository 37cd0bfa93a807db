import {
  type DueClaim,
  type Logger,
  makingRoom,
  type Measurements,
  repeat,
  startSchedule,
  type Stoppable,
} from "@hourglass/runtime";
import { type ErasureDeps, ErasureFollower } from "./erasures.js";
import { CHECK_SET_MS, type ExportRecord, type ExportRepository, type FileSet } from "./store.js";

export interface SweepDeps extends ErasureDeps {
  repository: ExportRepository;
  log: Logger;
  metrics: Measurements;
  leaseMs: number;
  /** Interval between checks for what is due, in milliseconds. */
  checkMs: number;
}

const KEYS_EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Removes expired exports and abandoned files, and follows erasures. Any number of processes may do so. */
export class ExportSweeper {
  constructor(private readonly deps: SweepDeps) {}

  start(): Stoppable {
    const { repository, log, now, leaseMs, checkMs } = this.deps;
    this.addGauge();
    const shared = { everyMs: checkMs, leaseMs, now, log, concurrency: 2, deletes: true };
    const { exports, fileSets, companies, deletedKeys } = repository.collections;
    const failures = {
      exports: "expired exports could not be removed",
      files: "abandoned files of exports could not be removed",
      erasures: "exports could not follow erasures",
    };
    const follower = new ErasureFollower(this.deps);
    const parts: Stoppable[] = [
      startSchedule({ ...shared, records: exports, failure: failures.exports }, (claim) => this.removeExpired(claim)),
      startSchedule({ ...shared, records: fileSets, failure: failures.files }, (claim) => this.checkFiles(claim)),
      startSchedule({ ...shared, records: companies, failure: failures.erasures }, (claim) => follower.follow(claim)),
      repeat(async () => {
        await makingRoom(() => deletedKeys.delete({ dueAt: { lte: now() } })).catch((error: unknown) => {
          log.warn({ err: error }, "keys of deleted exports could not be removed, trying again");
        });
        return KEYS_EVERY_MS;
      }),
    ];
    return { stop: async (graceMs) => void (await Promise.all(parts.map((part) => part.stop(graceMs)))) };
  }

  /** An export that is still unfinished gets another day. */
  private async removeExpired(claim: DueClaim<ExportRecord>): Promise<void> {
    const { repository, now } = this.deps;
    const { record } = claim;
    if (record.status === "done" || record.status === "failed" || record.status === "invalid") {
      await repository.remove(record);
    } else {
      await claim.reschedule(now() + DAY_MS);
    }
  }

  /** Files that an export has are kept, and so are those that its worker is writing; others are removed. */
  private async checkFiles(claim: DueClaim<FileSet>): Promise<void> {
    const { repository, now } = this.deps;
    const { id, exportId } = claim.record;
    const record = await repository.collections.exports.get(exportId);
    if (record?.fileSet === id) await claim.reschedule(null);
    else if (record?.status === "running" && record.leaseToken === id) await claim.reschedule(now() + CHECK_SET_MS);
    else await repository.removeFiles(id);
  }

  /** Reports at every scrape how many exports still hold erased postings because they could not be revised. */
  private addGauge(): void {
    const { metrics, repository } = this.deps;
    metrics.gauge(
      "hourglass_export_revisions_failing",
      "Exports from which erased postings could not be removed yet",
      async () => {
        let sum = 0;
        const failing = repository.collections.companies.stream({ failing: { gte: 1 } });
        for await (const { failing: count = 0 } of failing) sum += count;
        return sum;
      },
    );
  }
}
