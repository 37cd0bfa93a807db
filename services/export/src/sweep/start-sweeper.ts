import { type DueWork, type Logger, makingRoom, repeat, startSchedule, type Stoppable } from "@hourglass/runtime";
import { type DeleteExportDeps, removeExport } from "../read/delete-export.js";
import type { ExportRecord, FileSet } from "../records/export.js";
import { CHECK_SET_MS, removeFileSet } from "../records/file-sets.js";
import { followErasures, type FollowDeps } from "./follow-erasures.js";

export type SweeperDeps = FollowDeps &
  DeleteExportDeps & {
    log: Logger;
    leaseMs: number;
    /** Interval between checks for what is due. */
    checkMs: number;
  };

const KEYS_EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Removes expired exports and abandoned files, and follows erasures. Any number of processes may do so. */
export function startExportSweeper(deps: SweeperDeps): Stoppable {
  const { collections, log, now, leaseMs, checkMs } = deps;
  const shared = { everyMs: checkMs, leaseMs, now, log, concurrency: 2 };
  const { exports, fileSets, companies, deletedKeys } = collections;
  const failures = {
    exports: "expired exports could not be removed",
    files: "abandoned files of exports could not be removed",
    erasures: "exports could not follow erasures",
  };
  const parts = makingRoom((): Stoppable[] => [
    startSchedule({ ...shared, records: exports, failure: failures.exports }, removeExpired(deps)),
    startSchedule({ ...shared, records: fileSets, failure: failures.files }, settleFileSet(deps)),
    startSchedule({ ...shared, records: companies, failure: failures.erasures }, followErasures(deps)),
    repeat(async () => {
      await deletedKeys.delete({ dueAt: { lte: now() } }).catch((error: unknown) => {
        log.warn({ err: error }, "keys of deleted exports could not be removed, trying again");
      });
      return KEYS_EVERY_MS;
    }),
  ]);
  return { stop: async (graceMs) => void (await Promise.all(parts.map((part) => part.stop(graceMs)))) };
}

/** An export that is still unfinished gets another day. */
function removeExpired(deps: SweeperDeps): DueWork<ExportRecord> {
  return async (claim) => {
    const { record } = claim;
    if (record.status === "done" || record.status === "failed" || record.status === "invalid") {
      await removeExport(deps, record);
    } else {
      await claim.reschedule(deps.now() + DAY_MS);
    }
  };
}

/** Files that an export has are kept, and so are those that its worker is writing; others are removed. */
function settleFileSet(deps: SweeperDeps): DueWork<FileSet> {
  return async (claim) => {
    const { id, exportId } = claim.record;
    const record = await deps.collections.exports.get(exportId);
    if (record?.fileSet === id) await claim.reschedule(null);
    else if (record?.status === "running" && record.leaseToken === id) {
      await claim.reschedule(deps.now() + CHECK_SET_MS);
    } else await removeFileSet(deps, id);
  };
}
