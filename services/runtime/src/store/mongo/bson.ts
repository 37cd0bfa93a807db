import type { Document as BsonDocument, UpdateFilter } from "mongodb";
import { totalOrder } from "../paging.js";
import type { Change, Document, Filter, FindOptions } from "../store.js";

/**
 * JSON is stored as BSON unchanged, readable in any tool, except for what BSON cannot represent or treats specially. A
 * lone surrogate is not valid UTF-8; a field name ends at a NUL, and `$`, `.` and `_bsontype` are special in it. Such a
 * character is written as this noncharacter of Unicode and four hexadecimal digits, and so is the noncharacter itself.
 */
const ESCAPE = "\uFDD0";
const IN_TEXT = /\uFDD0|\p{Surrogate}/gu;
const IN_NAME = /^(?:\$|_(?=_proto__$|bsontype$|id$))|[\0.\uFDD0]|\p{Surrogate}/gu;
const ESCAPED = /\uFDD0([0-9a-f]{4})/g;

/**
 * A field that is not part of the document. Each commit that checks a document sets it to a new value, because the
 * server ignores a write that changes nothing and would not detect a conflict with other writes.
 */
export const FENCE = `${ESCAPE}fence`;

/** A document as stored: `id` becomes `_id`, the first field. */
export function toStored(document: Document): BsonDocument {
  const { id, ...fields } = document as Document & Record<string, unknown>;
  return { _id: toStoredValue(id), ...(toStoredValue(fields) as Record<string, unknown>) };
}

/** The document of a stored one. */
export function fromStored(stored: BsonDocument): Document {
  const { _id, [FENCE]: _fence, ...fields } = stored;
  return { id: fromStoredValue(_id), ...(fromStoredValue(fields) as object) } as Document;
}

/** A JSON value as stored; values that JSON omits or writes as null or 0 are treated the same way here. */
export function toStoredValue(value: unknown): unknown {
  if (typeof value === "string") return value.replace(IN_TEXT, escape);
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (Array.isArray(value)) return value.map((entry) => (entry === undefined ? null : toStoredValue(entry)));
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    if (entry !== undefined) result[name.replace(IN_NAME, escape)] = toStoredValue(entry);
  }
  return result;
}

function fromStoredValue(value: unknown): unknown {
  if (typeof value === "string") return unescape(value);
  if (Array.isArray(value)) return value.map(fromStoredValue);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => [unescape(name), fromStoredValue(entry)] as const);
  return Object.fromEntries(entries); // which treats `__proto__` like any other name
}

function escape(character: string): string {
  return ESCAPE + character.charCodeAt(0).toString(16).padStart(4, "0");
}

function unescape(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(ESCAPED, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

const FIELD = /^[a-z_][a-zA-Z0-9_]*$/;
/** Matches nothing. */
const NEVER = { $in: [] };
/** Matches everything. */
const ALWAYS = { $nin: [] };

/** Name of a field as stored; the check rejects paths and operators. */
export function storedField(field: string): string {
  if (!FIELD.test(field) || field === "_id") throw new TypeError(`Not a name for a field: ${JSON.stringify(field)}`);
  return field === "id" ? "_id" : field;
}

/**
 * Converts a filter of the port to one of MongoDB. Like the port, MongoDB compares only values of the same type and
 * treats a missing field as null. Throws TypeError on an undefined condition, which would otherwise match everything.
 */
export function compileFilter<T>(filter: Filter<T>): BsonDocument {
  const entries: [string, unknown][] = Object.entries(filter);
  return Object.fromEntries(
    entries.map(([field, condition]) => [storedField(field), compileCondition(field, condition)]),
  );
}

/** The total order of the port. */
export function compileSort<T extends Document>(sort?: FindOptions<T>["sort"]): Record<string, 1 | -1> {
  return Object.fromEntries(totalOrder<T>(sort).map(([field, direction]) => [storedField(field), direction] as const));
}

/** Checks a limit. 0 stays 0, which means no documents in the port but no limit in the driver. */
export function checkedLimit(limit: number | undefined): number | undefined {
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) throw new RangeError(`Not a limit: ${limit}`);
  return limit;
}

/**
 * Converts a change of the port to an update of MongoDB; undefined if it changes nothing. Fields that are not named
 * keep their values, including fields unknown to this version. `$inc` refuses null, which counts as 0 in the port, so
 * sums use a pipeline.
 */
export function compileChange<T>({
  set,
  increment,
}: Change<T>): UpdateFilter<BsonDocument> | BsonDocument[] | undefined {
  const values = changesOf(set).map(([field, value]) => [field, toStoredValue(value)] as const);
  const sums = changesOf(increment).map(([field, by]) => {
    if (typeof by !== "number") throw new TypeError(`Not a number to add to ${field}`);
    return [field, { $add: [{ $ifNull: [`$${field}`, 0] }, by] }] as const;
  });
  if (sums.length === 0) return values.length === 0 ? undefined : { $set: Object.fromEntries(values) };
  const literals = values.map(([field, value]) => [field, { $literal: value }] as const);
  const setting = literals.length === 0 ? [] : [{ $set: Object.fromEntries(literals) }];
  return [...setting, { $set: Object.fromEntries(sums) }];
}

/** The named fields: a field set to undefined counts as not named. */
function changesOf(part: object | undefined): [string, unknown][] {
  const entries: [string, unknown][] = Object.entries(part ?? {});
  const named = entries.filter(([, value]) => value !== undefined);
  for (const [field] of named) {
    if (storedField(field) === "_id") throw new TypeError("The id of a document cannot change.");
  }
  return named;
}

function compileCondition(field: string, condition: unknown): BsonDocument {
  if (typeof condition !== "object" || condition === null) return { $eq: toOperand(field, condition) };
  const operators: [string, unknown][] = Object.entries(condition);
  // MongoDB would read a condition without operators as equality to an empty document.
  if (operators.length === 0) return ALWAYS;
  const compiled = operators.map(([operator, operand]) => compileOperator(field, operator, operand));
  return compiled.includes(NEVER) ? NEVER : (Object.assign({}, ...compiled) as BsonDocument);
}

function compileOperator(field: string, operator: string, operand: unknown): BsonDocument {
  switch (operator) {
    case "eq":
      return { $eq: toOperand(field, operand) };
    case "ne":
      return { $ne: toOperand(field, operand) };
    case "in":
      if (!Array.isArray(operand)) throw new TypeError(`Not a list of values: ${field}`);
      return { $in: operand.map((value) => toOperand(field, value)) };
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      // In MongoDB, null is <= and >= null; in the port, no range condition matches null.
      return operand === null ? NEVER : { [`$${operator}`]: toOperand(field, operand) };
    default:
      throw new TypeError(`Not a condition: ${operator}`);
  }
}

function toOperand(field: string, value: unknown): unknown {
  const isScalar = value === null || ["string", "number", "boolean"].includes(typeof value);
  if (!isScalar) throw new TypeError(`Not a value to compare ${field} with: ${typeof value}`);
  return toStoredValue(value);
}
