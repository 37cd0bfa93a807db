import {
  type DueWork,
  type Logger,
  makingRoom,
  repeat,
  type Repetition,
  startSchedule,
  type Stoppable,
} from "@hourglass/runtime";
import type { Releases } from "./records/collections.js";
import type { FileRecord } from "./records/file-record.js";
import { REMOVE_AGAIN_MS, removeFile, type RemovalDeps } from "./files/remove-file.js";

export interface SweeperDeps extends RemovalDeps {
  releases: Releases;
  unusedMs: number;
  log: Logger;
}

const SCHEDULE = { everyMs: 60_000, concurrency: 1, failure: "old files could not be removed" };

/**
 * Deletes files that no operation has used in time, and what crashes left of uploads, claims and deletions. Several
 * sweepers may run at once: each step is a conditional update that only one of them, or of the users of the file, can
 * win.
 */
export function startSweeper(deps: SweeperDeps): Stoppable {
  const { files, releases, now, log } = deps;
  const parts = makingRoom((): Repetition[] => [
    startSchedule({ ...SCHEDULE, records: files, leaseMs: REMOVE_AGAIN_MS, now, log }, settle(deps)),
    // Needs no claim: deleting an expired note twice has no effect.
    repeat(async () => {
      await releases.delete({ dueAt: { lte: now() } }).catch((error: unknown) => {
        log.warn({ err: error }, "old notes of releases could not be removed, trying again");
      });
      return SCHEDULE.everyMs;
    }),
  ]);
  return { stop: async (graceMs) => void (await Promise.all(parts.map((part) => part.stop(graceMs)))) };
}

/** Performs the next step for a file that is due. A file that was changed in the meantime is left as it is. */
function settle(deps: SweeperDeps): DueWork<FileRecord> {
  const { files, now, unusedMs } = deps;
  return async ({ record: { state }, fence }) => {
    const unchanged = { ...fence, state };
    if (state === "gone") {
      await files.delete(unchanged);
    } else if (state === "claiming") {
      const set = { state: "unused", operationId: null, dueAt: now() + unusedMs } as const;
      await files.update(unchanged, { set });
    } else {
      const set = { state: "deleting", dueAt: now() + REMOVE_AGAIN_MS } as const;
      const mine = await files.update(unchanged, { set });
      if (mine !== undefined) await removeFile(deps, mine);
    }
  };
}
