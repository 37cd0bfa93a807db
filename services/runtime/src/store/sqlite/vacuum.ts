import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../errors/app-error.js";
import type { Logger } from "../../log.js";
import { repeat, type Stoppable } from "../../process/repetition.js";
import { freeOn, makingRoom } from "../../storage/disk-reserve.js";
import { checkFile, damaged } from "./inspection.js";
import { isBusy, numberOf, SqliteConnection, toStoreFailure, unavailable } from "./sqlite-connection.js";
import {
  DATABASE_FILE,
  existingDatabase,
  makePrivate,
  openDatabase,
  type SqliteDatabase,
  syncToDisk,
  type Trouble,
} from "./sqlite-database.js";

export interface IncrementalVacuumOptions {
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

/** Gives free pages of the file back to the file system, in short steps, as nothing else runs during one. */
export function startIncrementalVacuum(
  database: SqliteDatabase,
  { everyMs = EVERY_MS, keep, log }: IncrementalVacuumOptions & { log: Logger },
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

/** Free pages that are not kept. */
function surplusOf(database: SqliteDatabase, keep: number | undefined): number {
  const kept = keep ?? Math.max(KEPT_MIN, numberOf(database, "page_count") * KEPT_SHARE);
  return numberOf(database, "freelist_count") - kept;
}

/** Gives back at most so many pages. Resolves with how long everything else waited, in milliseconds. */
async function giveBack(database: SqliteDatabase, pages: number): Promise<number> {
  return database.write((connection) => {
    const begun = performance.now();
    connection.all(`PRAGMA incremental_vacuum(${pages})`);
    return performance.now() - begun;
  });
}

export interface CompactOptions {
  /** Data folder of the store. No server may use it. */
  dataDir: string;
  /** Receives each step before it begins. */
  onStep?: (step: string) => void;
}

/** Sizes of the database file, in bytes. */
export interface Compacted {
  before: number;
  after: number;
}

/** Beside the database while it is written; what a crash leaves of it is removed by the next run. */
const COMPACTED_FILE = `${DATABASE_FILE}.compact`;

const BUSY_MS = 1000;
const QUIET: Trouble = { damaged: () => undefined, diskFailed: () => undefined };

/**
 * Rewrites the database without what was deleted, and puts it in the place of the old file, which is complete until then. AppError `conflict` if a process uses the folder, `not-found` if
 * there is no database, `unavailable` if the disk has no room or the database is damaged.
 */
export async function compactDatabase({ dataDir, onStep = () => undefined }: CompactOptions): Promise<Compacted> {
  const file = await existingDatabase(dataDir);
  const fresh = join(dataDir, COMPACTED_FILE);
  const database = await openDatabase({ dataDir, busyMs: BUSY_MS, alone: true, trouble: QUIET });
  try {
    await rm(fresh, { force: true });
    // With the log in the file, the sizes can be compared.
    database.get("PRAGMA wal_checkpoint(TRUNCATE)");
    const before = await sizeOf(file);
    await mustHaveRoom(database, dataDir);
    onStep("Rewriting the database");
    await write(database, fresh);
    onStep("Checking it");
    const found = checkFile(fresh);
    if (found !== undefined) throw damaged(fresh, found);
    const after = await syncToDisk(fresh);
    await replace(database, { file, fresh, dataDir });
    return { before, after };
  } finally {
    await database.close();
    await rm(fresh, { force: true });
  }
}

/** Throws AppError `unavailable` if the new file may not fit beside the old one. */
async function mustHaveRoom(database: SqliteDatabase, dataDir: string): Promise<void> {
  const needed = bytesInUse(database);
  const free = await freeOn(dataDir);
  if (free >= needed) return;
  const message = `The disk of ${dataDir} has ${free} bytes free, and ${needed} are needed for the new file beside the old one. Make room and try again.`;
  throw new AppError("unavailable", message, { code: "storage_full" });
}

/** Bytes of the file that are not free. */
function bytesInUse(database: SqliteDatabase): number {
  const pages = numberOf(database, "page_count") - numberOf(database, "freelist_count");
  return pages * numberOf(database, "page_size");
}

async function write(database: SqliteDatabase, fresh: string): Promise<void> {
  // Created here, because SQLite would make it readable for other users of the machine.
  await makePrivate(fresh);
  database.read((connection) => connection.exec(`VACUUM INTO '${fresh.replaceAll("'", "''")}'`));
}

/**
 * The old file stays locked until the new one has its name, and has no log any more, which SQLite would otherwise apply to
 * the new file.
 */
async function replace(
  database: SqliteDatabase,
  { file, fresh, dataDir }: { file: string; fresh: string; dataDir: string },
): Promise<void> {
  const [mode] = database.get("PRAGMA journal_mode = DELETE") ?? [];
  if (mode !== "delete") throw new AppError("unavailable", `The log of ${file} cannot be removed.`);
  await rename(fresh, file);
  await syncToDisk(dataDir, "r");
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}

/**
 * Removes what deleted records have left in the files, while others may be using them. SQLite overwrites a record where
 * it stands when it is deleted (`secure_delete`), but neither the copies that stay behind when records move to another
 * page, nor the log. The file is rewritten if at most `rewrittenBytesMax` of it are in use, since nobody can write
 * meanwhile, and if the disk has room for as much in the log. Resolves with a sentence for the operator about what may
 * remain.
 */
export async function purgeDatabase(
  database: SqliteDatabase,
  { dataDir, rewrittenBytesMax }: { dataDir: string; rewrittenBytesMax: number },
): Promise<string | undefined> {
  // What a compaction that was killed has left holds all there was.
  await rm(join(dataDir, COMPACTED_FILE), { force: true });
  const bytes = bytesInUse(database);
  const isRewritten = bytes <= rewrittenBytesMax && bytes <= (await freeOn(dataDir));
  if (isRewritten) await rewrite(join(dataDir, DATABASE_FILE));
  await emptyLog(database);
  if (isRewritten) return undefined;
  return 'Copies of deleted records may remain in unused parts of the database file: stop the servers and run "admin -- compact".';
}

const TRIES_MAX = 100;
const TRY_AGAIN_MS = 50;

async function rewrite(file: string): Promise<void> {
  const connection = new SqliteConnection(file, 0);
  try {
    // SQLite would write its temporary copy of everything to a file outside the data folder.
    connection.exec("PRAGMA temp_store = MEMORY");
    for (let tries = 1; ; tries++) {
      try {
        connection.exec("VACUUM");
        return;
      } catch (error) {
        if (!isBusy(error) || tries === TRIES_MAX) throw toStoreFailure(error);
      }
      await sleep(TRY_AGAIN_MS);
    }
  } finally {
    connection.close();
  }
}

/** Moves the log into the file and truncates it; waits for readers of other processes, for some seconds. */
async function emptyLog(database: SqliteDatabase): Promise<void> {
  for (let tries = 1; ; tries++) {
    const [busy] = database.get("PRAGMA wal_checkpoint(TRUNCATE)") ?? [];
    if (busy === 0) return;
    if (tries === TRIES_MAX) break;
    await sleep(TRY_AGAIN_MS);
  }
  throw unavailable(new Error("The log of the database cannot be emptied: another process reads it for long."));
}
