import { createHash } from "node:crypto";
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
  /** What the list is narrowed by besides its filter: a cursor serves only the list that it was written for. */
  narrowedBy?: string;
}

export interface IdPage<T> {
  records: T[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** What a list is ordered by; equal records are in order of their ids, in the same direction. */
export interface PageOrder<T> {
  readonly field: keyof T & string;
  readonly direction: 1 | -1;
}

const NEWEST = { field: "id", direction: -1 } as const;

/** One page of the matching documents, highest id first. Throws AppError `invalid` for a malformed cursor. */
export function readIdPage<T extends Document & { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  page: IdPageRequest,
): Promise<IdPage<T>> {
  return readOrderedPage(collection, filter, { page, order: NEWEST });
}

/**
 * One page of the matching documents in an order. Records whose field does not change meanwhile are neither repeated nor
 * missed, whatever becomes of others. Throws AppError `invalid` for a cursor that is malformed or of another order.
 */
export async function readOrderedPage<T extends Document & { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { page, order }: { page: IdPageRequest; order: PageOrder<T> },
): Promise<IdPage<T>> {
  const { limit = PAGE_LIMIT_DEFAULT, cursor } = page;
  const { field, direction } = order;
  const list = listOf(filter, page, order);
  const last = cursor === "" ? undefined : readCursor(cursor, list);
  const options = { sort: [[field, direction]], limit: limit + 1 } as const;
  const found = await collection.find(filter, last === undefined ? options : { ...options, after: last });
  const records = found.slice(0, limit);
  const end = records.at(-1);
  return { records, nextCursor: found.length > limit && end !== undefined ? writeCursor(end, list) : "" };
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

interface SelectedPageRequest<T> {
  page: IdPageRequest;
  selection: Selection<T>;
  order?: PageOrder<T>;
}

/** Records that are read at a time. */
const SELECTION_BATCH = 100;
/** What the looks of one page may cost together. */
const SELECTION_COST_MAX = 1000;

/**
 * One page of the selected documents, highest id first or in another order. It looks at a limited number of documents: such a page may have
 * fewer records than asked for, or none, although there is a next one. Throws AppError `invalid` for a malformed cursor.
 */
export async function readSelectedIdPage<T extends Document & { id: number }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { page, selection, order = NEWEST }: SelectedPageRequest<T>,
): Promise<IdPage<T>> {
  const { limit = PAGE_LIMIT_DEFAULT } = page;
  const { select, isBehind, costOf = () => 1 } = selection;
  const records: T[] = [];
  let cost = 0;
  for (let next = page.cursor; ;) {
    const batch = await readOrderedPage(collection, filter, {
      page: { ...page, limit: SELECTION_BATCH, cursor: next },
      order,
    });
    const end = batch.records.findIndex(isBehind);
    const looked = end < 0 ? batch.records : batch.records.slice(0, end);
    next = end < 0 ? batch.nextCursor : "";
    const selected = await select(looked);
    records.push(...selected);
    const last = records[limit - 1];
    if (last !== undefined && records.length > limit) {
      return { records: records.slice(0, limit), nextCursor: writeCursor(last, listOf(filter, page, order)) };
    }
    cost += looked.reduce((sum, record) => sum + costOf(record), 0);
    if (next === "" || records.length === limit || cost >= SELECTION_COST_MAX) return { records, nextCursor: next };
    await nextTurn(); // others are served before the next batch is read
  }
}

/** What a cursor belongs to. */
interface CursorOf<T> {
  readonly order: PageOrder<T>;
  readonly check: string;
}

function listOf<T>(filter: Filter<T>, { narrowedBy }: IdPageRequest, order: PageOrder<T>): CursorOf<T> {
  return { order, check: checkOf(filter, narrowedBy) };
}

const CHECK_CHARACTERS = 11;

/** Tells the cursors of lists apart; finds mistakes only. */
function checkOf(filter: object, narrowedBy = ""): string {
  const list = JSON.stringify([filter, narrowedBy]);
  return createHash("sha256").update(list).digest("base64url").slice(0, CHECK_CHARACTERS);
}

/** The cursor of the page after the record with this id, in a list with this filter that begins with the highest id. */
export function writeIdCursor<T extends Document & { id: number }>(
  lastId: number,
  filter: Filter<T>,
  narrowedBy?: string,
): string {
  return writeCursor({ id: lastId }, { order: NEWEST, check: checkOf(filter, narrowedBy) });
}

/** The cursor of the page after a record; with what it is ordered by, so that it serves no other order. */
function writeCursor<T extends Document & { id: number }>(
  last: T,
  { order: { field, direction }, check }: CursorOf<T>,
): string {
  const isNewest = field === NEWEST.field && direction === NEWEST.direction;
  const place = isNewest ? last.id : [field, direction, valueOf(last, field), last.id];
  return `${Buffer.from(JSON.stringify(place)).toString("base64url")}.${check}`;
}

/** The place that a cursor names. Throws AppError `invalid` for one that `writeCursor` did not write for this list. */
function readCursor<T extends Document & { id: number }>(cursor: string, list: CursorOf<T>): Partial<T> {
  const { order } = list;
  const parts = partsOf(Buffer.from(cursor.split(".")[0] ?? "", "base64url").toString());
  const [field, direction, value, id] =
    typeof parts === "number" ? [NEWEST.field, NEWEST.direction, parts, parts] : parts;
  const last = { id, [order.field]: field === NEWEST.field ? id : value } as unknown as T;
  const isOwn = field === order.field && direction === order.direction && Number.isSafeInteger(id) && Number(id) > 0;
  if (isOwn && isPlace(value) && writeCursor(last, list) === cursor) return last;
  throw AppError.invalid([
    {
      field: "cursor",
      message:
        "Give the next_cursor of an earlier answer to the same request, with the same filters, or none for the first page.",
    },
  ]);
}

function partsOf(text: string): number | unknown[] {
  try {
    const parts: unknown = JSON.parse(text);
    return typeof parts === "number" || Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isPlace(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}
