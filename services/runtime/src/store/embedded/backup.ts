import { access, open } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors/app-error.js";
import { checkFile } from "./file/check-file.js";
import { Connection } from "./file/connection.js";
import { damaged } from "./file/damage.js";
import { DATABASE_FILE } from "./database.js";

export interface EmbeddedBackupOptions {
  /** Data folder of the store. Servers may be running on it and are not blocked. */
  dataDir: string;
  /** Folder for the copy, which can then be used as data folder. Must exist and contain no database. */
  targetDir: string;
}

/** How long a statement waits for other connections, in milliseconds. */
const BUSY_MS = 5000;

/**
 * Copies a consistent snapshot of the database of an embedded store, including the queue: every write acknowledged
 * before the call is in the copy. The copy never blocks writers; the log only grows until it is complete. Resolves with
 * the size in bytes once the copy is checked and on disk. AppError `not-found` if there is no database, `unavailable`
 * if it cannot be copied.
 */
export async function backUpEmbeddedDatabase({ dataDir, targetDir }: EmbeddedBackupOptions): Promise<number> {
  const source = join(dataDir, DATABASE_FILE);
  const file = join(targetDir, DATABASE_FILE);
  await mustExist(source, dataDir);
  try {
    // Created here, because SQLite would make it readable for other users of the machine.
    await (await open(file, "wx", 0o600)).close();
    refuseDamaged(source);
    copy(source, file);
    check(file);
    return await sync(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError("unavailable", `The database ${source} cannot be copied to ${file}: ${reason}`, {
      cause: error,
    });
  }
}

/** Throws if the source is damaged: its copy would replace a good backup. */
function refuseDamaged(source: string): void {
  const found = checkFile(source);
  if (found !== undefined) throw damaged(source, found);
}

/** Syncs the file to disk; returns its size. */
async function sync(file: string): Promise<number> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Checked first, because opening a missing file would create an empty database. */
async function mustExist(source: string, dataDir: string): Promise<void> {
  try {
    await access(source);
  } catch {
    throw new AppError("not-found", `There is no database in ${dataDir}: set DATA_DIR to the folder of the server.`);
  }
}

function copy(source: string, file: string): void {
  const connection = new Connection(source, BUSY_MS);
  try {
    connection.exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

/** Throws if the copy cannot be read from end to end. */
function check(file: string): void {
  const found = checkFile(file);
  if (found !== undefined) throw new Error(`the copy is damaged: ${found}`);
}
