import type { Document as BsonDocument, UpdateFilter } from "mongodb";
import { totalOrder } from "../keyset.js";
import type { Change, Document, Filter, FindOptions } from "../store.js";
import { toStoredValue } from "./stored-form.js";

const FIELD = /^[a-z_][a-zA-Z0-9_]*$/;
const COLLECTION = /^[a-z][a-z0-9_]*$/;
/** Matches nothing. */
const NEVER = { $in: [] };
/** Matches everything. */
const ALWAYS = { $nin: [] };

/** Name of a collection; the check reserves names that begin with `_` for the store. */
export function collectionName(name: string): string {
  if (!isCollectionName(name)) throw new TypeError(`Not a name for a collection: ${JSON.stringify(name)}`);
  return name;
}

/** Whether a collection of the database can be one of a service. */
export function isCollectionName(name: string): boolean {
  return COLLECTION.test(name);
}

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
