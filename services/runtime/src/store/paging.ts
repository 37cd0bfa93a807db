import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../errors/app-error.js";
import type { Collection, Document, Filter, FindOptions } from "./store.js";

type Sort<T> = readonly (readonly [keyof T & string, 1 | -1])[];

/**
 * The total order of a query: ties are broken by id, in the direction of the last field, so that an index that ends in
 * the id serves both directions.
 */
export function totalOrder<T extends Document>(sort: FindOptions<T>["sort"] = []): Sort<T> {
  if (sort.some(([field]) => field === "id")) return sort;
  return [...sort, ["id", sort.at(-1)?.[1] ?? 1]];
}

/**
 * Filters that together match all documents after a given one in a total order. They are disjoint and listed in that
 * order; each consists of equalities and one range, which an index in the sort order serves. Null comes first, then
 * numbers or booleans, then texts. Throws TypeError on a value that cannot be ordered.
 */
export function rangesAfter<T extends Document>(order: Sort<T>, last: Partial<T>): Filter<T>[] {
  const ranges: Filter<T>[] = [];
  for (let depth = order.length - 1; depth >= 0; depth -= 1) {
    const [field, direction] = order[depth] ?? ["id", 1];
    const equal = order.slice(0, depth).map(([name]) => [name, { eq: valueOf(last, name) }] as const);
    const behind = direction === 1 ? above(valueOf(last, field)) : below(valueOf(last, field));
    for (const range of behind) ranges.push(Object.fromEntries([...equal, [field, range]]) as Filter<T>);
  }
  return ranges;
}

/**
 * A filter and a range of `rangesAfter` as one filter, undefined if they cannot be one. Of the bounds of a field, those
 * that the range implies are left out: an index serves one lower and one upper bound, and might be given the wider one.
 */
export function narrow<T>(filter: Filter<T>, range: Filter<T>): Filter<T> | undefined {
  const narrowed: Record<string, unknown> = { ...filter };
  for (const [field, added] of Object.entries(range)) {
    const merged = field in narrowed ? mergeBounds(narrowed[field], added) : added;
    if (merged === undefined) return undefined;
    narrowed[field] = merged;
  }
  return narrowed as Filter<T>;
}

type Bounds = Record<string, unknown>;

function mergeBounds(existing: unknown, added: unknown): Bounds | undefined {
  if (!isBounds(existing) || !isBounds(added)) return undefined;
  const { gt, lt } = added;
  const left = Object.entries(existing).filter(([operator, bound]) => {
    if (typeof bound !== "number") return true;
    if (operator === "gte" || operator === "gt") return typeof gt !== "number" || bound > gt;
    if (operator === "lte" || operator === "lt") return typeof lt !== "number" || bound < lt;
    return true;
  });
  return left.some(([operator]) => operator in added) ? undefined : { ...Object.fromEntries(left), ...added };
}

function isBounds(condition: unknown): condition is Bounds {
  return typeof condition === "object" && condition !== null;
}

type Value = string | number | boolean | null;

function valueOf<T extends Document>(document: Partial<T>, field: keyof T & string): Value {
  const value: unknown = document[field] ?? null;
  if (value !== null && !["string", "number", "boolean"].includes(typeof value)) {
    throw new TypeError(`Not a value to read on after: ${field}`);
  }
  return value as Value;
}

function above(value: Value): object[] {
  if (value === null) return [{ ne: null }];
  return typeof value === "number" ? [{ gt: value }, { gte: "" }] : [{ gt: value }];
}

function below(value: Value): object[] {
  if (value === null) return [];
  const numbers = typeof value === "string" ? [{ lte: Number.MAX_VALUE }] : [];
  return [{ lt: value }, ...numbers, { eq: null }];
}

/** Records of a page if the caller does not say how many. */
export const PAGE_LIMIT_DEFAULT = 50;

export interface IdPageRequest {
  limit: number | undefined;
  /** Empty for the first page. */
  cursor: string;
}

export interface IdPage<T> {
  records: T[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** One page of the matching documents, highest id first. Throws AppError `invalid` for a malformed cursor. */
export async function readIdPage<T extends Document & { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { limit = PAGE_LIMIT_DEFAULT, cursor }: IdPageRequest,
): Promise<IdPage<T>> {
  const before = cursor === "" ? {} : { id: { lt: readIdCursor(cursor) } };
  const found = await collection.find({ ...filter, ...before }, { sort: [["id", -1]], limit: limit + 1 });
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return { records, nextCursor: found.length > limit && last !== undefined ? writeIdCursor(last.id) : "" };
}

/** Which records of a list a page has, of those that an index cannot tell apart. */
export interface Selection<T> {
  /** Those of the records, in their order, that belong to the list. */
  readonly select: (records: readonly T[]) => Promise<readonly T[]>;
  /** Whether the list has ended before this record. */
  readonly isBehind: (record: T) => boolean;
  /** What a look at the record costs, at least 1; 1 if absent. */
  readonly costOf?: (record: T) => number;
}

/** Records that are read at a time. */
const SELECTION_BATCH = 100;
/** What the looks of one page may cost together. */
const SELECTION_COST_MAX = 1000;

/**
 * One page of the selected documents, highest id first. It looks at a limited number of documents: such a page may have
 * fewer records than asked for, or none, although there is a next one. Throws AppError `invalid` for a malformed cursor.
 */
export async function readSelectedIdPage<T extends Document & { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { page: { limit = PAGE_LIMIT_DEFAULT, cursor }, selection }: { page: IdPageRequest; selection: Selection<T> },
): Promise<IdPage<T>> {
  const { select, isBehind, costOf = () => 1 } = selection;
  const records: T[] = [];
  let cost = 0;
  for (let next = cursor; ;) {
    const batch = await readIdPage(collection, filter, { limit: SELECTION_BATCH, cursor: next });
    const end = batch.records.findIndex(isBehind);
    const looked = end < 0 ? batch.records : batch.records.slice(0, end);
    next = end < 0 ? batch.nextCursor : "";
    const selected = await select(looked);
    records.push(...selected);
    const last = records[limit - 1];
    if (last !== undefined && records.length > limit) {
      return { records: records.slice(0, limit), nextCursor: writeIdCursor(last.id) };
    }
    cost += looked.reduce((sum, record) => sum + costOf(record), 0);
    if (next === "" || records.length === limit || cost >= SELECTION_COST_MAX) return { records, nextCursor: next };
    await nextTurn(); // others are served before the next batch is read
  }
}

/** The cursor of the page after the record with this id, in a list ordered by id. */
export function writeIdCursor(lastId: number): string {
  return Buffer.from(String(lastId)).toString("base64url");
}

/** The id in a cursor. Throws AppError `invalid` for a malformed cursor. */
function readIdCursor(cursor: string): number {
  const id = Number(Buffer.from(cursor, "base64url").toString());
  if (Number.isSafeInteger(id) && id > 0 && writeIdCursor(id) === cursor) return id;
  throw AppError.invalid([
    { field: "cursor", message: "Give the next_cursor of an earlier answer, or none for the first page." },
  ]);
}
