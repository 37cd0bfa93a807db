import type { CollectionSpec, Document, IndexSpec } from "../store.js";
import type { Connection } from "./file/connection.js";
import { fieldOf, fieldWord, tableName } from "./sql.js";

/** A table, and the columns that hold fields of its documents. */
export interface TableSchema {
  name: string;
  /** Column of each field that an index contains. The id is a column of every table. */
  columns: ReadonlyMap<string, string>;
}

/** What a table with its own columns is called in names of indexes and triggers. */
type Named = Pick<CollectionSpec<Document>, "name">;

/**
 * Creates what is missing of a collection, inside a transaction of the caller. Indexes are on columns and not on
 * expressions, because SQLite rewrites an index on an expression whenever the document changes, and one on columns only
 * if they are set.
 */
export function openTable<T extends Document>(connection: Connection, spec: CollectionSpec<T>): TableSchema {
  const name = tableName(spec.name);
  const indexes = spec.indexes ?? [];
  const fields = new Set(indexes.flatMap((index) => index.fields).filter((field) => field !== "id"));
  const columns = new Map([...fields].map((field) => [field, columnOf(field)]));
  // Numeric and text ids share one column without affinity: 1 and "1" are different.
  connection.exec(
    `CREATE TABLE IF NOT EXISTS ${name} (row INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc TEXT NOT NULL)`,
  );
  addColumns(connection, spec, columns);
  for (const index of indexes) createIndex(connection, spec, index, columns);
  return { name, columns };
}

const COLUMN = "f_";

function columnOf(field: string): string {
  return `"${COLUMN}${fieldWord(field)}"`;
}

/** Adds columns without a type, which keep values as they are, and fills them from the documents. */
function addColumns(connection: Connection, collection: Named, columns: ReadonlyMap<string, string>): void {
  const table = tableName(collection.name);
  const known = new Set(columnsIn(connection, table));
  const missing = [...columns].filter(([, column]) => !known.has(column));
  if (missing.length === 0) return;
  for (const [, column] of missing) connection.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
  const filled = missing.map(([field, column]) => `${column} = ${fieldOf("doc", field)}`);
  connection.exec(`UPDATE ${table} SET ${filled.join(", ")}`);
  guardColumns(connection, collection);
}

/** The columns of fields, quoted. */
function columnsIn(connection: Connection, table: string): string[] {
  // Read as bytes: the driver aborts the process on text that is not UTF-8.
  const rows = connection.all(`SELECT CAST(name AS BLOB) FROM pragma_table_info('${table}')`);
  return rows.map(([name]) => String(name)).flatMap((name) => (name.startsWith(COLUMN) ? [`"${name}"`] : []));
}

/**
 * Triggers that set the columns if a write has not: a process of another release writes the document, but not the
 * columns that it does not know.
 */
function guardColumns(connection: Connection, { name }: Named): void {
  const table = tableName(name);
  const pairs = columnsIn(connection, table).map((column) => [column, fieldOf("NEW.doc", fieldOfColumn(column))]);
  const differs = pairs.map(([column, value]) => `NEW.${column} IS NOT ${value}`).join(" OR ");
  const set = pairs.map(([column, value]) => `${column} = ${value}`).join(", ");
  for (const [kind, event] of [
    ["insert", "INSERT"],
    ["update", "UPDATE OF doc"],
  ] as const) {
    const trigger = `guard_${kind}_${table}`;
    connection.exec(`DROP TRIGGER IF EXISTS ${trigger}`);
    connection.exec(
      `CREATE TRIGGER ${trigger} AFTER ${event} ON ${table} WHEN ${differs}
       BEGIN UPDATE ${table} SET ${set} WHERE row = NEW.row; END`,
    );
  }
}

function fieldOfColumn(column: string): string {
  const word = column.slice(1 + COLUMN.length, -1);
  return word.replaceAll(/\^(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** SQLite treats nulls as distinct in a unique index, which is the exemption that the port specifies. */
function createIndex<T extends Document>(
  connection: Connection,
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
  // Releases before the columns had indexes on expressions under this name.
  connection.exec(`DROP INDEX IF EXISTS "${kind}_${collection.name}(${words})"`);
  const name = `"${kind}c_${collection.name}(${words})"`;
  connection.exec(`CREATE ${unique ? "UNIQUE " : ""}INDEX IF NOT EXISTS ${name} ON ${table} (${parts.join(", ")})`);
}
