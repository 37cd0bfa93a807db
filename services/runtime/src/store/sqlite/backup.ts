import { open } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors/app-error.js";
import { checkFile, damaged } from "./inspection.js";
import { SqliteConnection } from "./sqlite-connection.js";
import { DATABASE_FILE, existingDatabase, syncToDisk } from "./sqlite-database.js";

export interface BackupOptions {
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
export async function backUpDatabase({ dataDir, targetDir }: BackupOptions): Promise<number> {
  const source = await existingDatabase(dataDir);
  const file = join(targetDir, DATABASE_FILE);
  try {
    // Created here, because SQLite would make it readable for other users of the machine.
    await (await open(file, "wx", 0o600)).close();
    refuseDamaged(source);
    copy(source, file);
    check(file);
    return await syncToDisk(file);
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

function copy(source: string, file: string): void {
  const connection = new SqliteConnection(source, BUSY_MS);
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
