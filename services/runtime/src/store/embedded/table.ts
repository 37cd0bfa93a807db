import { isUtf8 } from "node:buffer";
import type { Update } from "../steps.js";
import type { Change, Document, Filter, FindOptions } from "../store.js";
import type { Connection, Row, SqlValue } from "./connection.js";
import { UnreadableRecord } from "./damage.js";
import { compileFilter, compileSort } from "./sql.js";

/** Read as bytes: the driver aborts the process on text that is not UTF-8, which damage to the disk can cause. */
export const DOC = "CAST(doc AS BLOB)";

/** A document as stored in the table. JSON texts are kept as written, so SQLite's number conversion has no effect. */
export type StoredRow = readonly [id: SqlValue, doc: string];

/** The writes of one collection, each synchronous and inside a transaction of the caller. */
export class Table<T extends Document> {
  readonly name: string;
  readonly #parse: (doc: unknown) => T;
  readonly #insertSql: string;

  /** `parse` reads a document as `readDocument` does. */
  constructor(name: string, parse: (doc: unknown) => T) {
    this.name = name;
    this.#parse = parse;
    this.#insertSql = `INSERT INTO ${name} (id, doc) VALUES (?, ?)`;
  }

  insert(connection: Connection, rows: readonly StoredRow[]): void {
    for (const row of rows) connection.run(this.#insertSql, row);
  }

  insertNew(connection: Connection, rows: readonly StoredRow[]): boolean[] {
    const sql = `${this.#insertSql} ON CONFLICT DO NOTHING`;
    return rows.map((row) => connection.run(sql, row) === 1);
  }

  put(connection: Connection, row: StoredRow): void {
    connection.run(`${this.#insertSql} ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`, row);
  }

  update(
    connection: Connection,
    { filter, change }: Update<T>,
    options: Pick<FindOptions<T>, "sort"> = {},
  ): T | undefined {
    const { text, values } = compileFilter(filter);
    const sql = `SELECT row, ${DOC} FROM ${this.name} WHERE ${text} ${compileSort(options.sort)} LIMIT 1`;
    const found = connection.get(sql, values);
    return found === undefined ? undefined : (JSON.parse(this.#change(connection, found, change)) as T);
  }

  updateMany(connection: Connection, filter: Filter<T>, change: Change<T>): number {
    const { text, values } = compileFilter(filter);
    const rows = parseRowNumbers(
      connection.get(`SELECT json_group_array(row) FROM ${this.name} WHERE ${text}`, values),
    );
    for (const row of rows) {
      const found = connection.get(`SELECT row, ${DOC} FROM ${this.name} WHERE row = ?`, [row]);
      if (found !== undefined) this.#change(connection, found, change);
    }
    return rows.length;
  }

  fits(connection: Connection, filter: Filter<T>): boolean {
    const { text, values } = compileFilter(filter);
    return connection.get(`SELECT 1 FROM ${this.name} WHERE ${text} LIMIT 1`, values) !== undefined;
  }

  delete(connection: Connection, filter: Filter<T>): number {
    const { text, values } = compileFilter(filter);
    return connection.run(`DELETE FROM ${this.name} WHERE ${text}`, values);
  }

  /**
   * The change is made here and not by SQLite's json functions, which round fractions to 15 digits. It is still atomic,
   * because the transaction holds the write lock from its beginning.
   */
  #change(connection: Connection, [row, doc]: Row, change: Change<T>): string {
    const text = JSON.stringify(applyChange(this.#parse(doc), change));
    connection.run(`UPDATE ${this.name} SET doc = ? WHERE row = ?`, [text, Number(row)]);
    return text;
  }
}

/** The row of a document. */
export function rowOf(document: Document): StoredRow {
  // The driver binds numbers as floating point; an integer is equal to it, smaller and faster.
  const id = Number.isSafeInteger(document.id) ? BigInt(document.id) : document.id;
  return [id, JSON.stringify(document)];
}

/** The document of a row; throws UnreadableRecord if the store cannot have written it. */
export function readDocument(doc: unknown): unknown {
  try {
    if (Buffer.isBuffer(doc) && isUtf8(doc)) return JSON.parse(doc.toString()) as unknown;
  } catch {
    // The engine's message is not used because it quotes the record.
  }
  throw new UnreadableRecord("a record cannot be read");
}

/** The numbers from json_group_array. */
export function parseRowNumbers(row: Row | undefined): number[] {
  const list = row?.[0];
  return typeof list === "string" ? (JSON.parse(list) as number[]) : [];
}

function applyChange<T extends Document>(document: T, change: Change<T>): T {
  const set: [string, unknown][] = Object.entries(change.set ?? {});
  const increments: [string, unknown][] = Object.entries(change.increment ?? {});
  // A field set to undefined counts as not named.
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
