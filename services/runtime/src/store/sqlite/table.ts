import { isUtf8 } from "node:buffer";
import type { Change, CollectionSpec, Document, Filter, FindOptions, IndexSpec, Update } from "../store.js";
import { UnreadableRecord } from "./inspection.js";
import { compileFilter, compileSort, fieldOf, fieldWord, type Sql, tableName, toColumnValue } from "./sql.js";
import type { Row, SqliteConnection } from "./sqlite-connection.js";

/** A table, and the columns that hold fields of its documents. */
export interface TableSchema {
  name: string;
  /** Column of each field that an index contains, whoever has opened it. The id is a column of every table. */
  columns: ReadonlyMap<string, string>;
}

/** What a table is called in names of indexes. */
type Named = Pick<CollectionSpec<Document>, "name">;

/**
 * Creates what is missing of a collection, inside a transaction of the caller. Indexes are on columns and not on
 * expressions, because SQLite rewrites an index on an expression whenever the document changes, and one on columns only
 * if they are set. Whoever opens the collection sets all columns that it has then, also those of indexes that only its
 * service or another release knows.
 */
export function openTable<T extends Document>(connection: SqliteConnection, spec: CollectionSpec<T>): TableSchema {
  const name = tableName(spec.name);
  const indexes = spec.indexes ?? [];
  const fields = new Set(indexes.flatMap((index) => index.fields).filter((field) => field !== "id"));
  // Numeric and text ids share one column without affinity: 1 and "1" are different.
  connection.exec(
    `CREATE TABLE IF NOT EXISTS ${name} (row INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc TEXT NOT NULL)`,
  );
  const columns = addColumns(connection, name, fields);
  for (const index of indexes) createIndex(connection, spec, index, columns);
  return { name, columns };
}

const COLUMN = "f_";

function columnOf(field: string): string {
  return `"${COLUMN}${fieldWord(field)}"`;
}

/** Adds columns without a type, which keep values as they are, and fills them from the documents. Returns all columns. */
function addColumns(connection: SqliteConnection, table: string, fields: ReadonlySet<string>): Map<string, string> {
  const columns = new Map(columnsIn(connection, table).map((column) => [fieldOfColumn(column), column]));
  const missing = [...fields].filter((field) => !columns.has(field)).map((field) => [field, columnOf(field)] as const);
  if (missing.length === 0) return columns;
  for (const [, column] of missing) connection.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
  const filled = missing.map(([field, column]) => `${column} = ${fieldOf("doc", field)}`);
  connection.exec(`UPDATE ${table} SET ${filled.join(", ")}`);
  return new Map([...columns, ...missing]);
}

/** The columns of fields, quoted. */
function columnsIn(connection: SqliteConnection, table: string): string[] {
  // Read as bytes: the driver aborts the process on text that is not UTF-8.
  const rows = connection.all(`SELECT CAST(name AS BLOB) FROM pragma_table_info('${table}')`);
  return rows.map(([name]) => String(name)).flatMap((name) => (name.startsWith(COLUMN) ? [`"${name}"`] : []));
}

function fieldOfColumn(column: string): string {
  const word = column.slice(1 + COLUMN.length, -1);
  return word.replaceAll(/\^(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** SQLite treats nulls as distinct in a unique index, which is the exemption that the port specifies. */
function createIndex<T extends Document>(
  connection: SqliteConnection,
  collection: Named,
  { fields, unique = false }: IndexSpec<T>,
  columns: ReadonlyMap<string, string>,
): void {
  const words = fields.map(fieldWord).join(",");
  const kind = unique ? "u" : "i";
  const parts = fields.map((field) => columns.get(field) ?? "id");
  // With the id as last field, the index also serves the order of ties.
  if (!unique && !parts.includes("id")) parts.push("id");
  const table = tableName(collection.name);
  const name = `"${kind}_${collection.name}(${words})"`;
  connection.exec(`CREATE ${unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS ${name} ON ${table} (${parts.join(", ")})`);
}

/** Read as bytes: the driver aborts the process on text that is not UTF-8, which damage to the disk can cause. */
export const DOC = "CAST(doc AS BLOB)";

/** A document as the values of an INSERT: its id, its JSON, and its columns. */
export interface StoredRow extends Sql {
  readonly companyId: number | undefined;
}

/** Rows of one INSERT. The others are inserted one by one, so that a table has few different statements. */
const ROWS_TOGETHER = 32;

/** The writes of one collection, each synchronous and inside a transaction of the caller. */
export class Table<T extends Document> {
  readonly name: string;
  readonly #columns: ReadonlyMap<string, string>;
  readonly #parse: (doc: unknown) => T;
  readonly #insertSql: string;
  readonly #replaceSql: string;

  /** `parse` reads a document as `readDocument` does. */
  constructor({ name, columns }: TableSchema, parse: (doc: unknown) => T) {
    const names = ["doc", ...columns.values()];
    this.name = name;
    this.#columns = columns;
    this.#parse = parse;
    this.#insertSql = `INSERT INTO ${name} (${["id", ...names].join(", ")}) VALUES`;
    this.#replaceSql = `ON CONFLICT (id) DO UPDATE SET ${names.map((each) => `${each} = excluded.${each}`).join(", ")}`;
  }

  /** The row of a document. JSON texts are kept as written, so SQLite's number conversion has no effect on them. */
  rowOf(document: Document): StoredRow {
    const fields = document as unknown as Record<string, unknown>;
    const columns = [...this.#columns.keys()].map((field) => toColumnValue(fields[field]));
    const id = Number.isSafeInteger(document.id) ? BigInt(document.id) : document.id;
    const values = [id, JSON.stringify(document), ...columns.flatMap((column) => column.values)];
    const text = `(${["?", "?", ...columns.map((column) => column.text)].join(", ")})`;
    return { text, values, companyId: companyOf(document) };
  }

  /** Like `rowOf`, for a document that gets its id when it is inserted. */
  rowWithoutId(document: object): (id: number) => StoredRow {
    const { text, values, companyId } = this.rowOf({ id: 0, ...document });
    const [, json, ...columns] = values;
    const rest = String(json).slice('{"id":0'.length);
    return (id) => ({ text, values: [BigInt(id), `{"id":${id}${rest}`, ...columns], companyId });
  }

  /** Condition of a WHERE clause. */
  where(filter: Filter<T>): Sql {
    return compileFilter(filter, this.#read);
  }

  /** An ORDER BY clause. */
  order(sort: FindOptions<T>["sort"]): string {
    return compileSort<T>(sort, this.#read);
  }

  /** In statements of many rows, which are faster. */
  insert(connection: SqliteConnection, rows: readonly StoredRow[]): void {
    const together = rows.length - (rows.length % ROWS_TOGETHER);
    for (let start = 0; start < together; start += ROWS_TOGETHER) {
      this.#insertRows(connection, rows.slice(start, start + ROWS_TOGETHER));
    }
    for (const row of rows.slice(together)) this.#insertRows(connection, [row]);
  }

  #insertRows(connection: SqliteConnection, rows: readonly StoredRow[]): void {
    const values = rows.flatMap((row) => row.values);
    this.#countWrites(connection, rows);
    connection.run(`${this.#insertSql} ${rows.map(({ text }) => text).join(", ")}`, values);
  }

  insertNew(connection: SqliteConnection, rows: readonly StoredRow[]): boolean[] {
    this.#countWrites(connection, rows);
    return rows.map(
      ({ text, values }) => connection.run(`${this.#insertSql} ${text} ON CONFLICT DO NOTHING`, values) === 1,
    );
  }

  put(connection: SqliteConnection, { text, values }: StoredRow): void {
    // What it replaces is not read.
    connection.countWrite(this.name, undefined);
    connection.run(`${this.#insertSql} ${text} ${this.#replaceSql}`, values);
  }

  /** Changes the first matching document and returns it after the change. */
  update(connection: SqliteConnection, update: Update<T>, options: Pick<FindOptions<T>, "sort"> = {}): T | undefined {
    const found = this.#first(connection, update.filter, options.sort);
    return found === undefined ? undefined : (JSON.parse(this.#change(connection, found, update.change)) as T);
  }

  /** Like update, without the document; returns whether there was one. */
  change(connection: SqliteConnection, { filter, change }: Update<T>): boolean {
    const found = this.#first(connection, filter);
    if (found !== undefined) this.#change(connection, found, change);
    return found !== undefined;
  }

  updateMany(connection: SqliteConnection, filter: Filter<T>, change: Change<T>): number {
    const { text, values } = this.where(filter);
    const rows = parseRowNumbers(
      connection.get(`SELECT json_group_array(row) FROM ${this.name} WHERE ${text}`, values),
    );
    for (const row of rows) {
      const found = connection.get(`SELECT row, ${DOC} FROM ${this.name} WHERE row = ?`, [row]);
      if (found !== undefined) this.#change(connection, found, change);
    }
    return rows.length;
  }

  fits(connection: SqliteConnection, filter: Filter<T>): boolean {
    const { text, values } = this.where(filter);
    return connection.get(`SELECT 1 FROM ${this.name} WHERE ${text} LIMIT 1`, values) !== undefined;
  }

  delete(connection: SqliteConnection, filter: Filter<T>): number {
    // What it deletes is not read.
    connection.countWrite(this.name, undefined);
    const { text, values } = this.where(filter);
    return connection.run(`DELETE FROM ${this.name} WHERE ${text}`, values);
  }

  #countWrites(connection: SqliteConnection, documents: readonly Pick<StoredRow, "companyId">[]): void {
    const companies = new Set(documents.map(({ companyId }) => companyId));
    for (const companyId of companies) connection.countWrite(this.name, companyId);
  }

  readonly #read = (field: string): string =>
    field === "id" ? "id" : (this.#columns.get(field) ?? fieldOf("doc", field));

  #first(connection: SqliteConnection, filter: Filter<T>, sort?: FindOptions<T>["sort"]): Row | undefined {
    const { text, values } = this.where(filter);
    return connection.get(`SELECT row, ${DOC} FROM ${this.name} WHERE ${text} ${this.order(sort)} LIMIT 1`, values);
  }

  /**
   * The change is made here and not by SQLite's json functions, which round fractions to 15 digits. It is still atomic,
   * because the transaction holds the write lock from its beginning.
   */
  #change(connection: SqliteConnection, [row, doc]: Row, change: Change<T>): string {
    const before = this.#parse(doc);
    const after = applyChange(before, change);
    const text = JSON.stringify(after);
    const columns = this.#changedColumns(before, after);
    const set = ["doc = ?", ...columns.map((column) => column.text)];
    const values = [text, ...columns.flatMap((column) => column.values), Number(row)];
    this.#countWrites(
      connection,
      [before, after].map((each) => ({ companyId: companyOf(each) })),
    );
    connection.run(`UPDATE ${this.name} SET ${set.join(", ")} WHERE row = ?`, values);
    return text;
  }

  /** Only these are set, because SQLite rewrites the indexes of the columns that are set. */
  #changedColumns(before: T, after: T): Sql[] {
    const [from, to] = [before, after] as unknown as Record<string, unknown>[];
    return [...this.#columns].flatMap(([field, column]) => {
      if (from?.[field] === to?.[field]) return [];
      const { text, values } = toColumnValue(to?.[field]);
      return [{ text: `${column} = ${text}`, values }];
    });
  }
}

/** The company that a document names; undefined if it names none. */
function companyOf(document: Document): number | undefined {
  const { companyId } = document as { companyId?: unknown };
  return typeof companyId === "number" ? companyId : undefined;
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
