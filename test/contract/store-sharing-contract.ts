import { insertStep, type Migration, type Store } from "@hourglass/runtime";
import { describe, expect, it } from "vitest";
import { ITEMS, type Item, type StoreBench } from "./store-world.js";
import { expectFailure, numbersBelow } from "./support.js";

/** Several instances on the same data, sequential or concurrent. */
export function sharingContract(bench: () => StoreBench): void {
  instances(bench);
  migrations(bench);
  closing(bench);
}

type Numbered = Item & { id: number };

interface OfCompany {
  id: number;
  companyId?: number;
  size?: number;
}

function instances(bench: () => StoreBench): void {
  describe("several instances", () => {
    it("shows what one instance wrote to the other at once", async () => {
      const { items, world } = bench();
      const others = await (await world.again()).collection<Item>(ITEMS);
      await items.insert({ id: 1, size: 1 });
      expect(await others.get(1)).toEqual({ id: 1, size: 1 });
      await others.update({ id: 1 }, { increment: { size: 1 } });
      expect(await items.get(1)).toEqual({ id: 1, size: 2 });
      await expectFailure("conflict", others.insert({ id: 1 }));
    });

    it("gives collections another version after each write to them, here and elsewhere, if it can tell", async () => {
      const { items, world } = bench();
      const other = await world.again();
      const others = await other.collection<Item>(ITEMS);
      const rest = await world.store.collection<Item>({ name: "rest" });
      const versions = new Set([world.store.versionOf([items])]);
      if (versions.has(undefined)) return;
      const writes = [
        () => items.insert({ id: 1 }),
        () => items.insertMany([{ id: 2 }, { id: 3 }]),
        () => items.insertNew([{ id: 4 }]),
        () => items.put({ id: 1, size: 1 }),
        () => items.update({ id: 1 }, { set: { size: 2 } }),
        () => items.updateMany({ id: 1 }, { set: { size: 3 } }),
        () => world.store.commit([insertStep(items, { id: 5 })]),
        () => items.delete({ id: 1 }),
        () => others.delete({ id: 2 }),
        () => others.insert({ id: 6 }),
      ];
      for (const [index, write] of writes.entries()) {
        await write();
        versions.add(world.store.versionOf([rest, items]));
        expect(versions.size).toBe(index + 2);
        expect(world.store.versionOf([rest, items])).toBe([...versions].at(-1));
      }
      await rest.insert({ id: 1 });
      expect(world.store.versionOf([items])).toBe(world.store.versionOf([items]));
      expect(other.versionOf([others])).not.toBe(world.store.versionOf([items]));
    });

    it("gives what it has of a company another version after each write that may be to it, if it can tell", async () => {
      const { world } = bench();
      const items = await world.store.collection<OfCompany>({ name: "of_companies" });
      const version = () => world.store.versionOf([items], 1);
      await items.insertMany([1, 2].map((companyId) => ({ id: companyId, companyId, size: 0 })));
      let last = version();
      if (last === undefined) return;
      const others = [
        () => items.insert({ id: 3, companyId: 2, size: 0 }),
        () => items.insertNew([{ id: 4, companyId: 2, size: 0 }]),
        () => items.update({ id: 2 }, { increment: { size: 1 } }),
        () => items.updateMany({ companyId: 2 }, { increment: { size: 1 } }),
        () => world.store.commit([insertStep(items, { id: 5, companyId: 2, size: 0 })]),
      ];
      for (const write of others) {
        await write();
        expect(version()).toBe(last);
      }
      const own = [
        () => items.insertMany([2, 1].map((companyId) => ({ id: 5 + companyId, companyId, size: 0 }))),
        () => items.insertNew([{ id: 8, companyId: 1, size: 0 }]),
        () => items.insert({ id: 9 }),
        () => items.put({ id: 1, companyId: 2, size: 0 }),
        () => items.update({ id: 8 }, { set: { companyId: 2 } }),
        () => items.update({ id: 8 }, { set: { companyId: 1 } }),
        () => items.updateMany({ companyId: { in: [1, 2] } }, { increment: { size: 1 } }),
        () => items.delete({ companyId: 1 }),
      ];
      for (const write of own) {
        await write();
        expect(version()).not.toBe(last);
        last = version();
      }
    });

    it("keeps documents, indexes and counters over a restart", async () => {
      const { items, world } = bench();
      await items.insertMany(numbersBelow(50).map((id) => ({ id, owner: "o", name: `n${id}` })));
      const last = await world.store.nextId("things");
      await world.store.close();
      const store = await world.again();
      const reopened = await store.collection<Item>(ITEMS);
      expect(await reopened.count({ owner: "o" })).toBe(50);
      await expectFailure("conflict", reopened.insert({ id: 99, owner: "o", name: "n7" }));
      expect(await store.nextId("things")).toBeGreaterThan(last);
    });

    it("lets exactly one of 50 racing callers in two instances win a document", async () => {
      const { items, world } = bench();
      const others = await (await world.again()).collection<Item>(ITEMS);
      for (const id of numbersBelow(5)) {
        await items.insert({ id, flag: true });
        const sides = numbersBelow(50).map((size) => [size % 2 === 0 ? items : others, size] as const);
        const tries = sides.map(([side, size]) => side.update({ id, flag: true }, { set: { flag: false, size } }));
        const winners = (await Promise.all(tries)).filter((item) => item !== undefined);
        expect(winners).toHaveLength(1);
        expect(await items.get(id)).toEqual(winners[0]);
      }
    });

    it("loses no increment of two instances", async () => {
      const { items, world } = bench();
      const others = await (await world.again()).collection<Item>(ITEMS);
      await items.insert({ id: 1 });
      const sides = numbersBelow(100).map((n) => (n % 2 === 0 ? items : others));
      await Promise.all(sides.map((side) => side.update({ id: 1 }, { increment: { size: 1 } })));
      expect(await items.get(1)).toEqual({ id: 1, size: 100 });
    });

    it("counts from 1 upwards, each counter for itself", async () => {
      const { store } = bench().world;
      const counted = [await store.nextId("a"), await store.nextId("a"), await store.nextId("b")];
      expect(counted[0]).toBe(1);
      expect(counted[1]).toBeGreaterThan(1);
      expect(counted[2]).toBe(1);
    });

    it("never gives a number twice, be it asked by two instances at a time", async () => {
      const { store, again } = bench().world;
      const other = await again();
      const taken = await Promise.all(numbersBelow(200).map((n) => (n % 2 === 0 ? store : other).nextId("races")));
      expect(new Set(taken).size).toBe(200);
      expect(taken.every((id) => Number.isSafeInteger(id) && id >= 1)).toBe(true);
    });

    it("inserts documents under the numbers of a counter, none twice and in order", async () => {
      const { store, again } = bench().world;
      const open = async (side: Store) => ({ side, items: await side.collection<Numbered>(ITEMS) });
      const sides = [await open(store), await open(await again())] as const;
      const named = numbersBelow(60).map((n) => ({ name: `n${n}` }));
      const taken = await Promise.all(
        named.map((document, n) => {
          const { side, items } = sides[n % 2 === 0 ? 0 : 1];
          return n % 3 === 0 ? side.nextId("items") : side.insertNext(items, "items", document);
        }),
      );
      expect(new Set(taken).size).toBe(60);
      const [{ items }] = sides;
      const inserted = taken.map((id, n) => ({ id, ...named[n] })).filter((_, n) => n % 3 !== 0);
      expect(await items.find({}, { sort: [["id", 1]] })).toEqual(inserted.sort((a, b) => a.id - b.id));
      expect(await store.insertNext(items, "items", { owner: "o" })).toBeGreaterThan(Math.max(...taken));
    });

    it("inserts no document whose unique value is taken, and those beside it", async () => {
      const { store } = bench().world;
      const items = await store.collection<Numbered>(ITEMS);
      await items.insert({ id: 1000, owner: "o", name: "taken" });
      const named = ["before", "taken", "after"].map((name) => ({ owner: "o", name }));
      const ends = await Promise.allSettled(named.map((document) => store.insertNext(items, "items", document)));
      expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(ends[1]).toMatchObject({ reason: { kind: "conflict" } });
      const found = await items.find({}, { sort: [["name", 1]] });
      expect(found.map(({ name }) => name)).toEqual(["after", "before", "taken"]);
    });

    it("opens the same collection from two instances at the same moment", async () => {
      const { store, again } = bench().world;
      const other = await again();
      const spec = { name: "young", indexes: [{ fields: ["name"], unique: true }] } as const;
      const [mine, theirs] = await Promise.all([store.collection<Item>(spec), other.collection<Item>(spec)]);
      await mine.insert({ id: 1, name: "n" });
      await expectFailure("conflict", theirs.insert({ id: 2, name: "n" }));
    });

    it("opens a collection again with one more index, which then holds", async () => {
      const { items, world } = bench();
      await items.insertMany([{ id: 1, name: "n" }, { id: 2 }]);
      const indexes = [...ITEMS.indexes, { fields: ["name"], unique: true }] as const;
      const stricter = await (await world.again()).collection<Item>({ ...ITEMS, indexes });
      await expectFailure("conflict", stricter.insert({ id: 3, name: "n" }));
      await expectFailure("conflict", items.insert({ id: 3, name: "n" }));
      expect(await items.count({})).toBe(2);
    });
  });
}

function migrations(bench: () => StoreBench): void {
  const recorder = (applied: string[], versions: number, owner = "insight"): Migration[] =>
    numbersBelow(versions).map((index) => ({
      owner,
      version: index + 2,
      up: async (store) => {
        const log = await store.collection<{ id: string }>({ name: "applied" });
        await log.insert({ id: `${owner} ${index + 2}` });
        applied.push(`${owner} ${index + 2}`);
      },
    }));

  describe("migrations", () => {
    it("applies each once and in order, also under two racing instances", async () => {
      const { store, again } = bench().world;
      const other = await again();
      const applied: string[] = [];
      await Promise.all([store, other, store].map((one) => one.migrate(recorder(applied, 3))));
      expect(applied).toEqual(["insight 2", "insight 3", "insight 4"]);
    });

    it("applies only what is new after a restart", async () => {
      const { store, again } = bench().world;
      const applied: string[] = [];
      await store.migrate(recorder(applied, 1));
      await store.close();
      await (await again()).migrate([...recorder(applied, 2), ...recorder(applied, 1, "auth")]);
      expect(applied).toEqual(["insight 2", "insight 3", "auth 2"]);
    });

    it("refuses versions that are not numbered 2, 3, 4 …, and applies none", async () => {
      const applied: string[] = [];
      const [first, second, third] = recorder(applied, 3) as [Migration, Migration, Migration];
      for (const list of [[second], [first, third], [second, first], [first, first]]) {
        await expect(bench().world.store.migrate(list)).rejects.toThrow(/insight/);
      }
      expect(applied).toEqual([]);
    });

    it("tells of one that fails, applies none after it, and tries it again the next time", async () => {
      const { store } = bench().world;
      const applied: string[] = [];
      const [first, second, third] = recorder(applied, 3) as [Migration, Migration, Migration];
      const failing = { ...second, up: () => Promise.reject(new Error("half way")) };
      await expect(store.migrate([first, failing, third])).rejects.toThrow("half way");
      expect(applied).toEqual(["insight 2"]);
      await store.migrate([first, second, third]);
      expect(applied).toEqual(["insight 2", "insight 3", "insight 4"]);
    });
  });
}

function closing(bench: () => StoreBench): void {
  describe("closing", () => {
    it("answers a ping while it is open", async () => {
      await expect(bench().world.store.ping()).resolves.toBeUndefined();
    });

    it("finishes the writes under way", async () => {
      const { items, world } = bench();
      const writes = numbersBelow(100).map((id) => items.insert({ id }));
      const [outcome] = await Promise.all([Promise.allSettled(writes), world.store.close()]);
      const acknowledged = outcome.filter(({ status }) => status === "fulfilled").length;
      expect(await (await (await world.again()).collection<Item>(ITEMS)).count({})).toBe(acknowledged);
    });

    it("is unavailable once it is closed, in every method, and closes twice without harm", async () => {
      const { items, world } = bench();
      await items.insert({ id: 1 });
      await world.store.close();
      await world.store.close();
      const migration = { owner: "late", version: 2, up: () => Promise.resolve() };
      const attempts: (() => Promise<unknown>)[] = [
        () => items.get(1),
        () => items.find({}),
        () => items.stream({})[Symbol.asyncIterator]().next(),
        () => items.count({}),
        () => items.insert({ id: 2 }),
        () => items.insertMany([{ id: 2 }]),
        () => items.insertNew([{ id: 2 }]),
        () => items.put({ id: 2 }),
        () => world.store.commit([insertStep(items, { id: 2 })]),
        () => world.store.spend({ name: "b", window: "1", limit: 1 }, 1),
        () => items.update({}, { set: { size: 1 } }),
        () => items.updateMany({}, { set: { size: 1 } }),
        () => items.delete({}),
        () => world.store.nextId("a"),
        () => world.store.collection({ name: "late" }),
        () => world.store.migrate([migration]),
        () => world.store.ping(),
      ];
      for (const attempt of attempts) await expectFailure("unavailable", attempt());
    });
  });
}
