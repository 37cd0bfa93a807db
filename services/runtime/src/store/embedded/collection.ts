import { setImmediate as nextTurn } from "node:timers/promises";
import { rangesAfter, totalOrder } from "../keyset.js";
import type { Change, Collection, Document, Filter, FindOptions } from "../store.js";
import type { SqlValue } from "./connection.js";
import type { EmbeddedDatabase } from "./database.js";
import { compileFilter, compileLimit, compileSort, joinConditions, type Sql } from "./sql.js";
import { DOC, parseRowNumbers, readDocument, rowOf, Table } from "./table.js";

/** Documents that a stream reads before it yields to the event loop. */
const PAGE = 100;
/** Row numbers that a stream holds at a time. */
const ROWS_MAX = 5000;

/** A collection as a table of JSON texts. */
export class EmbeddedCollection<T extends Document> implements Collection<T> {
  readonly table: Table<T>;
  readonly #database: EmbeddedDatabase;
  readonly #getSql: string;

  constructor(database: EmbeddedDatabase, name: string) {
    this.#database = database;
    this.table = new Table(name, (doc) => this.#parse(doc));
    this.#getSql = `SELECT ${DOC} FROM ${name} WHERE id = ?`;
  }

  /** Whether its rows are in this database. */
  isIn(database: EmbeddedDatabase): boolean {
    return this.#database === database;
  }

  async insert(document: T): Promise<void> {
    const row = rowOf(document);
    await this.#database.write((connection) => this.table.insert(connection, [row]));
  }

  async insertMany(documents: readonly T[]): Promise<void> {
    const rows = documents.map(rowOf);
    await this.#database.write((connection) => this.table.insert(connection, rows));
  }

  async insertNew(documents: readonly T[]): Promise<boolean[]> {
    const rows = documents.map(rowOf);
    return this.#database.write((connection) => this.table.insertNew(connection, rows));
  }

  async put(document: T): Promise<void> {
    const row = rowOf(document);
    await this.#database.write((connection) => this.table.put(connection, row));
  }

  async get(id: T["id"]): Promise<T | undefined> {
    const row = this.#database.get(this.#getSql, [id]);
    return row === undefined ? undefined : this.#parse(row[0]);
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const found: T[] = [];
    for (const { text, values } of this.#pieces(filter, options)) {
      const left = options.limit === undefined ? undefined : options.limit - found.length;
      const sql = `SELECT ${DOC} FROM ${this.table.name} WHERE ${text} ${compileSort(options.sort)} LIMIT ?`;
      const rows = this.#database.all(sql, [...values, compileLimit(left)]);
      for (const [doc] of rows) found.push(this.#parse(doc));
      if (found.length === options.limit) break;
    }
    return found;
  }

  async *stream(filter: Filter<T>, options: FindOptions<T> = {}): AsyncGenerator<T> {
    const where = compileFilter(filter);
    const sql = `SELECT ${DOC} FROM ${this.table.name} WHERE row = ? AND (${where.text})`;
    let left = options.limit ?? Infinity;
    let after = options.after;
    // An open cursor would pin the log and block writes, so the row numbers of a part of the order are read first.
    for (let isFirst = true; left > 0; isFirst = false) {
      if (!isFirst) await nextTurn();
      const limit = Math.min(left, ROWS_MAX);
      const rows = this.#rowNumbers(filter, { ...options, limit, ...(after === undefined ? {} : { after }) });
      after = this.#documentIn(rows.at(-1));
      for (let start = 0; start < rows.length; start += PAGE) {
        if (start > 0) await nextTurn();
        const page = rows.slice(start, start + PAGE).map((row) => this.#database.get(sql, [row, ...where.values]));
        for (const found of page) if (found !== undefined) yield this.#parse(found[0]);
      }
      if (rows.length < limit) return;
      left -= rows.length;
    }
  }

  async count(filter: Filter<T>): Promise<number> {
    const { text, values } = compileFilter(filter);
    return Number(this.#database.get(`SELECT count(*) FROM ${this.table.name} WHERE ${text}`, values)?.[0] ?? 0);
  }

  async update(
    filter: Filter<T>,
    change: Change<T>,
    options: Pick<FindOptions<T>, "sort"> = {},
  ): Promise<T | undefined> {
    return this.#database.write((connection) => this.table.update(connection, { filter, change }, options));
  }

  async updateMany(filter: Filter<T>, change: Change<T>): Promise<number> {
    return this.#database.write((connection) => this.table.updateMany(connection, filter, change));
  }

  async delete(filter: Filter<T>): Promise<number> {
    return this.#database.write((connection) => this.table.delete(connection, filter));
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
    const where = compileFilter(filter);
    if (after === undefined) return [where];
    return rangesAfter(totalOrder(sort), after).map((range) => joinConditions([where, compileFilter(range)]));
  }

  #rowNumbers(filter: Filter<T>, options: FindOptions<T> & { limit: number }): number[] {
    const rows: number[] = [];
    for (const { text, values } of this.#pieces(filter, options)) {
      // Without the LIMIT, SQLite would drop the order of the inner query.
      const inner = `SELECT row FROM ${this.table.name} WHERE ${text} ${compileSort(options.sort)} LIMIT ?`;
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
