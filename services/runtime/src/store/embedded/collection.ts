import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, Collection, Document, Filter, FindOptions } from "../store.js";
import type { Connection, Row, SqlValue } from "./connection.js";
import type { EmbeddedDatabase } from "./database.js";
import { UnreadableRecord } from "./damage.js";
import { compileFilter, compileLimit, compileSort, type Sql } from "./sql.js";

/** As bytes: the driver aborts the process on a text that is not UTF-8, as one on a damaged disk may not be. */
const DOC = "CAST(doc AS BLOB)";

/** Documents a stream reads before it lets others have the event loop. */
const PAGE = 100;

/** A collection as a table of JSON texts. Texts are kept as written, so what SQLite makes of a number does not matter. */
export class EmbeddedCollection<T extends Document> implements Collection<T> {
  readonly #database: EmbeddedDatabase;
  readonly #table: string;
  readonly #getSql: string;
  readonly #insertSql: string;

  constructor(database: EmbeddedDatabase, table: string) {
    this.#database = database;
    this.#table = table;
    this.#getSql = `SELECT ${DOC} FROM ${table} WHERE id = ?`;
    this.#insertSql = `INSERT INTO ${table} (id, doc) VALUES (?, ?)`;
  }

  async insert(document: T): Promise<void> {
    const values = rowOf(document);
    await this.#database.write((connection) => connection.run(this.#insertSql, values));
  }

  async insertMany(documents: readonly T[]): Promise<void> {
    const rows = documents.map(rowOf);
    await this.#database.write((connection) => {
      for (const values of rows) connection.run(this.#insertSql, values);
    });
  }

  async put(document: T): Promise<void> {
    const values = rowOf(document);
    const sql = `${this.#insertSql} ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`;
    await this.#database.write((connection) => connection.run(sql, values));
  }

  async get(id: T["id"]): Promise<T | undefined> {
    const row = this.#database.get(this.#getSql, [id]);
    return row === undefined ? undefined : this.#parse(row[0]);
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const { text, values } = compileFilter(filter);
    const sql = `SELECT ${DOC} FROM ${this.#table} WHERE ${text} ${compileSort(options.sort)} LIMIT ?`;
    return this.#database.all(sql, [...values, compileLimit(options.limit)]).map(([doc]) => this.#parse(doc));
  }

  async *stream(filter: Filter<T>, options: FindOptions<T> = {}): AsyncGenerator<T> {
    const where = compileFilter(filter);
    // An open cursor would pin the log and forbid writing, so the order is taken as row numbers first.
    const rows = parseRowNumbers(this.#database.get(...this.#rowNumbers(where, options)));
    const sql = `SELECT ${DOC} FROM ${this.#table} WHERE row = ? AND (${where.text})`;
    for (let start = 0; start < rows.length; start += PAGE) {
      if (start > 0) await nextTurn();
      const page = rows.slice(start, start + PAGE).map((row) => this.#database.get(sql, [row, ...where.values]));
      for (const found of page) if (found !== undefined) yield this.#parse(found[0]);
    }
  }

  async count(filter: Filter<T>): Promise<number> {
    const { text, values } = compileFilter(filter);
    return Number(this.#database.get(`SELECT count(*) FROM ${this.#table} WHERE ${text}`, values)?.[0] ?? 0);
  }

  async update(
    filter: Filter<T>,
    change: Change<T>,
    options: Pick<FindOptions<T>, "sort"> = {},
  ): Promise<T | undefined> {
    const { text, values } = compileFilter(filter);
    const sql = `SELECT row, ${DOC} FROM ${this.#table} WHERE ${text} ${compileSort(options.sort)} LIMIT 1`;
    const changed = await this.#database.write((connection) => {
      const found = connection.get(sql, values);
      return found === undefined ? undefined : this.#change(connection, found, change);
    });
    return changed === undefined ? undefined : (JSON.parse(changed) as T);
  }

  async updateMany(filter: Filter<T>, change: Change<T>): Promise<number> {
    const where = compileFilter(filter);
    const readSql = `SELECT row, ${DOC} FROM ${this.#table} WHERE row = ?`;
    return this.#database.write((connection) => {
      const rows = parseRowNumbers(connection.get(...this.#rowNumbers(where, {})));
      for (const row of rows) {
        const found = connection.get(readSql, [row]);
        if (found !== undefined) this.#change(connection, found, change);
      }
      return rows.length;
    });
  }

  async delete(filter: Filter<T>): Promise<number> {
    const { text, values } = compileFilter(filter);
    return this.#database.write((connection) => connection.run(`DELETE FROM ${this.#table} WHERE ${text}`, values));
  }

  /**
   * Changed here and not by SQLite's json functions, which round fractions to 15 digits. It is atomic all the same:
   * the transaction holds the write lock from its beginning.
   */
  #change(connection: Connection, [row, doc]: Row, change: Change<T>): string {
    const text = JSON.stringify(applyChange(this.#parse(doc), change));
    connection.run(`UPDATE ${this.#table} SET doc = ? WHERE row = ?`, [text, Number(row)]);
    return text;
  }

  #parse(doc: unknown): T {
    try {
      return readDocument(doc) as T;
    } catch (error) {
      throw this.#database.setDamaged(error);
    }
  }

  #rowNumbers(where: Sql, options: FindOptions<T>): [string, SqlValue[]] {
    // The LIMIT keeps SQLite from dropping the order of the inner query.
    const inner = `SELECT row FROM ${this.#table} WHERE ${where.text} ${compileSort(options.sort)} LIMIT ?`;
    return [`SELECT json_group_array(row) FROM (${inner})`, [...where.values, compileLimit(options.limit)]];
  }
}

function readDocument(doc: unknown): unknown {
  try {
    if (Buffer.isBuffer(doc) && isUtf8(doc)) return JSON.parse(doc.toString()) as unknown;
  } catch {
    // The engine's words quote the record.
  }
  throw new UnreadableRecord("a record cannot be read");
}

function applyChange<T extends Document>(document: T, change: Change<T>): T {
  const set: [string, unknown][] = Object.entries(change.set ?? {});
  const increments: [string, unknown][] = Object.entries(change.increment ?? {});
  // A field given as undefined is not named.
  const named = Object.fromEntries(set.filter(([, value]) => value !== undefined));
  const result: Record<string, unknown> = { ...document, ...named };
  for (const [field, by] of increments) if (by !== undefined) result[field] = sum(field, result[field], by);
  if (result["id"] !== document.id) throw new TypeError("The id of a document cannot change.");
  return result as T;
}

function sum(field: string, current: unknown, by: unknown): number {
  const start = current ?? 0;
  if (typeof start !== "number" || typeof by !== "number") throw new TypeError(`Not a number to count up: ${field}`);
  return start + by;
}

function rowOf(document: Document): SqlValue[] {
  // The driver binds numbers as floating point; a whole one is smaller and faster as integer, and equal to it.
  const id = Number.isSafeInteger(document.id) ? BigInt(document.id) : document.id;
  return [id, JSON.stringify(document)];
}

function parseRowNumbers(row: Row | undefined): number[] {
  const list = row?.[0];
  return typeof list === "string" ? (JSON.parse(list) as number[]) : [];
}
