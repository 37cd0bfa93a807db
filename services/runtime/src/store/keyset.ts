import type { Document, Filter, FindOptions } from "./collection.js";

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

type Value = string | number | boolean | null;

function valueOf<T extends Document>(document: Partial<T>, field: keyof T & string): Value {
  const value: unknown = document[field] ?? null;
  if (value !== null && !["string", "number", "boolean"].includes(typeof value)) {
    throw new TypeError(`Not a value to read on behind: ${field}`);
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
