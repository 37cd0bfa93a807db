import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../log.js";
import type { Stoppable } from "../../process/repetition.js";
import type { DiskReserve } from "../../storage/disk-reserve.js";
import { DiskSpaceMonitor } from "../../storage/disk-space-monitor.js";
import { mustBeWhole, type StoreContents } from "../contents.js";
import {
  type Budget,
  type Collection,
  type CollectionSpec,
  type Committed,
  type Document,
  type Migration,
  mustBeSpendable,
  type Step,
  type StepAction,
  StepFailed,
  type Store,
} from "../store.js";
import { applyMigration, mustBeKnown, mustBeNumbered, type Versions } from "../migrations.js";
import { type BackgroundCheck, checkInBackground, damaged, damageLine, isDamage, sizeWithLog } from "./inspection.js";
import { SqliteCollection } from "./sqlite-collection.js";
import { isBusy, SqliteConnection, toStoreFailure, unavailable } from "./sqlite-connection.js";
import { NOTES_TABLE, SqliteContents } from "./sqlite-contents.js";
import { DATABASE_FILE, makePrivate, openDatabase, type SqliteDatabase, type Trouble } from "./sqlite-database.js";
import { openTable, type Table } from "./table.js";
import { type IncrementalVacuumOptions, startIncrementalVacuum } from "./vacuum.js";

export interface SqliteStoreOptions {
  /** Folder of the database file, created if missing. Several processes may use it at a time. */
  dataDir: string;
  log: Logger;
  /** How long a write waits for other processes before it fails as `unavailable`. Default 5000. */
  busyMs?: number;
  /** Larger files, in bytes, are checked in the background while the store is in use. Default 64 MiB. */
  checkedFirstBytesMax?: number;
  /**
   * Whether to keep others out, which may last until this process ends, and to open the store even if its copy is not
   * complete. If others have it open, AppError `conflict`.
   */
  alone?: boolean;
  /** When free space is given back. */
  vacuum?: IncrementalVacuumOptions;
  /** Room for deletions on a full disk. Default: none. */
  reserve?: DiskReserve | undefined;
  /** Receives the results of writes. Default: one that logs. */
  room?: DiskSpaceMonitor;
  /** The versions of data that this release has; data of a later one is refused, before anything is written. Default: all are taken. */
  knows?: Versions | undefined;
}

/** State of the file: `checking` while a large file is checked in the background. */
export type DatabaseState = "ready" | "checking" | "damaged";

/** Opens the store in a data folder; AppError `unavailable` with a one-line reason. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { dataDir, log, busyMs = 5000, checkedFirstBytesMax = CHECKED_FIRST_BYTES_MAX, alone = false } = options;
  const { vacuum, reserve, knows, room = new DiskSpaceMonitor(log, { folder: dataDir, holds: "records" }) } = options;
  const file = join(dataDir, DATABASE_FILE);
  const database = await openDatabase({
    dataDir,
    busyMs,
    alone,
    room,
    reserve,
    trouble: tellOperator(file, log),
    inspect: (connection) => {
      if (knows !== undefined) mustBeKnown(appliedIn(connection), { knows, place: dataDir });
    },
  });
  let check: BackgroundCheck | undefined;
  try {
    // The check in the background has its own connection, which would be kept out too.
    if (!alone && sizeWithLog(file) > checkedFirstBytesMax) check = checkLater(file, database, log);
    else mustBeSound(file, database);
    await database.write((connection) => connection.exec(TABLES));
    if (!alone) mustBeWhole(await new SqliteContents(database, dataDir).readMark());
  } catch (error) {
    await check?.stop();
    await database.close();
    throw error;
  }
  return new SqliteStore(database, {
    dataDir,
    log,
    check,
    vacuum: startIncrementalVacuum(database, { ...vacuum, log }),
  });
}

/** Larger files, in bytes, are checked in the background, so that they do not delay the start. */
const CHECKED_FIRST_BYTES_MAX = 64 * 1024 * 1024;

function tellOperator(file: string, log: Logger): Trouble {
  const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
  return {
    damaged: (error) => log.fatal({ file }, damageLine(file, reasonOf(error))),
    diskFailed: (error) => {
      log.error({ file }, `The disk fails to read or write the database ${file}: ${reasonOf(error)}. Check the disk.`);
    },
  };
}

/** Throws AppError `unavailable` with one line for the operator if the file is damaged. */
function mustBeSound(file: string, database: SqliteDatabase): void {
  let found: unknown;
  try {
    found = database.check();
  } catch (error) {
    if (!isDamage(error)) throw toStoreFailure(error);
    found = error;
  }
  if (found !== undefined) throw damaged(file, found);
}

function checkLater(file: string, database: SqliteDatabase, log: Logger): BackgroundCheck {
  const check = checkInBackground(file);
  check.found.then(
    (found) => {
      if (found !== undefined) database.setDamaged(new Error(found));
    },
    (error: unknown) => log.debug({ err: error }, "the database was not checked to its end"),
  );
  return check;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS migrations
    (owner TEXT, version INTEGER, applied_at TEXT NOT NULL, PRIMARY KEY (owner, version)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS budgets (name TEXT PRIMARY KEY, span TEXT NOT NULL, spent INTEGER NOT NULL) WITHOUT ROWID;
  ${NOTES_TABLE}`;

const NEXT_ID = `
  INSERT INTO counters VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`;

/** A later window replaces the stored one; the amounts of earlier windows are not kept. */
const OPEN_WINDOW = `
  INSERT INTO budgets VALUES (?, ?, 0)
  ON CONFLICT (name) DO UPDATE SET span = excluded.span, spent = 0 WHERE excluded.span > span`;
const SPEND = "UPDATE budgets SET spent = spent + ? WHERE name = ? AND spent + ? <= ? RETURNING spent";
const HAS_MIGRATIONS = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'";
// As bytes: the driver aborts the process on text that is not UTF-8.
const APPLIED = "SELECT CAST(owner AS BLOB), version FROM migrations ORDER BY 1, 2";

function appliedIn(connection: SqliteConnection): { owner: string; version: number }[] {
  if (connection.get(HAS_MIGRATIONS) === undefined) return [];
  return connection.all(APPLIED).map(([owner, version]) => ({ owner: String(owner), version: Number(version) }));
}

const IS_APPLIED = "SELECT 1 FROM migrations WHERE owner = ? AND version = ?";

/** What a store needs of its opening. */
interface OpenedFile {
  dataDir: string;
  log: Logger;
  check: BackgroundCheck | undefined;
  vacuum: Stoppable;
}

/** The store in a file, and the database that it shares with the embedded queue. */
export class SqliteStore implements Store {
  readonly database: SqliteDatabase;
  readonly contents: StoreContents;
  readonly #opened: OpenedFile;
  #isChecking: boolean;

  /** Use `openSqliteStore`. */
  constructor(database: SqliteDatabase, opened: OpenedFile) {
    this.database = database;
    this.contents = new SqliteContents(database, opened.dataDir);
    this.#opened = opened;
    this.#isChecking = opened.check !== undefined;
    const checked = () => void (this.#isChecking = false);
    opened.check?.found.then(checked, checked);
  }

  get state(): DatabaseState {
    if (this.database.isDamaged) return "damaged";
    return this.#isChecking ? "checking" : "ready";
  }

  async collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>> {
    const schema = await this.database.write((connection) => openTable(connection, spec));
    return new SqliteCollection<T>(this.database, schema);
  }

  /** Does the steps as one write to the database. Throws TypeError for a collection of another store. */
  async commit<const S extends readonly Step[]>(steps: S): Promise<Committed<S>> {
    const performs = steps.map(({ collection, action }) => prepareStep(this.#tableOf(collection), action));
    try {
      const results = await this.database.write((connection) =>
        performs.map((perform, index) => {
          const { fits, result } = perform(connection);
          if (!fits) throw new StepFailed(index);
          return result;
        }),
      );
      return { done: true, results } as Committed<S>;
    } catch (error) {
      if (error instanceof StepFailed) return { done: false, failedStep: error.step };
      throw error;
    }
  }

  /** For writes of other processes: what SQLite counts for each connection, their commits to the file. */
  versionOf(collections: readonly object[], companyId?: number): string {
    return this.database.read((connection) => {
      const writes = collections.map((each) => connection.writesTo(this.#tableOf(each).name, companyId));
      return [this.database.id, connection.get("PRAGMA data_version")?.[0], ...writes].join(".");
    });
  }

  nextId(counter: string): Promise<number> {
    // Whatever carries the id is written later.
    return this.database.write((connection) => nextIdIn(connection, counter), { synced: false, undo: false });
  }

  async insertNext<T extends Document & { id: number }>(
    collection: Collection<T>,
    counter: string,
    document: Omit<T, "id">,
  ): Promise<number> {
    const table = this.#tableOf(collection);
    const rowWith = table.rowWithoutId(document);
    return this.database.write(
      (connection) => {
        const id = nextIdIn(connection, counter);
        table.insert(connection, [rowWith(id)]);
        return id;
      },
      // If the document cannot be inserted, its id remains taken, and is skipped.
      { undo: false },
    );
  }

  async spend(budget: Budget, units: number): Promise<number | undefined> {
    mustBeSpendable(budget, units);
    const { name, window, limit } = budget;
    return this.database.write((connection) => {
      connection.run(OPEN_WINDOW, [name, window]);
      const spent = connection.get(SPEND, [units, name, units, limit])?.[0];
      return spent === undefined ? undefined : Number(spent);
    });
  }

  /** Waits while another process applies migrations. */
  async migrate(migrations: readonly Migration[]): Promise<void> {
    mustBeNumbered(migrations);
    const { dataDir, log } = this.#opened;
    const unlock = await lockMigrations(dataDir, log);
    try {
      for (const migration of migrations) {
        const { owner, version } = migration;
        const applied = this.database.get(IS_APPLIED, [owner, version]);
        if (applied !== undefined) continue;
        const values = () => [owner, version, new Date().toISOString()];
        const insert = (connection: SqliteConnection) =>
          connection.run("INSERT INTO migrations VALUES (?, ?, ?)", values());
        const record = async () => void (await this.database.write(insert));
        await applyMigration(migration, { store: this, log, record });
      }
    } finally {
      unlock();
    }
  }

  async ping(): Promise<void> {
    this.database.get("SELECT 1 FROM counters LIMIT 1");
  }

  async close(): Promise<void> {
    await this.#opened.vacuum.stop(0);
    await this.#opened.check?.stop();
    await this.database.close();
  }

  #tableOf(collection: object): Table<Document> {
    if (collection instanceof SqliteCollection && collection.isIn(this.database))
      return collection.table as Table<Document>;
    throw new TypeError("A collection of another store was named.");
  }
}

function nextIdIn(connection: SqliteConnection, counter: string): number {
  return Number(connection.get(NEXT_ID, [counter])?.[0]);
}

/** Does a step; `fits` says whether its condition held. */
type Perform = (connection: SqliteConnection) => { fits: boolean; result?: unknown };

/** Serializes the documents now, so that later changes by the caller do not affect the transaction. */
function prepareStep(table: Table<Document>, action: StepAction): Perform {
  const always = (work: (connection: SqliteConnection) => unknown): Perform => {
    return (connection) => ({ fits: true, result: work(connection) });
  };
  switch (action.kind) {
    case "insert": {
      const rows = action.documents.map((document) => table.rowOf(document));
      return always((connection) => table.insert(connection, rows));
    }
    case "insertNew": {
      const rows = action.documents.map((document) => table.rowOf(document));
      return always((connection) => table.insertNew(connection, rows));
    }
    case "put": {
      const row = table.rowOf(action.document);
      return always((connection) => table.put(connection, row));
    }
    case "update":
      return (connection) => {
        const result = table.update(connection, action, action.options);
        return { fits: result !== undefined, result };
      };
    case "updateEach":
      return always((connection) => action.updates.filter((update) => table.change(connection, update)).length);
    case "check":
      return (connection) => ({ fits: table.fits(connection, action.filter) });
    case "delete":
      return always((connection) => table.delete(connection, action.filter));
  }
}

/**
 * A lock on a separate file: a migration writes in several transactions, so the database itself cannot be locked. The
 * operating system releases it when the process ends for any reason.
 */
async function lockMigrations(dataDir: string, log: Logger): Promise<() => void> {
  const file = join(dataDir, "migrate.lock");
  await makePrivate(file).catch((error: unknown) => {
    throw unavailable(error);
  });
  const connection = new SqliteConnection(file, 0);
  let isLogged = false;
  for (;;) {
    try {
      connection.exec("BEGIN EXCLUSIVE");
      return () => {
        connection.exec("ROLLBACK");
        connection.close();
      };
    } catch (error) {
      if (!isBusy(error)) {
        connection.close();
        throw toStoreFailure(error);
      }
    }
    if (!isLogged) log.info("waiting for another process that migrates the data");
    isLogged = true;
    await sleep(50);
  }
}
