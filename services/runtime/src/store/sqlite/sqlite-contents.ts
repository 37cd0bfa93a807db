import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Books, type CopyMark, sortBooks, type StoreContents, type StoreUsage } from "../contents.js";
import type { Collection, CollectionSpec, Document } from "../store.js";
import { measureInBackground } from "./inspection.js";
import { collectionOf } from "./sql.js";
import { SqliteCollection } from "./sqlite-collection.js";
import type { SqlValue } from "./sqlite-connection.js";
import { DATABASE_FILE, type SqliteDatabase } from "./sqlite-database.js";
import { openTable } from "./table.js";
import { purgeDatabase } from "./vacuum.js";

/** Texts about the store itself; the database has it before a copy begins. */
export const NOTES_TABLE = "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID";

const IDENTITY = "identity";
const MARK = "copy";
/** Servers wait for about a second while so much is rewritten. */
const REWRITTEN_BYTES_MAX = 64 * 1024 * 1024;

/** The contents of a database file. */
export class SqliteContents implements StoreContents {
  constructor(
    private readonly database: SqliteDatabase,
    private readonly dataDir: string,
  ) {}

  async names(): Promise<string[]> {
    // Read as bytes, here and below: the driver aborts the process on text that is not UTF-8.
    const rows = this.database.all("SELECT CAST(name AS BLOB) FROM sqlite_master WHERE type = 'table'");
    return rows.flatMap(([name]) => collectionOf(String(name)) ?? []).sort();
  }

  async collection<T extends Document>({ name }: Pick<CollectionSpec<T>, "name">): Promise<Collection<T>> {
    const schema = await this.database.write((connection) => openTable<T>(connection, { name }));
    return new SqliteCollection<T>(this.database, schema);
  }

  async readBooks(): Promise<Books> {
    const counters = this.database.all("SELECT CAST(name AS BLOB), value FROM counters");
    const budgets = this.database.all("SELECT CAST(name AS BLOB), CAST(span AS BLOB), spent FROM budgets");
    const migrations = this.database.all(
      "SELECT CAST(owner AS BLOB), version, CAST(applied_at AS BLOB) FROM migrations",
    );
    return sortBooks({
      counters: counters.map(([name, value]) => ({ name: String(name), value: Number(value) })),
      budgets: budgets.map(([name, span, spent]) => ({
        name: String(name),
        window: String(span),
        spent: Number(spent),
      })),
      migrations: migrations.map(([owner, version, at]) => ({
        owner: String(owner),
        version: Number(version),
        at: String(at),
      })),
    });
  }

  async writeBooks({ counters, budgets, migrations }: Books): Promise<void> {
    const tables: [string, SqlValue[][]][] = [
      ["counters", counters.map(({ name, value }) => [name, BigInt(value)])],
      ["budgets", budgets.map(({ name, window, spent }) => [name, window, BigInt(spent)])],
      ["migrations", migrations.map(({ owner, version, at }) => [owner, BigInt(version), at])],
    ];
    await this.database.write((connection) => {
      for (const [table, rows] of tables) {
        connection.run(`DELETE FROM ${table}`);
        for (const row of rows) {
          connection.run(`INSERT INTO ${table} VALUES (${row.map(() => "?").join(", ")})`, row);
        }
      }
    });
  }

  measure(): Promise<StoreUsage> {
    return measureInBackground(join(this.dataDir, DATABASE_FILE));
  }

  purge({ rewrittenBytesMax = REWRITTEN_BYTES_MAX }: { rewrittenBytesMax?: number } = {}): Promise<string | undefined> {
    return purgeDatabase(this.database, { dataDir: this.dataDir, rewrittenBytesMax });
  }

  async identity(): Promise<string> {
    const made = [IDENTITY, randomUUID()];
    await this.database.write((connection) => connection.run("INSERT OR IGNORE INTO notes VALUES (?, ?)", made));
    return this.#read(IDENTITY) ?? "";
  }

  async readMark(): Promise<CopyMark | undefined> {
    const text = this.#read(MARK);
    return text === undefined ? undefined : (JSON.parse(text) as CopyMark);
  }

  async writeMark(mark: CopyMark): Promise<void> {
    const values = [MARK, JSON.stringify(mark)];
    await this.database.write((connection) => connection.run("INSERT OR REPLACE INTO notes VALUES (?, ?)", values));
  }

  #read(name: string): string | undefined {
    const row = this.database.get("SELECT CAST(text AS BLOB) FROM notes WHERE name = ?", [name]);
    return row === undefined ? undefined : String(row[0]);
  }
}
