import type { Logger } from "../../log/logger.js";
import { RoomWatch } from "../../storage/room-watch.js";
import type { Collection, CollectionSpec, Document, IndexSpec, Migration, Store } from "../store.js";
import { EmbeddedCollection } from "./collection.js";
import type { Connection } from "./connection.js";
import { openDatabase, type EmbeddedDatabase } from "./database.js";
import { applyMigrations } from "./migrations.js";
import { fieldColumn, indexName, tableName } from "./sql.js";

export interface EmbeddedStoreOptions {
  /** Folder of the database file, created when missing. Several processes may use it at a time. */
  dataDir: string;
  log: Logger;
  /** How long a write waits for other processes before it fails as `unavailable`. Default 5000. */
  busyMs?: number;
}

/** The store in a file, and the database in which the embedded queue keeps its jobs. */
export interface EmbeddedStore extends Store {
  readonly database: EmbeddedDatabase;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS migrations
    (owner TEXT, version INTEGER, applied_at TEXT NOT NULL, PRIMARY KEY (owner, version)) WITHOUT ROWID`;

const NEXT_ID = `
  INSERT INTO counters VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`;

/** Opens the store in a data folder; AppError `unavailable` with one line on why it cannot. */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { dataDir, log, busyMs = 5000 } = options;
  const room = new RoomWatch(log, { folder: dataDir, holds: "records" });
  const database = await openDatabase({ dataDir, busyMs, room });
  try {
    await database.write((connection) => connection.exec(TABLES));
  } catch (error) {
    await database.close();
    throw error;
  }
  return new FileStore(database, dataDir, log);
}

class FileStore implements EmbeddedStore {
  readonly database: EmbeddedDatabase;
  readonly #dataDir: string;
  readonly #log: Logger;

  constructor(database: EmbeddedDatabase, dataDir: string, log: Logger) {
    this.database = database;
    this.#dataDir = dataDir;
    this.#log = log;
  }

  async collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>> {
    const table = tableName(spec.name);
    // Identifiers of both types live in one column without affinity: 1 and "1" are two.
    const columns = "row INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc TEXT NOT NULL";
    const statements = (spec.indexes ?? []).map((index) => createIndex(spec.name, index));
    await this.database.write((connection: Connection) => {
      connection.exec(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`);
      for (const statement of statements) connection.exec(statement);
    });
    return new EmbeddedCollection<T>(this.database, table);
  }

  nextId(counter: string): Promise<number> {
    return this.database.write((connection) => Number(connection.get(NEXT_ID, [counter])?.[0]));
  }

  migrate(migrations: readonly Migration[]): Promise<void> {
    const deps = { store: this, database: this.database, dataDir: this.#dataDir, log: this.#log };
    return applyMigrations(deps, migrations);
  }

  async ping(): Promise<void> {
    this.database.get("SELECT 1 FROM counters LIMIT 1");
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

/** In a unique index SQLite takes nulls as distinct, which is the exemption that the port promises. */
function createIndex<T>(collection: string, { fields, unique = false }: IndexSpec<T>): string {
  const name = indexName(collection, fields, unique);
  const columns = fields.map((field) => fieldColumn(field));
  // With the id at the end, the index also serves the order of ties.
  if (!unique && !columns.includes("id")) columns.push("id");
  return `CREATE ${unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS ${name} ON ${tableName(collection)} (${columns.join(", ")})`;
}
