import { totalOrder } from "../paging.js";
import type { Document, Filter, FindOptions } from "../store.js";
import type { SqlValue } from "./sqlite-connection.js";

/** A fragment of SQL and the values of its placeholders. */
export interface Sql {
  text: string;
  values: SqlValue[];
}

const FIELD = /^[a-z_][a-zA-Z0-9_]*$/;
/** Not valid in UTF-8, so texts that contain one are compared in JSON's escaped form. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const COLLECTION = /^[a-z][a-z0-9_]*$/;

/** Table of a collection; the check allows only plain words as names in SQL. */
export function tableName(collection: string): string {
  if (!COLLECTION.test(collection)) throw new TypeError(`Not a name for a collection: ${JSON.stringify(collection)}`);
  return `c_${collection}`;
}

/** The collection of a table; undefined for tables that hold none. */
export function collectionOf(table: string): string | undefined {
  return /^c_([a-z][a-z0-9_]*)$/.exec(table)?.[1];
}

/** The expression that reads a field of a row. */
export type ReadField = (field: string) => string;

/** Reads a field from the document; `doc` is the column that holds it. */
export function fieldOf(doc: string, field: string): string {
  return `json_extract(${doc}, '${fieldPath(field)}')`;
}

/** A field as a part of names: SQLite's are case-insensitive, fields are case-sensitive. */
export function fieldWord(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `^${letter.toLowerCase()}`);
}

/** Condition of a WHERE clause. Throws TypeError on an undefined condition, which would otherwise match everything. */
export function compileFilter<T>(filter: Filter<T>, read: ReadField): Sql {
  const entries: [string, unknown][] = Object.entries(filter);
  return joinConditions(
    entries.map(([field, condition]) => compileCondition({ field, column: read(field) }, condition)),
  );
}

/** An ORDER BY clause with a total order: ties are broken by id. */
export function compileSort<T extends Document>(sort: FindOptions<T>["sort"], read: ReadField): string {
  const terms = totalOrder<T>(sort).map(([field, way]) => `${read(field)} ${way === 1 ? "ASC" : "DESC"}`);
  return `ORDER BY ${terms.join(", ")}`;
}

/** The conjunction of conditions. */
export function joinConditions(parts: readonly Sql[]): Sql {
  return join(parts, " AND ", "1");
}

/** Value of a LIMIT clause; -1 means no limit. */
export function compileLimit(limit: number | undefined): number {
  if (limit === undefined) return -1;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`Not a limit: ${limit}`);
  return limit;
}

function fieldPath(field: string): string {
  if (!FIELD.test(field)) throw new TypeError(`Not a name for a field: ${JSON.stringify(field)}`);
  return `$.${field}`;
}

function join(parts: readonly Sql[], by: string, empty: string): Sql {
  if (parts.length === 0) return { text: empty, values: [] };
  return { text: parts.map(({ text }) => `(${text})`).join(by), values: parts.flatMap(({ values }) => values) };
}

/** A field, the expression that reads it, and whether other conditions limit it to one type. */
interface Subject {
  field: string;
  column: string;
  typed?: boolean;
}

function compileCondition(subject: Subject, condition: unknown): Sql {
  if (typeof condition !== "object" || condition === null) return equal(subject, condition);
  const entries: [string, unknown][] = Object.entries(condition);
  const numbers = new Set(entries.filter(([, operand]) => typeof operand === "number").map(([operator]) => operator));
  // Between two numbers there is no text. A check would be a second bound, which an index might be given instead.
  const typed = (numbers.has("gt") || numbers.has("gte")) && (numbers.has("lt") || numbers.has("lte"));
  return joinConditions(
    entries.map(([operator, operand]) => compileOperator({ ...subject, typed }, operator, operand)),
  );
}

function compileOperator(subject: Subject, operator: string, operand: unknown): Sql {
  switch (operator) {
    case "eq":
      return equal(subject, operand);
    case "ne": {
      const { text, values } = equal(subject, operand);
      return { text: `(${text}) IS NOT TRUE`, values };
    }
    case "in":
      return oneOf(subject, operand);
    case "lt":
      return range(subject, "<", operand);
    case "lte":
      return range(subject, "<=", operand);
    case "gt":
      return range(subject, ">", operand);
    case "gte":
      return range(subject, ">=", operand);
    default:
      throw new TypeError(`Not a condition: ${operator}`);
  }
}

function equal({ field, column }: Subject, value: unknown): Sql {
  if (value === null) return { text: `${column} IS NULL`, values: [] };
  const operand = toOperand(field, value);
  const type = field === "id" ? undefined : ambiguousType(value);
  const check = type === undefined ? "" : ` AND json_type(doc, '${fieldPath(field)}') ${type}`;
  return { text: `${column} = ${operand.text}${check}`, values: operand.values };
}

/** json_extract returns true as 1 and objects as text; the type check for values that could be confused with those. */
function ambiguousType(value: unknown): string | undefined {
  if (typeof value === "boolean") return `= '${value}'`;
  if (value === 0 || value === 1) return "IN ('integer', 'real')";
  if (typeof value === "string" && /^[[{]/.test(value)) return "= 'text'";
  return undefined;
}

function oneOf(subject: Subject, list: unknown): Sql {
  const { field, column } = subject;
  if (!Array.isArray(list)) throw new TypeError(`Not a list of values: ${field}`);
  const values: unknown[] = list;
  // Most lists are bound as one value, so that lists of different lengths share a statement.
  const plain = values.filter((value) => isPlain(field, value));
  const parts = values.filter((value) => !isPlain(field, value)).map((value) => equal(subject, value));
  if (plain.length > 0) {
    const text = `${column} IN (SELECT value FROM json_each(?))`;
    parts.push({ text, values: [JSON.stringify(plain)] });
  }
  return join(parts, " OR ", "0");
}

function isPlain(field: string, value: unknown): boolean {
  if (field !== "id" && ambiguousType(value) !== undefined) return false;
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Matches only values of the operand's type. SQLite sorts null before numbers and numbers before texts. */
function range({ field, column, typed }: Subject, comparison: "<" | "<=" | ">" | ">=", value: unknown): Sql {
  if (value === null) return { text: "0", values: [] };
  const operand = toOperand(field, value);
  const below = comparison.startsWith("<");
  const isText = typeof value === "string";
  const sameType = isText === below && typed !== true ? ` AND ${column} ${isText ? ">=" : "<"} ''` : "";
  return { text: `${column} ${comparison} ${operand.text}${sameType}`, values: operand.values };
}

function toOperand(field: string, value: unknown): Sql {
  if (typeof value === "number" && field === "id") return { text: "?", values: [value] };
  if (value === null || !["boolean", "number", "string"].includes(typeof value)) {
    throw new TypeError(`Not a value to compare ${field} with: ${typeof value}`);
  }
  return toColumnValue(value);
}

/** What reading a field with this value from a document gives, as a value of the same type for SQLite. */
export function toColumnValue(value: unknown): Sql {
  if (value === null || value === undefined) return { text: "?", values: [null] };
  if (typeof value === "boolean") return { text: "?", values: [value ? 1n : 0n] };
  if (typeof value === "string" && !LONE_SURROGATE.test(value)) return { text: "?", values: [value] };
  // The driver binds numbers as floating point; an integer is equal to it, smaller and faster.
  if (typeof value === "number" && Number.isSafeInteger(value)) return { text: "?", values: [BigInt(value)] };
  // Parsed by SQLite like the document: it rounds some fractions wrongly by one bit, but then both are equal.
  return { text: "json_extract(?, '$')", values: [JSON.stringify(value)] };
}
