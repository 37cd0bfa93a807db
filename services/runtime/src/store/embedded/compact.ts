import { access, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freeOn } from "../../storage/disk-reserve.js";
import { AppError } from "../../errors/app-error.js";
import { DATABASE_FILE, type EmbeddedDatabase, makePrivate, openDatabase, type Trouble } from "./database.js";
import { checkFile } from "./file/check-file.js";
import { Connection } from "./file/connection.js";
import { damaged } from "./file/damage.js";
import { isBusy, toStoreFailure, unavailable } from "./file/failures.js";
import { numberOf } from "./file/pragma.js";

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
 * Rewrites the database without what was deleted, in the form that gives free space back by itself, and puts it in the
 * place of the old file, which is complete until then. AppError `conflict` if a process uses the folder, `not-found` if
 * there is no database, `unavailable` if the disk has no room or the database is damaged.
 */
export async function compactEmbeddedDatabase({
  dataDir,
  onStep = () => undefined,
}: CompactOptions): Promise<Compacted> {
  const file = join(dataDir, DATABASE_FILE);
  const fresh = join(dataDir, COMPACTED_FILE);
  await access(file).catch(() => {
    throw new AppError("not-found", `There is no database in ${dataDir}: set DATA_DIR to the folder of the server.`);
  });
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
    const after = await sync(fresh);
    await replace(database, { file, fresh, dataDir });
    return { before, after };
  } finally {
    await database.close();
    await rm(fresh, { force: true });
  }
}

/** Throws AppError `unavailable` if the new file may not fit beside the old one. */
async function mustHaveRoom(database: EmbeddedDatabase, dataDir: string): Promise<void> {
  const needed = bytesInUse(database);
  const free = await freeOn(dataDir);
  if (free >= needed) return;
  const message = `The disk of ${dataDir} has ${free} bytes free, and ${needed} are needed for the new file beside the old one. Make room and try again.`;
  throw new AppError("unavailable", message, { code: "storage_full" });
}

/** Bytes of the file that are not free. */
function bytesInUse(database: EmbeddedDatabase): number {
  const pages = numberOf(database, "page_count") - numberOf(database, "freelist_count");
  return pages * numberOf(database, "page_size");
}

async function write(database: EmbeddedDatabase, fresh: string): Promise<void> {
  // Created here, because SQLite would make it readable for other users of the machine.
  await makePrivate(fresh);
  database.read((connection) => {
    connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec(`VACUUM INTO '${fresh.replaceAll("'", "''")}'`);
  });
}

/**
 * The old file stays locked until the new one has its name, and has no log any more, which SQLite would otherwise apply to
 * the new file.
 */
async function replace(
  database: EmbeddedDatabase,
  { file, fresh, dataDir }: { file: string; fresh: string; dataDir: string },
): Promise<void> {
  const [mode] = database.get("PRAGMA journal_mode = DELETE") ?? [];
  if (mode !== "delete") throw new AppError("unavailable", `The log of ${file} cannot be removed.`);
  await rename(fresh, file);
  await sync(dataDir);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}

/** Syncs a file or folder to disk; returns its size. */
async function sync(name: string): Promise<number> {
  const handle = await open(name, "r");
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/**
 * Removes what deleted records have left in the files, while others may be using them. SQLite overwrites a record where
 * it stands when it is deleted (`secure_delete`), but neither the copies that stay behind when records move to another
 * page, nor the log. The file is rewritten if at most `rewrittenBytesMax` of it are in use, since nobody can write
 * meanwhile, and if the disk has room for as much in the log. Resolves with a sentence for the operator about what may
 * remain.
 */
export async function purgeDatabase(
  database: EmbeddedDatabase,
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
  const connection = new Connection(file, 0);
  try {
    // SQLite would write its temporary copy of everything to a file outside the data folder.
    connection.exec("PRAGMA temp_store = MEMORY; PRAGMA auto_vacuum = INCREMENTAL");
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
async function emptyLog(database: EmbeddedDatabase): Promise<void> {
  for (let tries = 1; ; tries++) {
    const [busy] = database.get("PRAGMA wal_checkpoint(TRUNCATE)") ?? [];
    if (busy === 0) return;
    if (tries === TRIES_MAX) break;
    await sleep(TRY_AGAIN_MS);
  }
  throw unavailable(new Error("The log of the database cannot be emptied: another process reads it for long."));
}
