import { type Collection, type FindOptions, readOrderedPage } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Item, StoreBench } from "./store-world.js";
import { numbersBelow } from "./support.js";

type Sort = NonNullable<FindOptions<Item>["sort"]>;

const SORTS: Sort[] = [
  [],
  [["id", -1]],
  [["size", 1]],
  [["size", -1]],
  [["name", -1]],
  [
    ["flag", 1],
    ["size", -1],
  ],
  [
    ["name", 1],
    ["id", -1],
  ],
];

const fields = fc.record(
  {
    name: fc.option(fc.constantFrom("", "a", "a\0", "b", "😀", "\ud83d", "[1]", "1")),
    size: fc.option(fc.constantFrom(0, 1, -1, 1.5, 0.1 + 0.2, 2 ** 60, 1e300)),
    flag: fc.option(fc.boolean()),
  },
  { requiredKeys: [] },
);

/** find and stream after a document. */
export function readingContract(bench: () => StoreBench): void {
  describe("reading on", () => {
    it("finds after each document exactly what follows it, in every order, with null, ties and ids of both types", async () => {
      const { items } = bench();
      const property = fc.asyncProperty(
        fc.array(fields, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...SORTS),
        async (made, sort) => {
          await items.delete({});
          await items.insertMany(
            made.map((document, index) => ({ ...document, id: index % 3 === 0 ? `${index}` : index })),
          );
          const all = await items.find({}, { sort });
          expect(all).toHaveLength(made.length);
          for (const [index, after] of all.entries()) {
            expect(await items.find({}, { sort, after })).toEqual(all.slice(index + 1));
            expect(await items.find({}, { sort, after, limit: 2 })).toEqual(all.slice(index + 1, index + 3));
          }
        },
      );
      await fc.assert(property, { numRuns: repeats(40) });
    });

    it("divides every order into pages that together have everything once", async () => {
      const { items } = bench();
      const numbered = items as unknown as Collection<Item & { id: number }>;
      const orders = (["id", "size", "name"] as const).flatMap((field) => [
        { field, direction: 1 as const },
        { field, direction: -1 as const },
      ]);
      const property = fc.asyncProperty(
        fc.array(fields, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...orders),
        async (made, order) => {
          await items.delete({});
          await items.insertMany(made.map((document, index) => ({ ...document, id: index + 1 })));
          const found: unknown[] = [];
          let cursor = "";
          do {
            const page = await readOrderedPage(numbered, {}, { page: { limit: 2, cursor }, order });
            found.push(...page.records);
            cursor = page.nextCursor;
          } while (cursor !== "");
          expect(found).toEqual(await items.find({}, { sort: [[order.field, order.direction]] }));
        },
      );
      await fc.assert(property, { numRuns: repeats(40) });
    });

    it("keeps to the filter, also where that concerns a field of the order", async () => {
      const { items } = bench();
      await items.insertMany(numbersBelow(20).map((id) => ({ id, size: id % 5, flag: id % 2 === 0 })));
      const options: FindOptions<Item> = { sort: [["size", 1]], after: { size: 1, id: 6 } };
      const found = await items.find({ flag: true, size: { lte: 2 } }, options);
      expect(found.map(({ id }) => id)).toEqual([16, 2, 12]);
    });

    it("reads on after a document that is gone", async () => {
      const { items } = bench();
      await items.insertMany(numbersBelow(6).map((id) => ({ id, size: 1 })));
      await items.delete({ id: 3 });
      const behind = await items.find({}, { sort: [["size", -1]], after: { size: 1, id: 3 } });
      expect(behind.map(({ id }) => id)).toEqual([2, 1, 0]);
    });

    it("streams after a document", async () => {
      const { items } = bench();
      await items.insertMany(numbersBelow(250).map((id) => ({ id, size: 250 - id })));
      const seen: (string | number)[] = [];
      for await (const { id } of items.stream({}, { sort: [["size", 1]], after: { size: 10, id: 240 } })) seen.push(id);
      expect(seen).toEqual(numbersBelow(240).toReversed());
    });
  });
}
