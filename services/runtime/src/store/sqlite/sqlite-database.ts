import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { access, chmod, mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../errors/app-error.js";
import { isMakingRoom, type DiskReserve } from "../../storage/disk-reserve.js";
import type { DiskSpaceMonitor } from "../../storage/disk-space-monitor.js";
import { isStoreFull, storeFull } from "../store.js";
import { GroupCommit, WriteAheadLog, type WriteOptions } from "./group-commit.js";
import { damaged, findDamage, isDamage, storeDamaged } from "./inspection.js";
import {
  codeOf,
  isBusy,
  type Row,
  SqliteConnection,
  type SqlValue,
  toStoreFailure,
  unavailable,
} from "./sqlite-connection.js";

/** Name of the database in a data folder. */
export const DATABASE_FILE = "hourglass.db";

/** The database file of a data folder, shared by the adapters that keep their tables in it. */
export class SqliteDatabase {
  /** Tells it apart from the same file when it was open before, or is elsewhere. */
  readonly id = randomUUID();
  readonly #connection: SqliteConnection;
  readonly #commits: GroupCommit;
  readonly #room: DiskSpaceMonitor | undefined;
  readonly #reserve: DiskReserve | undefined;
  readonly #trouble: Trouble;
  #closing: Promise<void> | undefined;
  #damage: unknown;
  #diskFailed = false;

  constructor(connection: SqliteConnection, { dataDir, busyMs, trouble, room, reserve }: OpenDatabaseOptions) {
    this.#connection = connection;
    this.#trouble = trouble;
    this.#room = room;
    this.#reserve = reserve;
    const log = new WriteAheadLog(join(dataDir, DATABASE_FILE));
    this.#commits = new GroupCommit(connection, log, { busyMs, explain: (error) => this.#explain(error) });
  }

  /** Whether the file was found damaged; nothing is read or written after that. */
  get isDamaged(): boolean {
    return this.#damage !== undefined;
  }

  /**
   * Marks the file as damaged and reports it once; further writes could increase the damage. Returns the failure for
   * the current caller.
   */
  setDamaged(error: unknown): AppError {
    if (this.#damage === undefined) {
      this.#damage = error;
      this.#trouble.damaged(error);
    }
    return storeDamaged(this.#damage);
  }

  /** Damage of the file, in its structure or records, if any; throws driver errors. */
  check(): string | undefined {
    return findDamage(this.#connection);
  }

  /** Reads the committed data; AppError `unavailable` on failure. */
  read<T>(work: (connection: SqliteConnection) => T): T {
    this.#mustBeOpen();
    try {
      return work(this.#connection);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** First row of a query on the committed data; AppError `unavailable` on failure. */
  get(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    return this.read((connection) => connection.get(sql, values));
  }

  /** Rows of a query on the committed data; AppError `unavailable` on failure. */
  all(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.read((connection) => connection.all(sql, values));
  }

  /**
   * Runs synchronous work as one atomic, durable write; concurrent writes share a commit. AppError `conflict` if a
   * unique value is taken, `unavailable` if the disk or the lock fails; errors thrown by `work` itself pass through. On a
   * full disk, deletions use the room of the reserve. With `synced: false` it does not wait for the disk: a power failure
   * may undo it, but only together with everything written later. That suits writes that only later ones rely on.
   * With `undo: false`, of work that throws only the statement that failed is undone.
   */
  async write<T>(work: (connection: SqliteConnection) => T, options: WriteOptions = {}): Promise<T> {
    this.#mustBeOpen();
    const perform = () => this.#commits.write(() => work(this.#connection), options);
    const reserve = this.#reserve;
    if (reserve !== undefined && isMakingRoom()) return this.#delete(perform, reserve);
    const written = reserve?.hasGiven === true ? this.#unlessInUse(perform, reserve) : perform();
    return this.#room?.observe(written) ?? written;
  }

  async #delete<T>(perform: () => Promise<T>, reserve: DiskReserve): Promise<T> {
    for (;;) {
      try {
        return await perform();
      } catch (error) {
        if (!isStoreFull(error) || !(await reserve.give())) throw error;
      }
    }
  }

  async #unlessInUse<T>(perform: () => Promise<T>, reserve: DiskReserve): Promise<T> {
    if (await reserve.isInUse()) throw storeFull(new Error("What is free is kept for deletions."));
    return perform();
  }

  /** Finishes pending writes and closes the file. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    await this.#commits.close();
    try {
      // Moves everything into the one file, in case it is copied.
      if (this.#damage === undefined) this.#connection.get("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Nothing is lost: the log is read at the next start.
    }
    this.#connection.close();
  }

  #explain(error: unknown): unknown {
    if (isDamage(error)) return this.setDamaged(error);
    if (codeOf(error).startsWith("SQLITE_IOERR") && !this.#diskFailed) {
      this.#diskFailed = true;
      this.#trouble.diskFailed(error);
    }
    return toStoreFailure(error);
  }

  #mustBeOpen(): void {
    if (this.#damage !== undefined) throw storeDamaged(this.#damage);
    if (this.#closing !== undefined) throw unavailable(new Error("The embedded database is closed."));
  }
}

export interface OpenDatabaseOptions {
  /** Created if missing, with access for its owner only. */
  dataDir: string;
  /** How long a write waits for other processes. */
  busyMs: number;
  /** Whether to keep other processes out, which must not have it open. */
  alone?: boolean;
  /** Receives the results of writes. */
  room?: DiskSpaceMonitor;
  /** Of the disk of the data folder. Default: none. */
  reserve?: DiskReserve | undefined;
  trouble: Trouble;
  /** Throws AppError if the file is not to be used; nothing of it has been written by then. */
  inspect?: (connection: SqliteConnection) => void;
}

/** Receives each kind of trouble once, for the operator. */
export interface Trouble {
  damaged(error: unknown): void;
  /** A read or write on the disk failed; the failure may be temporary. */
  diskFailed(error: unknown): void;
}

/** How long a statement waits for a lock while it blocks the thread; longer waits are asynchronous. */
const BLOCKING_MS = 50;

// The group commit syncs the log; the WAL limit frees its disk space after a burst; deleted records are overwritten.
const SETTINGS =
  "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384; PRAGMA secure_delete = ON";

/** Opens `hourglass.db` in the data folder, creating both if missing; AppError `unavailable` with a one-line reason. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<SqliteDatabase> {
  const { dataDir } = options;
  const file = join(dataDir, DATABASE_FILE);
  const left = await leftInFolder(dataDir);
  // Checked before opening, which would delete a log whose database file is missing.
  if (left !== undefined && (await isEmptyFile(file))) throw emptiedFolder(file, left);
  await prepareFile(dataDir, file);
  const giveUpAt = performance.now() + options.busyMs;
  for (;;) {
    try {
      const connection = connect(file, options);
      if (left !== undefined && !hasTables(connection)) throw emptiedFolder(file, left);
      return new SqliteDatabase(connection, options);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isDamage(error)) throw damaged(file, error);
      // Changing to WAL does not wait for a lock, which another process that starts at the same time may hold.
      if (!isBusy(error)) throw cannotOpen(file, error);
      if (performance.now() >= giveUpAt) throw options.alone === true ? inUse(dataDir) : cannotOpen(file, error);
    }
    await sleep(10);
  }
}

function connect(file: string, { alone = false, inspect }: OpenDatabaseOptions): SqliteConnection {
  const connection = new SqliteConnection(file, BLOCKING_MS);
  try {
    // Must come before the file is read: with the log, SQLite then locks it for as long as the connection is open.
    if (alone) connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    inspect?.(connection);
    // A new file takes it: free pages can then be given back in steps.
    connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.get("PRAGMA journal_mode = WAL");
    connection.exec(SETTINGS);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function hasTables(connection: SqliteConnection): boolean {
  const [count] = connection.get("SELECT count(*) FROM sqlite_master") ?? [];
  if (count !== 0) return true;
  connection.close();
  return false;
}

async function prepareFile(dataDir: string, file: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // SQLite gives its side files the mode of the main file.
    await makePrivate(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError("unavailable", `The data folder ${dataDir} cannot be written: ${reason}`, { cause: error });
  }
}

/**
 * Creates the file if missing, and restricts access to its owner. An existing file is not opened: closing it would drop
 * the locks that SQLite holds on it elsewhere in this process.
 */
export async function makePrivate(file: string): Promise<void> {
  try {
    // Synchronous, so that no connection of this process opens it in between.
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  if (!(await stat(file)).isFile()) throw new Error(`${file} is not a file`);
  await chmod(file, 0o600);
  await access(file, constants.R_OK | constants.W_OK);
}

/** The database file of a data folder. AppError `not-found` if there is none: opening it would create an empty one. */
export async function existingDatabase(dataDir: string): Promise<string> {
  const file = join(dataDir, DATABASE_FILE);
  try {
    await access(file);
  } catch {
    throw new AppError("not-found", `There is no database in ${dataDir}: set DATA_DIR to the folder of the server.`);
  }
  return file;
}

/** Syncs a file to disk, or, opened with "r", a folder; returns its size. */
export async function syncToDisk(name: string, flags: "r" | "r+" = "r+"): Promise<number> {
  const handle = await open(name, flags);
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

function inUse(dataDir: string): AppError {
  return new AppError(
    "conflict",
    `A process uses the data folder ${dataDir}: stop the server and other commands first.`,
  );
}

function cannotOpen(file: string, error: unknown): AppError {
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError("unavailable", `The database ${file} cannot be opened: ${reason}`, { cause: error });
}

/** Files that a server keeps beside its database and creates only after it. */
const LEFT_BY_SERVERS: readonly { folder: string; is: (name: string) => boolean; what: string }[] = [
  { folder: "keys", is: (name) => name.endsWith(".pem"), what: "signing keys" },
  { folder: join("files", "blobs"), is: () => true, what: "files" },
];

/**
 * Data of an earlier server in a data folder, such as "signing keys". Call this before checking the database: a server
 * that starts at the same time creates its database first.
 */
async function leftInFolder(dataDir: string): Promise<string | undefined> {
  for (const { folder, is, what } of LEFT_BY_SERVERS) {
    const names = await readdir(join(dataDir, folder)).catch(() => []);
    if (names.some(is)) return what;
  }
  return undefined;
}

/** Whether the database file is missing or has 0 bytes. */
async function isEmptyFile(file: string): Promise<boolean> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return size === 0;
}

/** The refusal to start with an empty database next to data that belongs to an earlier one. */
function emptiedFolder(file: string, left: string): AppError {
  const remedy = "Restore the newest backup (docs/backup.md says how)";
  const message = `The database ${file} is missing or empty, but there are ${left} of an earlier server beside it. ${remedy}, or, to start over, move the folders keys and files away as well.`;
  return new AppError("unavailable", message);
}
