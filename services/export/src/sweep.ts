import {
  type AnyDueKind,
  choreKind,
  DueJobs,
  dueKind,
  hasEnded,
  type Measurements,
  type Queue,
} from "@hourglass/runtime";
import { type ErasureDeps, ErasureFollower } from "./erasures.js";
import { CHECK_SET_MS, type FileSet, fileSetOf } from "./store.js";

export interface SweepDeps extends ErasureDeps {
  queue: Queue;
  metrics: Measurements;
  /** How long a claim lasts, in milliseconds. */
  leaseMs: number;
  /** Interval between looks for what is due, in milliseconds. */
  checkMs: number;
}

/** Records in work at a time in one process. */
const PLACES = 4;
/** Exports that one step of the chore removes. */
const EXPIRED_BATCH_MAX = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The kinds of work that follows erasures, and that removes abandoned files. */
export const EXPORTING_COMPANY = "exporting-company";
export const FILE_SET_KIND = "file-set";

/** Removes expired exports and abandoned files, and follows erasures. */
export function createSweeps(deps: SweepDeps): DueJobs {
  const { queue, log, metrics, checkMs, now } = deps;
  const kinds = [fileSetKind(deps), companyKind(deps), chores(deps)];
  return new DueJobs({ name: "export.sweep", queue, kinds, places: PLACES, checkMs, log, metrics, now });
}

/** Files that an export has are kept, and so are those that its worker is writing; others are removed. */
function fileSetKind({ repository, leaseMs, now }: SweepDeps): AnyDueKind {
  const { exports, fileSets } = repository.collections;
  return dueKind<FileSet>({
    name: FILE_SET_KIND,
    records: fileSets,
    leaseMs,
    deletes: true,
    failure: "abandoned files of exports could not be removed",
    ownerOf: ({ companyId }) => companyId,
    work: async (claim) => {
      const { id, exportId } = claim.record;
      const record = await exports.get(exportId);
      if (record?.fileSet === id) await claim.reschedule(null);
      else if (record?.status === "running" && fileSetOf(record) === id) await claim.reschedule(now() + CHECK_SET_MS);
      else await repository.removeFiles(id);
    },
  });
}

function companyKind(deps: SweepDeps): AnyDueKind {
  const follower = new ErasureFollower(deps);
  return dueKind({
    name: EXPORTING_COMPANY,
    records: deps.repository.collections.companies,
    leaseMs: deps.leaseMs,
    deletes: true,
    failure: "exports could not follow erasures",
    ownerOf: ({ id }) => id,
    work: (claim, stopping) => follower.follow(claim, stopping),
  });
}

function chores({ repository, now }: SweepDeps): AnyDueKind {
  const { exports, deletedKeys, chores: records } = repository.collections;
  /** An export that is still unfinished gets another day. */
  const removeExpired = async (stopping: AbortSignal): Promise<boolean> => {
    const expired = await exports.find(
      { expiresAt: { lte: now() } },
      { sort: [["expiresAt", 1]], limit: EXPIRED_BATCH_MAX },
    );
    for (const record of expired) {
      if (stopping.aborted) return true;
      const { id, status, expiresAt } = record;
      if (hasEnded(status)) await repository.remove(record);
      else await exports.update({ id, expiresAt }, { set: { expiresAt: now() + DAY_MS } });
    }
    return expired.length === EXPIRED_BATCH_MAX;
  };
  const removeKeys = async () => {
    await deletedKeys.delete({ dueAt: { lte: now() } });
    return false;
  };
  const all = [
    { name: "expired-exports", everyMs: MINUTE_MS, work: removeExpired },
    { name: "deleted-keys", everyMs: HOUR_MS, work: removeKeys },
  ];
  return choreKind(records, all, { now });
}
