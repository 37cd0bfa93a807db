import { describe, expect, it } from "vitest";
import type { Item, StoreBench } from "./store-world.js";
import { expectFailure, numbersBelow } from "./support.js";

/** insert, insertMany, put, delete. */
export function writingContract(bench: () => StoreBench): void {
  describe("writing", () => {
    it("returns a document as it was inserted, and nothing for an id that is not there", async () => {
      const { items } = bench();
      await items.insert({ id: 1, name: "one", data: { deep: [1, { a: null }] } });
      expect(await items.get(1)).toEqual({ id: 1, name: "one", data: { deep: [1, { a: null }] } });
      expect(await items.get(2)).toBeUndefined();
    });

    it("hands out copies: what a caller does to one changes nothing stored", async () => {
      const { items } = bench();
      const given: Item = { id: 1, data: [1] };
      await items.insert(given);
      given.data = "changed";
      const got = await items.get(1);
      if (got !== undefined) got.data = "changed too";
      expect(await items.get(1)).toEqual({ id: 1, data: [1] });
    });

    it("refuses an id that is taken, and keeps the document that has it", async () => {
      const { items } = bench();
      await items.insert({ id: "a", size: 1 });
      await expectFailure("conflict", items.insert({ id: "a", size: 2 }));
      expect(await items.get("a")).toEqual({ id: "a", size: 1 });
    });

    it("tells the number 1 from the text 1 as an id", async () => {
      const { items } = bench();
      await items.insertMany([{ id: 1 }, { id: "1" }]);
      expect(await items.get("1")).toEqual({ id: "1" });
      expect(await items.get(1)).toEqual({ id: 1 });
    });

    it("gives an id to exactly one of callers that insert it at the same time", async () => {
      const { items } = bench();
      const results = await Promise.allSettled(numbersBelow(20).map((size) => items.insert({ id: "same", size })));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });

    it("refuses to insert what agrees with another document in all fields of a unique index", async () => {
      const { items } = bench();
      await items.insert({ id: 1, owner: "o", name: "n" });
      await expectFailure("conflict", items.insert({ id: 2, owner: "o", name: "n" }));
      await items.insert({ id: 3, owner: "o", name: "other" });
      expect(await items.count({})).toBe(2);
    });

    it("exempts documents from a unique index in which a field is null or missing", async () => {
      const { items } = bench();
      const incomplete = [{ name: "n" }, { name: "n", owner: null }, { name: null, owner: null }, {}];
      await items.insertMany([...incomplete, ...incomplete].map((fields, id) => ({ id, ...fields })));
      expect(await items.count({})).toBe(8);
    });

    it("inserts all documents or none", async () => {
      const { items } = bench();
      await items.insert({ id: 2 });
      await expectFailure("conflict", items.insertMany([{ id: 1 }, { id: 2 }, { id: 3 }]));
      await expectFailure("conflict", items.insertMany([{ id: 5 }, { id: 5 }]));
      expect(await items.find({})).toEqual([{ id: 2 }]);
      await items.insertMany([{ id: 1 }, { id: 3 }]);
      await items.insertMany([]);
      expect(await items.count({})).toBe(3);
    });

    it("inserts only documents whose id and unique values are free, and says which", async () => {
      const { items } = bench();
      await items.insertMany([{ id: 1 }, { id: 2, owner: "o", name: "n" }]);
      const isNew = await items.insertNew([
        { id: 1, size: 7 },
        { id: 3, size: 3 },
        { id: 4, owner: "o", name: "n" },
        { id: 3, size: 4 },
        { id: "5", owner: "p", name: "n" },
        { id: 6, owner: "p", name: "n" },
        { id: 7, owner: null, name: "n" },
      ]);
      expect(isNew).toEqual([false, true, false, false, true, false, true]);
      expect(await items.find({})).toEqual([
        { id: 1 },
        { id: 2, owner: "o", name: "n" },
        { id: 3, size: 3 },
        { id: 7, owner: null, name: "n" },
        { id: "5", owner: "p", name: "n" },
      ]);
      expect(await items.insertNew([])).toEqual([]);
    });

    it("gives each document to exactly one of callers that insert the same new ones at the same time", async () => {
      const { items } = bench();
      const documents = numbersBelow(30).map((id) => ({ id, owner: "o", name: `n${id}` }));
      const answers = await Promise.all(numbersBelow(6).map(() => items.insertNew(documents)));
      const winners = numbersBelow(30).map((id) => answers.filter((isNew) => isNew[id] === true).length);
      expect(winners).toEqual(numbersBelow(30).map(() => 1));
      expect(await items.count({})).toBe(30);
    });

    it("lets a write that fails leave those of the same moment alone", async () => {
      const { items } = bench();
      await items.insert({ id: 7 });
      const results = await Promise.allSettled(numbersBelow(15).map((id) => items.insert({ id })));
      expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
      expect(await items.count({})).toBe(15);
    });

    it("puts: inserts what is new and replaces the whole document of the same id", async () => {
      const { items } = bench();
      await items.put({ id: 1, name: "old", size: 1 });
      await items.put({ id: 1, name: "new" });
      expect(await items.find({})).toEqual([{ id: 1, name: "new" }]);
    });

    it("refuses to put what breaks a unique index, and changes nothing", async () => {
      const { items } = bench();
      const both = [
        { id: 1, owner: "o", name: "a" },
        { id: 2, owner: "o", name: "b" },
      ];
      await items.insertMany(both);
      await expectFailure("conflict", items.put({ id: 2, owner: "o", name: "a" }));
      await expectFailure("conflict", items.put({ id: 3, owner: "o", name: "a" }));
      expect(await items.find({})).toEqual(both);
    });

    it("deletes all that fit, says how many, and frees their ids and unique values", async () => {
      const { items } = bench();
      await items.insertMany(numbersBelow(6).map((id) => ({ id, owner: "o", name: `n${id}`, flag: id < 4 })));
      expect(await items.delete({ flag: true })).toBe(4);
      expect(await items.delete({ flag: true })).toBe(0);
      expect((await items.find({})).map(({ id }) => id)).toEqual([4, 5]);
      await items.insert({ id: 0, owner: "o", name: "n0" });
    });
  });
}

/** update, updateMany. */
export function changingContract(bench: () => StoreBench): void {
  describe("changing", () => {
    it("sets the named fields, leaves the others, and returns the document as it is afterwards", async () => {
      const { items } = bench();
      await items.insert({ id: 1, name: "a", size: 1, data: [1, 2] });
      const after = await items.update({ id: 1 }, { set: { name: "b", flag: null } });
      expect(after).toEqual({ id: 1, name: "b", size: 1, flag: null, data: [1, 2] });
      expect(await items.get(1)).toEqual(after);
    });

    it("returns nothing and changes nothing when no document fits", async () => {
      const { items } = bench();
      await items.insert({ id: 1, size: 1 });
      expect(await items.update({ id: 1, size: 2 }, { set: { size: 3 } })).toBeUndefined();
      expect(await items.get(1)).toEqual({ id: 1, size: 1 });
    });

    it("changes only the first document by the sort, of equals that of the lowest id", async () => {
      const { items } = bench();
      await items.insertMany([
        { id: 3, size: 1 },
        { id: 1, size: 5 },
        { id: 2, size: 5 },
      ]);
      expect(await items.update({}, { set: { flag: true } }, { sort: [["size", 1]] })).toMatchObject({ id: 3 });
      expect(await items.update({ size: 5 }, { set: { flag: true } })).toMatchObject({ id: 1 });
      expect(await items.count({ flag: true })).toBe(2);
    });

    it("adds to numbers, counts a missing field and null as 0, and loses no increment of a race", async () => {
      const { items } = bench();
      await items.insertMany([{ id: 1 }, { id: 2, size: null }]);
      await Promise.all(numbersBelow(50).map((by) => items.update({ id: 1 }, { increment: { size: by } })));
      expect(await items.get(1)).toEqual({ id: 1, size: 1225 });
      expect(await items.update({ id: 2 }, { increment: { size: -2.5 }, set: { name: "n" } })).toEqual({
        id: 2,
        size: -2.5,
        name: "n",
      });
    });

    it("stores null, and takes a field given as undefined as not named", async () => {
      const { items } = bench();
      await items.insert({ id: 1, name: "a", size: 1 });
      const set: object = { name: null, size: undefined };
      expect(await items.update({ id: 1 }, { set })).toStrictEqual({ id: 1, name: null, size: 1 });
    });

    it("refuses to change an id, be it set or added to", async () => {
      const { items } = bench();
      await items.insert({ id: 1 });
      await expect(items.update({ id: 1 }, { increment: { id: 1 } })).rejects.toThrow(/id/);
      const change: { set: object } = { set: { id: 9 } };
      await expect(items.update({ id: 1 }, change)).rejects.toThrow(/id/);
      expect(await items.find({})).toEqual([{ id: 1 }]);
    });

    it("gives a document to exactly one of 50 callers that race with a condition only one can meet", async () => {
      const { items } = bench();
      await items.insert({ id: 1, name: "free" });
      const tries = numbersBelow(50).map((size) => items.update({ name: "free" }, { set: { name: "taken", size } }));
      const winners = (await Promise.all(tries)).filter((item) => item !== undefined);
      expect(winners).toHaveLength(1);
      expect(await items.get(1)).toEqual(winners[0]);
    });

    it("hands each of many documents to one caller", async () => {
      const { items } = bench();
      await items.insertMany(numbersBelow(30).map((id) => ({ id, flag: false })));
      const taken = await Promise.all(
        numbersBelow(40).map(() => items.update({ flag: false }, { set: { flag: true } })),
      );
      const ids = taken.flatMap((item) => (item === undefined ? [] : [Number(item.id)]));
      expect(ids.toSorted((a, b) => a - b)).toEqual(numbersBelow(30));
    });

    it("refuses a change that breaks a unique index, and changes nothing", async () => {
      const { items } = bench();
      const both = [
        { id: 1, owner: "o", name: "a" },
        { id: 2, owner: "o", name: "b" },
      ];
      await items.insertMany(both);
      await expectFailure("conflict", items.update({ id: 2 }, { set: { name: "a" } }));
      await expectFailure("conflict", items.updateMany({ owner: "o" }, { set: { name: "c" } }));
      expect(await items.find({})).toEqual(both);
    });

    it("updates many: all that fit, and says how many", async () => {
      const { items } = bench();
      await items.insertMany(numbersBelow(10).map((id) => ({ id, flag: id < 7 })));
      expect(await items.updateMany({ flag: true }, { set: { name: "x" }, increment: { size: 2 } })).toBe(7);
      expect(await items.count({ name: "x", size: 2 })).toBe(7);
      expect(await items.updateMany({ name: "nobody" }, { set: { name: "y" } })).toBe(0);
    });
  });
}
