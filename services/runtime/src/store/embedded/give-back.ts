import { performance } from "node:perf_hooks";
import type { Logger } from "../../log.js";
import { makingRoom } from "../../storage/disk-reserve.js";
import { repeat, type Stoppable } from "../../process/repetition.js";
import type { EmbeddedDatabase } from "./database.js";
import { numberOf } from "./file/pragma.js";

export interface GiveBackOptions {
  /** Pause between two looks for free pages, in milliseconds. Default: a minute. */
  everyMs?: number;
  /** Free pages that are kept for new records. Default: 1024, which is 4 MiB, and a tenth of the file. */
  keep?: number;
}

const EVERY_MS = 60_000;
const KEPT_MIN = 1024;
const KEPT_SHARE = 0.1;
/** A step that took longer, in milliseconds, is followed by smaller ones: nothing else runs during a step. */
const STEP_MS = 20;
const STEP_PAGES = { min: 8, first: 64, max: 256 };
/** After a step it rests for so many times as long. */
const REST = 9;

/** Gives free pages of the file back to the file system, in steps that keep nobody waiting. Files of older releases stay as they are. */
export function startGivingBack(
  database: EmbeddedDatabase,
  { everyMs = EVERY_MS, keep, log }: GiveBackOptions & { log: Logger },
): Stoppable {
  let pages = STEP_PAGES.first;
  const work = async () => {
    try {
      const surplus = Math.floor(surplusOf(database, keep));
      if (surplus <= 0) return everyMs;
      const blockedMs = await giveBack(database, Math.min(pages, surplus));
      pages = blockedMs > STEP_MS ? Math.max(STEP_PAGES.min, pages >> 1) : Math.min(STEP_PAGES.max, pages * 2);
      return Math.min(everyMs, Math.ceil(blockedMs * REST));
    } catch (error) {
      log.warn({ err: error }, "free space of the database could not be given back, trying again");
      return everyMs;
    }
  };
  // Short commands have ended by then.
  return repeat(() => makingRoom(work), { firstMs: everyMs });
}

/** Free pages that are not kept; 0 if the file cannot give any back. */
function surplusOf(database: EmbeddedDatabase, keep: number | undefined): number {
  const isIncremental = numberOf(database, "auto_vacuum") === 2;
  if (!isIncremental) return 0;
  const kept = keep ?? Math.max(KEPT_MIN, numberOf(database, "page_count") * KEPT_SHARE);
  return numberOf(database, "freelist_count") - kept;
}

/** Gives back at most so many pages. Resolves with how long everything else waited, in milliseconds. */
async function giveBack(database: EmbeddedDatabase, pages: number): Promise<number> {
  return database.write((connection) => {
    const begun = performance.now();
    connection.all(`PRAGMA incremental_vacuum(${pages})`);
    return performance.now() - begun;
  });
}
