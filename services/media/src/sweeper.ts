import { type Logger, repeat, type Stoppable } from "@hourglass/runtime";
import type { Releases } from "./collections.js";
import type { FileRecord } from "./file-record.js";
import { REMOVE_AGAIN_MS, removeFile, type RemovalDeps } from "./remove-file.js";

export interface SweeperDeps extends RemovalDeps {
  releases: Releases;
  unusedMs: number;
  log: Logger;
}

const PAUSE_MS = 60_000;
const BATCH_MAX = 100;

/**
 * Deletes files that no operation has used in time, and what crashes left of uploads, claims and deletions. Several may run
 * at a time: each step has a condition that only one of them, or of those who use the file, can meet.
 */
export function startSweeper(deps: SweeperDeps): Stoppable {
  return repeat(async () => {
    try {
      while ((await sweep(deps)) === BATCH_MAX);
      await deps.releases.delete({ dueAt: { lte: deps.now() } });
    } catch (error) {
      deps.log.warn({ err: error }, "old files could not be removed, which is tried again in a minute");
    }
    return PAUSE_MS;
  });
}

/** Looks at those that are due, and returns how many they were. */
async function sweep(deps: SweeperDeps): Promise<number> {
  const { files, now } = deps;
  const due = await files.find({ dueAt: { lte: now() } }, { sort: [["dueAt", 1]], limit: BATCH_MAX });
  for (const record of due) await settle(deps, record);
  return due.length;
}

/** A record that was changed since it was read is left as it is. */
async function settle(deps: SweeperDeps, { id, state, dueAt }: FileRecord): Promise<void> {
  const { files, now, unusedMs } = deps;
  const unchanged = { id, state, dueAt };
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
}
