import {
  choreKind,
  type DueClaim,
  DueJobs,
  dueKind,
  type Logger,
  type Measurements,
  type Queue,
} from "@hourglass/runtime";
import { type FileRecord, type FileRepository, REMOVE_AGAIN_MS } from "./store.js";

export interface SweepDeps {
  repository: FileRepository;
  queue: Queue;
  log: Logger;
  metrics: Measurements;
  now: () => number;
  /** Interval between looks for what is due, in milliseconds. */
  checkMs?: number | undefined;
}

/** The kind of work on files. */
export const FILE_KIND = "file";
/** Records in work at a time in one process. */
const PLACES = 2;
const RELEASES_EVERY_MS = 60_000;

/**
 * Deletes files that no operation has used in time, and what crashes left of uploads, claims and deletions. Each step is a
 * conditional update that only one worker, or one of the users of the file, can win.
 */
export function createSweeps(deps: SweepDeps): DueJobs {
  const { repository, now, ...options } = deps;
  const { files, releases, chores } = repository;
  const fileKind = dueKind<FileRecord>({
    name: FILE_KIND,
    records: files,
    leaseMs: REMOVE_AGAIN_MS,
    deletes: true,
    failure: "old files could not be removed",
    ownerOf: ({ companyId }) => companyId,
    work: (claim) => sweepFile(repository, claim),
  });
  const removeReleases = async () => {
    await releases.delete({ dueAt: { lte: now() } });
    return false;
  };
  const releaseChore = { name: "file-releases", everyMs: RELEASES_EVERY_MS, work: removeReleases };
  const kinds = [fileKind, choreKind(chores, [releaseChore], { now })];
  return new DueJobs({ ...options, now, name: "media.sweep", kinds, places: PLACES });
}

/** Performs the next step for a file that is due. A file that was changed in the meantime is left as it is. */
async function sweepFile(repository: FileRepository, claim: DueClaim<FileRecord>): Promise<void> {
  const { files } = repository;
  const { state } = claim.record;
  const change = (set: Partial<FileRecord>) => claim.write((fence) => files.update({ ...fence, state }, { set }));
  if (state === "gone") await claim.write((fence) => files.delete({ ...fence, state }));
  else if (state === "claiming") await change(repository.asUnused());
  else {
    // The claim stays, so that the removal is repeated if it fails.
    const record = await change({ state: "deleting" });
    if (record !== undefined) await repository.remove(record);
  }
}
