import path from "node:path";
import { type CollectionSpec, type SqliteStore, openSqliteStore } from "@hourglass/runtime";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { failureOf, freshFolder, numbersBelow, silent } from "./support.js";

interface Item {
  id: number;
  group: string | null;
  dueAt?: number;
  text: string;
}

const PLAIN: CollectionSpec<Item> = { name: "items" };
const INDEXED: CollectionSpec<Item> = { name: "items", indexes: [{ fields: ["group", "dueAt"] }] };
const UNIQUE: CollectionSpec<Item> = { name: "items", indexes: [{ fields: ["group"], unique: true }] };

describe("the columns of the embedded store", () => {
  let store: SqliteStore;

  beforeEach(async () => {
    const fresh = await freshFolder();
    onTestFinished(fresh.remove);
    store = await openSqliteStore({ dataDir: path.join(fresh.folder, "data"), log: silent });
    onTestFinished(() => store.close());
  });

  it("finds by a new index what was stored before it", async () => {
    await (await store.collection(PLAIN)).insertMany([item(1, "a", 5), item(2, "b", 5), item(3, "a", 4)]);
    const items = await store.collection(INDEXED);
    expect(await idsOf(items.find({ group: "a", dueAt: { lte: 5 } }, { sort: [["dueAt", 1]] }))).toEqual([3, 1]);
  });

  it("finds what a process writes that does not know the index, such as one of an earlier release", async () => {
    const items = await store.collection(INDEXED);
    const plain = await store.collection(PLAIN);
    expect(await plain.insertNew([item(1, "a", 1), item(1, "b", 1), item(2, "a", 2)])).toEqual([true, false, true]);
    await plain.put(item(2, "b", 7));
    await plain.update({ id: 1 }, { set: { dueAt: 9 } });
    expect(await idsOf(items.find({ group: "b", dueAt: 7 }))).toEqual([2]);
    expect(await idsOf(items.find({ group: "a", dueAt: { gt: 8 } }))).toEqual([1]);
    expect(await items.count({ dueAt: { lt: 7 } })).toBe(0);
  });

  it("stores all of many documents or, if one of them is refused, none", async () => {
    const items = await store.collection(UNIQUE);
    const many = numbersBelow(100).map((id) => item(id, `group ${id}`));
    expect(await failureOf(items.insertMany([...many, item(100, "group 70")]))).toMatchObject({ kind: "conflict" });
    expect(await items.count({})).toBe(0);
    await items.insertMany(many);
    expect(await idsOf(items.find({ group: { in: ["group 0", "group 31", "group 32", "group 99"] } }))).toEqual([
      0, 31, 32, 99,
    ]);
  });

  it("writes one page for a change that leaves the fields of the indexes as they are", async () => {
    const items = await store.collection(INDEXED);
    await items.insertMany(numbersBelow(500).map((id) => item(id, `group ${id % 7}`, id)));
    const pagesWritten = async (write: () => Promise<unknown>): Promise<number> => {
      store.database.get("PRAGMA wal_checkpoint(RESTART)");
      await write();
      return Number(store.database.get("PRAGMA wal_checkpoint(PASSIVE)")?.[1]);
    };
    expect(await pagesWritten(() => items.update({ id: 7 }, { set: { text: "b", group: "group 0" } }))).toBe(1);
    expect(await pagesWritten(() => items.update({ id: 7 }, { set: { group: "group 6" } }))).toBeGreaterThan(1);
  });
});

function item(id: number, group: string | null, dueAt?: number): Item {
  return { id, group, text: "a", ...(dueAt !== undefined && { dueAt }) };
}

async function idsOf(found: Promise<Item[]>): Promise<number[]> {
  return (await found).map(({ id }) => id);
}
