import { openMongo } from "@hourglass/runtime";
import type { Document } from "mongodb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { expectFailure, numbersBelow, silent } from "../../contract/support.js";
import { freshMongo, type MongoWorld } from "./mongo-world.js";

interface Item {
  id: number;
  name?: string;
  size?: number;
  data?: string | { deep: number[] };
}

let world: MongoWorld;
beforeEach(async () => {
  world = await freshMongo();
});
afterEach(() => world.close());

/** A collection, accessed directly like an operator does. */
const raw = (name: string) => world.direct.db().collection<Document & { _id: number | string }>(name);

describe("records in MongoDB", () => {
  it("gives no number twice to eight processes that race from the very first", async () => {
    const stores = await Promise.all(numbersBelow(8).map(async () => (await world.again()).store));
    const taken = await Promise.all(numbersBelow(800).map((n) => stores[n % 8]!.nextId("races")));
    expect(new Set(taken).size).toBe(800);
    expect(Math.min(...taken)).toBe(1);
  });

  it("are plain documents for other tools", async () => {
    const items = await (await world.again()).store.collection<Item>({ name: "items" });
    await items.insert({ id: 1, name: "one", size: 2.5, data: { deep: [1] } });
    expect(await raw("items").findOne({ name: "one" })).toEqual({
      _id: 1,
      name: "one",
      size: 2.5,
      data: { deep: [1] },
    });
  });

  it("keep fields that this version does not know when it changes others", async () => {
    const items = await (await world.again()).store.collection<Item>({ name: "items" });
    const future = { since: "9.0", list: [{ a: 1 }] };
    await raw("items").insertOne({ _id: 1, name: "a", future });
    await items.update({ id: 1 }, { set: { name: "b" }, increment: { size: 1 } });
    await items.updateMany({ name: "b" }, { set: { data: "c" } });
    expect(await raw("items").findOne({ _id: 1 })).toEqual({ _id: 1, name: "b", size: 1, data: "c", future });
  });

  it("take texts that look like expressions for texts, also beside an increment", async () => {
    const items = await (await world.again()).store.collection<Item>({ name: "items" });
    await items.insert({ id: 1, name: "secret" });
    const changed = await items.update({ id: 1 }, { set: { data: "$name" }, increment: { size: 1 } });
    expect(changed).toEqual({ id: 1, name: "secret", data: "$name", size: 1 });
  });

  it("refuses a document over 16 MB as too large", async () => {
    const items = await (await world.again()).store.collection<Item>({ name: "items" });
    for (const length of [17_000_000, 60_000_000]) {
      const data = "x".repeat(length);
      await expectFailure("too-large", items.insert({ id: 1, data }));
      await expectFailure("too-large", items.put({ id: 1, data }));
    }
    expect(await items.count({})).toBe(0);
  });

  it("looks for documents of a unique index by an index", async () => {
    const spec = { name: "items", indexes: [{ fields: ["name"], unique: true }] } as const;
    await (await world.again()).store.collection<Item>(spec);
    const indexes = await raw("items").indexes();
    expect(indexes.filter(({ partialFilterExpression }) => partialFilterExpression === undefined)).toMatchObject([
      { key: { _id: 1 } },
      { key: { name: 1, _id: 1 } },
    ]);
  });

  it("refuses an address that is none, naming the setting", async () => {
    await expect(openMongo({ url: "mongodb://127.0.0.1/?nonsense=1", log: silent })).rejects.toThrow(/MONGODB_URL/);
  });
});

describe("migrations in MongoDB", () => {
  it("are taken over from a process that died while it migrated", async () => {
    await raw("_locks").insertOne({ _id: "migrations", holder: "a dead process", beat: 7 });
    const applied: number[] = [];
    const up = async (): Promise<void> => void applied.push(1);
    await (await world.again()).store.migrate([{ owner: "auth", version: 2, up }]);
    expect(applied).toEqual([1]);
    expect(await raw("_locks").countDocuments()).toBe(0);
  });

  it("show others that they continue, however long they take", async () => {
    const up = (): Promise<void> =>
      vi.waitFor(
        async () => {
          const lock = await raw("_locks").findOne({ _id: "migrations" });
          expect(lock?.["beat"]).toBeGreaterThanOrEqual(2);
        },
        { timeout: 20_000 },
      );
    await (await world.again()).store.migrate([{ owner: "auth", version: 2, up }]);
  });
});
