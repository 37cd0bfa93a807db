import type { Filter, FindOptions } from "@hourglass/runtime";
import { beforeEach, describe, expect, it } from "vitest";
import type { Item, StoreBench } from "./store-world.js";
import { numbersBelow } from "./support.js";

/** find, stream, count: filters, order, bounds. */
export function queryContract(bench: () => StoreBench): void {
  filters(bench);
  order(bench);
}

function filters(bench: () => StoreBench): void {
  describe("filtering", () => {
    const ids = async (filter: Filter<Item>): Promise<(string | number)[]> => {
      const found = (await bench().items.find(filter)).map(({ id }) => id);
      expect(await bench().items.count(filter)).toBe(found.length);
      return found;
    };

    beforeEach(async () => {
      await bench().items.insertMany([
        { id: 1, name: "a", size: 1, flag: true },
        { id: 2, name: "b", size: 2, flag: false },
        { id: 3, name: "c", size: 3.5, flag: null },
        { id: 4, name: null, size: null },
        { id: 5 },
        { id: 6, name: "1", size: 0 },
        { id: 7, name: "", size: -7 },
      ]);
    });

    it("takes an empty filter for all documents", async () => {
      expect(await ids({})).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    it("finds what equals a value, short or long, of every type", async () => {
      expect(await ids({ name: "b" })).toEqual([2]);
      expect(await ids({ name: { eq: "b" } })).toEqual([2]);
      expect(await ids({ size: 3.5 })).toEqual([3]);
      expect(await ids({ id: 5 })).toEqual([5]);
      expect(await ids({ name: "" })).toEqual([7]);
    });

    it("joins conditions on several fields, and several on one, with and", async () => {
      expect(await ids({ name: "a", size: 1, flag: true })).toEqual([1]);
      expect(await ids({ name: "a", size: 2 })).toEqual([]);
      expect(await ids({ size: { gt: 0, lt: 3, ne: 2 } })).toEqual([1]);
    });

    it("counts up to a limit", async () => {
      const { items } = bench();
      expect(await items.count({}, 3)).toBe(3);
      expect(await items.count({ id: { gt: 5 } }, 3)).toBe(2);
      expect(await items.count({}, 0)).toBe(0);
    });

    it("counts a missing field as null", async () => {
      expect(await ids({ size: null })).toEqual([4, 5]);
      expect(await ids({ flag: { eq: null } })).toEqual([3, 4, 5, 6, 7]);
      expect(await ids({ size: { ne: null } })).toEqual([1, 2, 3, 6, 7]);
      expect(await ids({ name: { in: ["a", null] } })).toEqual([1, 4, 5]);
    });

    it("finds what does not equal a value, null and missing included", async () => {
      expect(await ids({ name: { ne: "a" } })).toEqual([2, 3, 4, 5, 6, 7]);
      expect(await ids({ flag: { ne: true } })).toEqual([2, 3, 4, 5, 6, 7]);
    });

    it("finds what is in a list, and nothing in an empty one", async () => {
      expect(await ids({ name: { in: ["a", "c", "zzz"] } })).toEqual([1, 3]);
      expect(await ids({ size: { in: [3.5, 0, 1] } })).toEqual([1, 3, 6]);
      expect(await ids({ id: { in: [2, 7, 99] } })).toEqual([2, 7]);
      expect(await ids({ flag: { in: [true, false] } })).toEqual([1, 2]);
      expect(await ids({ name: { in: [] } })).toEqual([]);
      expect(await ids({ id: { in: numbersBelow(5000) } })).toHaveLength(7);
    });

    it("ranges over numbers, null and missing fitting none", async () => {
      expect(await ids({ size: { lt: 1 } })).toEqual([6, 7]);
      expect(await ids({ size: { lte: 1 } })).toEqual([1, 6, 7]);
      expect(await ids({ size: { gt: 2 } })).toEqual([3]);
      expect(await ids({ size: { gte: 2, lt: 3.5 } })).toEqual([2]);
      expect(await ids({ id: { gt: 2, lte: 4 } })).toEqual([3, 4]);
    });

    it("ranges over texts, null and missing fitting none", async () => {
      expect(await ids({ name: { gte: "b" } })).toEqual([2, 3]);
      expect(await ids({ name: { lt: "b" } })).toEqual([1, 6, 7]);
      expect(await ids({ name: { gt: "" } })).toEqual([1, 2, 3, 6]);
    });

    it("tells booleans from numbers and numbers from texts", async () => {
      const { items, world } = bench();
      const loose = await world.store.collection<{ id: number; value: string | number | boolean }>({ name: "loose" });
      await loose.insertMany([true, 1, "1", "true", false, 0, "0", "[]"].map((value, id) => ({ id, value })));
      for (const [index, value] of [true, 1, "1", "true", false, 0, "0", "[]"].entries()) {
        expect((await loose.find({ value })).map(({ id }) => id)).toEqual([index]);
        expect((await loose.find({ value: { in: [value] } })).map(({ id }) => id)).toEqual([index]);
        expect(await loose.count({ value: { ne: value } })).toBe(7);
      }
      expect((await loose.find({ value: { gte: "0" } })).map(({ id }) => id)).toEqual([2, 3, 6, 7]);
      expect(await items.count({ flag: true })).toBe(1);
    });

    it("takes no name of a field that could be anything else", async () => {
      for (const name of ["a'b", "a.b", "$where", "a) OR 1=1 --", "a\0", ""]) {
        const filter: object = { [name]: "x" };
        await expect(bench().items.find(filter)).rejects.toThrow();
        await expect(bench().items.delete(filter)).rejects.toThrow();
      }
      expect(await bench().items.count({})).toBe(7);
    });

    it("refuses a condition that is undefined, so that a slip does not match everything", async () => {
      const slip: object = { name: undefined };
      await expect(bench().items.find(slip)).rejects.toThrow(TypeError);
      await expect(bench().items.delete(slip)).rejects.toThrow(TypeError);
      expect(await bench().items.count({})).toBe(7);
    });
  });
}

function order(bench: () => StoreBench): void {
  describe("ordering", () => {
    const ids = async (options: FindOptions<Item>, filter: Filter<Item> = {}): Promise<(string | number)[]> => {
      const found = (await bench().items.find(filter, options)).map(({ id }) => id);
      const streamed: (string | number)[] = [];
      for await (const { id } of bench().items.stream(filter, options)) streamed.push(id);
      expect(streamed).toEqual(found);
      return found;
    };

    beforeEach(async () => {
      await bench().items.insertMany([
        { id: 5, name: "a", size: 2 },
        { id: 3, name: "b", size: 1 },
        { id: 4, name: "a", size: 1 },
        { id: 1, name: "b", size: 2 },
        { id: 2, name: "a", size: 10 },
      ]);
    });

    it("gives documents by rising id when nothing else is said", async () => {
      expect(await ids({})).toEqual([1, 2, 3, 4, 5]);
    });

    it("sorts by fields in order of precedence, up and down, numbers by value", async () => {
      expect(await ids({ sort: [["id", -1]] })).toEqual([5, 4, 3, 2, 1]);
      expect(
        await ids({
          sort: [
            ["name", -1],
            ["size", 1],
          ],
        }),
      ).toEqual([3, 1, 4, 5, 2]);
      expect(await ids({ sort: [["size", 1]], limit: 2 })).toEqual([3, 4]);
      expect((await ids({ sort: [["size", -1]] }))[0]).toBe(2);
    });

    it("puts ties in the same order each time, so that pages neither repeat nor skip", async () => {
      const first = await ids({ sort: [["name", 1]] });
      expect(first).toHaveLength(5);
      for (const limit of [1, 2, 3, 4])
        expect(await ids({ sort: [["name", 1]], limit })).toEqual(first.slice(0, limit));
    });

    it("gives at most as many as the limit says", async () => {
      expect(await ids({ limit: 2 })).toEqual([1, 2]);
      expect(await ids({ limit: 0 })).toEqual([]);
      expect(await ids({ limit: 100 })).toHaveLength(5);
      expect(await ids({ limit: 1 }, { name: "b" })).toEqual([1]);
    });

    it("streams more than it would hold at a time, each document once and in order", async () => {
      const { items } = bench();
      await items.insertMany(numbersBelow(1000).map((n) => ({ id: n + 10, size: 1000 - n })));
      expect(await ids({ sort: [["size", 1]] }, { id: { gte: 10 } })).toEqual(numbersBelow(1000).map((n) => 1009 - n));
    });

    it("lets a stream's reader write, and leave early", async () => {
      const { items } = bench();
      for await (const { id } of items.stream({})) await items.update({ id }, { set: { flag: true } });
      expect(await items.count({ flag: true })).toBe(5);
      for await (const { id } of items.stream({})) {
        await items.delete({ id });
        if (id === 2) break;
      }
      expect(await ids({})).toEqual([3, 4, 5]);
    });
  });
}
