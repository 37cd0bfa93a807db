import { setImmediate as nextTurn } from "node:timers/promises";
import { narrow, rangesAfter, totalOrder } from "../paging.js";
import type { Change, Collection, Document, Filter, FindOptions } from "../store.js";
import { compileLimit, joinConditions, type Sql } from "./sql.js";
import type { SqlValue } from "./sqlite-connection.js";
import type { SqliteDatabase } from "./sqlite-database.js";
import { DOC, parseRowNumbers, readDocument, Table, type TableSchema } from "./table.js";

/** Documents that a stream reads before it yields to the event loop. */
const PAGE = 100;
/** Row numbers that a stream holds at a time. */
const ROWS_MAX = 5000;

/** A collection as a table of JSON texts. */
export class SqliteCollection<T extends Document> implements Collection<T> {
  readonly table: Table<T>;
  readonly #database: SqliteDatabase;
  readonly #getSql: string;

  constructor(database: SqliteDatabase, schema: TableSchema) {
    this.#database = database;
    this.table = new Table(schema, (doc) => this.#parse(doc));
    this.#getSql = `SELECT ${DOC} FROM ${schema.name} WHERE id = ?`;
  }

  /** Whether its rows are in this database. */
  isIn(database: SqliteDatabase): boolean {
    return this.#database === database;
  }

  async insert(document: T): Promise<void> {
    const row = this.table.rowOf(document);
    await this.#database.write((connection) => this.table.insert(connection, [row]), { undo: false });
  }

  async insertMany(documents: readonly T[]): Promise<void> {
    const rows = documents.map((document) => this.table.rowOf(document));
    await this.#database.write((connection) => this.table.insert(connection, rows));
  }

  async insertNew(documents: readonly T[]): Promise<boolean[]> {
    const rows = documents.map((document) => this.table.rowOf(document));
    return this.#database.write((connection) => this.table.insertNew(connection, rows));
  }

  async put(document: T): Promise<void> {
    const row = this.table.rowOf(document);
    await this.#database.write((connection) => this.table.put(connection, row), { undo: false });
  }

  async get(id: T["id"]): Promise<T | undefined> {
    const row = this.#database.get(this.#getSql, [id]);
    return row === undefined ? undefined : this.#parse(row[0]);
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const found: T[] = [];
    for (const { text, values } of this.#pieces(filter, options)) {
      const left = options.limit === undefined ? undefined : options.limit - found.length;
      const sql = `SELECT ${DOC} FROM ${this.table.name} WHERE ${text} ${this.table.order(options.sort)} LIMIT ?`;
      const rows = this.#database.all(sql, [...values, compileLimit(left)]);
      for (const [doc] of rows) found.push(this.#parse(doc));
      if (found.length === options.limit) break;
    }
    return found;
  }

  async *stream(filter: Filter<T>, options: FindOptions<T> = {}): AsyncGenerator<T> {
    const where = this.table.where(filter);
    // A statement for each document would take twice as long. CROSS JOIN keeps the order of the row numbers.
    const page = `(SELECT value AS number FROM json_each(?)) CROSS JOIN ${this.table.name} ON row = number`;
    const sql = `SELECT ${DOC} FROM ${page} WHERE ${where.text}`;
    let left = options.limit ?? Infinity;
    let after = options.after;
    // An open cursor would pin the log and block writes, so the row numbers of a part of the order are read first.
    for (let isFirst = true; ; isFirst = false) {
      if (!isFirst) await nextTurn();
      const limit = Math.min(left, ROWS_MAX);
      const rows = this.#rowNumbers(filter, { ...options, limit, ...(after === undefined ? {} : { after }) });
      left -= rows.length;
      const isLast = rows.length < limit || left === 0;
      if (!isLast) after = this.#documentIn(rows.at(-1));
      for (let start = 0; start < rows.length; start += PAGE) {
        if (start > 0) await nextTurn();
        const numbers = JSON.stringify(rows.slice(start, start + PAGE));
        for (const [doc] of this.#database.all(sql, [numbers, ...where.values])) yield this.#parse(doc);
      }
      if (isLast) return;
    }
  }

  async count(filter: Filter<T>, limit?: number): Promise<number> {
    const { text, values } = this.table.where(filter);
    const counted = `FROM ${this.table.name} WHERE ${text}`;
    const row =
      limit === undefined
        ? this.#database.get(`SELECT count(*) ${counted}`, values)
        : this.#database.get(`SELECT count(*) FROM (SELECT 1 ${counted} LIMIT ?)`, [...values, compileLimit(limit)]);
    return Number(row?.[0] ?? 0);
  }

  async update(
    filter: Filter<T>,
    change: Change<T>,
    options: Pick<FindOptions<T>, "sort"> = {},
  ): Promise<T | undefined> {
    return this.#database.write((connection) => this.table.update(connection, { filter, change }, options), {
      undo: false,
    });
  }

  async updateMany(filter: Filter<T>, change: Change<T>): Promise<number> {
    return this.#database.write((connection) => this.table.updateMany(connection, filter, change));
  }

  async delete(filter: Filter<T>): Promise<number> {
    return this.#database.write((connection) => this.table.delete(connection, filter), { undo: false });
  }

  #parse(doc: unknown): T {
    try {
      return readDocument(doc) as T;
    } catch (error) {
      throw this.#database.setDamaged(error);
    }
  }

  /** Conditions that are queried one after the other, so that an index serves each of them. */
  #pieces(filter: Filter<T>, { sort, after }: FindOptions<T>): Sql[] {
    if (after === undefined) return [this.table.where(filter)];
    return rangesAfter(totalOrder(sort), after).map((range) => {
      const narrowed = narrow(filter, range);
      return narrowed === undefined
        ? joinConditions([this.table.where(filter), this.table.where(range)])
        : this.table.where(narrowed);
    });
  }

  #rowNumbers(filter: Filter<T>, options: FindOptions<T> & { limit: number }): number[] {
    const rows: number[] = [];
    for (const { text, values } of this.#pieces(filter, options)) {
      // Without the LIMIT, SQLite would drop the order of the inner query.
      const inner = `SELECT row FROM ${this.table.name} WHERE ${text} ${this.table.order(options.sort)} LIMIT ?`;
      const bound: SqlValue[] = [...values, compileLimit(options.limit - rows.length)];
      rows.push(...parseRowNumbers(this.#database.get(`SELECT json_group_array(row) FROM (${inner})`, bound)));
      if (rows.length === options.limit) break;
    }
    return rows;
  }

  #documentIn(row: number | undefined): T | undefined {
    if (row === undefined) return undefined;
    const found = this.#database.get(`SELECT ${DOC} FROM ${this.table.name} WHERE row = ?`, [row]);
    return found === undefined ? undefined : this.#parse(found[0]);
  }
}
