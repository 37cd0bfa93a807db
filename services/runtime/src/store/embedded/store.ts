import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../log.js";
import type { Stoppable } from "../../process/repetition.js";
import type { DiskReserve } from "../../storage/disk-reserve.js";
import { DiskSpaceMonitor } from "../../storage/disk-space-monitor.js";
import { mustBeSpendable } from "../budget.js";
import type { Committed, Step } from "../steps.js";
import type { Budget, Collection, CollectionSpec, Document, Migration, Store } from "../store.js";
import { checkInBackground, type BackgroundCheck } from "./file/check-file.js";
import { EmbeddedCollection, tableOf, versionOf } from "./collection.js";
import { mustBeWhole, type StoreContents } from "../contents.js";
import { commitSteps } from "./commit.js";
import { EmbeddedContents, NOTES_TABLE } from "./contents.js";
import type { Connection } from "./file/connection.js";
import { DATABASE_FILE, openDatabase, type EmbeddedDatabase, type Trouble } from "./database.js";
import { damageLine, damaged, isDamage } from "./file/damage.js";
import { toStoreFailure } from "./file/failures.js";
import { type GiveBackOptions, startGivingBack } from "./give-back.js";
import { applyMigrations } from "./migrations.js";
import { openTable } from "./table-schema.js";

export interface EmbeddedStoreOptions {
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
  giveBack?: GiveBackOptions;
  /** Room for deletions on a full disk. Default: none. */
  reserve?: DiskReserve | undefined;
  /** Receives the results of writes. Default: one that logs. */
  room?: DiskSpaceMonitor;
}

/** State of the file: `checking` while a large file is checked in the background. */
export type DatabaseState = "ready" | "checking" | "damaged";

/** The store in a file, and the database that it shares with the embedded queue. */
export interface EmbeddedStore extends Store {
  readonly database: EmbeddedDatabase;
  readonly state: DatabaseState;
  readonly contents: StoreContents;
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

/** Opens the store in a data folder; AppError `unavailable` with a one-line reason. */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { dataDir, log, busyMs = 5000, checkedFirstBytesMax = CHECKED_FIRST_BYTES_MAX, alone = false } = options;
  const { giveBack = {}, reserve, room = new DiskSpaceMonitor(log, { folder: dataDir, holds: "records" }) } = options;
  const file = join(dataDir, DATABASE_FILE);
  const database = await openDatabase({ dataDir, busyMs, alone, room, reserve, trouble: tellOperator(file, log) });
  let check: BackgroundCheck | undefined;
  try {
    // The check in the background has its own connection, which would be kept out too.
    if (!alone && (await sizeOf(file)) > checkedFirstBytesMax) check = checkLater(file, database, log);
    else mustBeSound(file, database);
    await database.write((connection) => connection.exec(TABLES));
    if (!alone) mustBeWhole(await new EmbeddedContents(database, dataDir).readMark());
  } catch (error) {
    await check?.stop();
    await database.close();
    throw error;
  }
  return new FileStore(database, { dataDir, log, check, upkeep: startGivingBack(database, { ...giveBack, log }) });
}

/** Larger files, in bytes, are checked in the background, so that they do not delay the start. */
const CHECKED_FIRST_BYTES_MAX = 64 * 1024 * 1024;

async function sizeOf(file: string): Promise<number> {
  const sizes = [file, `${file}-wal`].map((name) =>
    stat(name).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

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
function mustBeSound(file: string, database: EmbeddedDatabase): void {
  let found: unknown;
  try {
    found = database.check();
  } catch (error) {
    if (!isDamage(error)) throw toStoreFailure(error);
    found = error;
  }
  if (found !== undefined) throw damaged(file, found);
}

function checkLater(file: string, database: EmbeddedDatabase, log: Logger): BackgroundCheck {
  const check = checkInBackground(file);
  check.found.then(
    (found) => {
      if (found !== undefined) database.setDamaged(new Error(found));
    },
    (error: unknown) => log.debug({ err: error }, "the database was not checked to its end"),
  );
  return check;
}

function nextIdIn(connection: Connection, counter: string): number {
  return Number(connection.get(NEXT_ID, [counter])?.[0]);
}

class FileStore implements EmbeddedStore {
  readonly database: EmbeddedDatabase;
  readonly contents: StoreContents;
  readonly #dataDir: string;
  readonly #log: Logger;
  readonly #check: BackgroundCheck | undefined;
  readonly #upkeep: Stoppable;
  #isChecking: boolean;

  constructor(
    database: EmbeddedDatabase,
    {
      dataDir,
      log,
      check,
      upkeep,
    }: { dataDir: string; log: Logger; check: BackgroundCheck | undefined; upkeep: Stoppable },
  ) {
    this.database = database;
    this.contents = new EmbeddedContents(database, dataDir);
    this.#dataDir = dataDir;
    this.#log = log;
    this.#check = check;
    this.#upkeep = upkeep;
    this.#isChecking = check !== undefined;
    const checked = () => void (this.#isChecking = false);
    check?.found.then(checked, checked);
  }

  get state(): DatabaseState {
    if (this.database.isDamaged) return "damaged";
    return this.#isChecking ? "checking" : "ready";
  }

  async collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>> {
    const schema = await this.database.write((connection: Connection) => openTable(connection, spec));
    return new EmbeddedCollection<T>(this.database, schema);
  }

  commit<const S extends readonly Step[]>(steps: S): Promise<Committed<S>> {
    return commitSteps(this.database, steps);
  }

  versionOf(collections: readonly object[], companyId?: number): string {
    return versionOf(this.database, collections, companyId);
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
    const table = tableOf(this.database, collection);
    const rowWith = table.rowWithoutId(document);
    // If the document cannot be inserted, its id is skipped.
    return this.database.write(
      (connection) => {
        const id = nextIdIn(connection, counter);
        table.insert(connection, [rowWith(id)]);
        return id;
      },
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

  migrate(migrations: readonly Migration[]): Promise<void> {
    const deps = { store: this, database: this.database, dataDir: this.#dataDir, log: this.#log };
    return applyMigrations(deps, migrations);
  }

  async ping(): Promise<void> {
    this.database.get("SELECT 1 FROM counters LIMIT 1");
  }

  async close(): Promise<void> {
    await this.#upkeep.stop(0);
    await this.#check?.stop();
    await this.database.close();
  }
}
