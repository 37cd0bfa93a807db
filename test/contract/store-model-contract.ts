import type { Condition, Filter, FindOptions, Json } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Item, StoreBench } from "./store-world.js";

type Sort = NonNullable<FindOptions<Item>["sort"]>;

// Values that are easily confused with each other, or misread by a query language.
const NAMES = ["", "a", "ab", "b", "A", "é", "e\u0301", "😀", "\uffee", "\0", "a\0", "a\0b", "{}", "[1]", "1", "'"];
// No number below 2.3e-308: the database of the tests on real servers sorts those incorrectly.
const SIZES = [0, 1, -1, 2, 1.5, 0.1 + 0.2, 1 / 3, -1e-7, 1e300, 2.3e-308, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 60];
const name = fc.option(fc.constantFrom(...NAMES));
const size = fc.option(fc.constantFrom(...SIZES));
const flag = fc.option(fc.boolean());
const direction = fc.constantFrom(1 as const, -1 as const);

const documents = fc.array(fc.record({ name, size, flag }, { requiredKeys: [] }), { minLength: 1, maxLength: 12 });

const filters: fc.Arbitrary<Filter<Item>> = fc.record(
  { name: conditions(name), size: conditions(size), flag: fc.oneof(flag, fc.record({ ne: flag })) },
  { requiredKeys: [] },
);

const sorts: fc.Arbitrary<Sort> = fc.oneof(
  fc.constant([]),
  fc.tuple(fc.tuple(fc.constantFrom("name" as const, "size" as const), direction)),
  fc.tuple(fc.tuple(fc.constant("flag" as const), direction), fc.tuple(fc.constant("size" as const), direction)),
);

/** Queries on arbitrary documents return the same as a trivial implementation. */
export function modelContract(bench: () => StoreBench): void {
  describe("whatever documents and filters", () => {
    it("finds, streams, counts, changes and deletes exactly the documents that fit, in order", async () => {
      const { items } = bench();
      const property = fc.asyncProperty(documents, filters, sorts, async (fields, filter, someSort) => {
        const sort: Sort = [...someSort, ["id", 1]];
        const stored: Item[] = fields.map((made, id) => ({ ...made, id }));
        const fitting = stored.filter((item) => fits(item, filter)).sort(bySort(sort));
        await items.delete({});
        await items.insertMany(stored);
        expect(await items.find(filter, { sort })).toEqual(fitting);
        expect(await items.count(filter)).toBe(fitting.length);
        const streamed: Item[] = [];
        for await (const item of items.stream(filter, { sort, limit: 3 })) streamed.push(item);
        expect(streamed).toEqual(fitting.slice(0, 3));
        const changed = await items.update(filter, { set: { data: "changed" } }, { sort });
        expect(changed).toEqual(fitting[0] === undefined ? undefined : { ...fitting[0], data: "changed" });
        expect(await items.updateMany(filter, { set: { data: "all" } })).toBe(fitting.length);
        expect(await items.count({ data: "all" })).toBe(fitting.length);
        expect(await items.delete(filter)).toBe(fitting.length);
        expect(await items.count({})).toBe(stored.length - fitting.length);
      });
      await fc.assert(property, { numRuns: repeats(150) });
    });
  });
}

function conditions<V extends string | number>(
  value: fc.Arbitrary<V | null>,
): fc.Arbitrary<Condition<V | null> | V | null> {
  // Null has no position in an order; only equality and similar operators accept it.
  const bound = value.filter((made) => made !== null);
  const list = fc.array(value, { maxLength: 3 });
  const all = { eq: value, ne: value, in: list, lt: bound, lte: bound, gt: bound, gte: bound };
  return fc.oneof(value, fc.record(all, { requiredKeys: [] }));
}

function fits(item: Item, filter: Filter<Item>): boolean {
  const entries = Object.entries(filter) as [keyof Item, unknown][];
  return entries.every(([field, wanted]) => {
    const value = item[field] ?? null;
    if (typeof wanted !== "object" || wanted === null) return value === wanted;
    const operators: [string, unknown][] = Object.entries(wanted);
    return operators.every(([operator, operand]) => meets(value, operator, operand));
  });
}

function meets(value: Json, operator: string, operand: unknown): boolean {
  if (operator === "in") return (operand as Json[]).includes(value);
  if (operator === "eq") return value === operand;
  if (operator === "ne") return value !== operand;
  if (value === null || typeof value !== typeof operand) return false;
  const order = compare(value, operand as Json);
  if (operator === "lt") return order < 0;
  if (operator === "lte") return order <= 0;
  return operator === "gt" ? order > 0 : order >= 0;
}

function bySort(sort: Sort): (a: Item, b: Item) => number {
  return (a, b) => {
    for (const [field, way] of sort) {
      const order = compare(a[field] ?? null, b[field] ?? null);
      if (order !== 0) return order * way;
    }
    return 0;
  };
}

/** Null first, numbers by value, texts by code point, false before true. */
function compare(a: Json, b: Json): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
