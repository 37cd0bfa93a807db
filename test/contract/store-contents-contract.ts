import { describe, expect, it } from "vitest";
import type { Item, StoreBench } from "./store-world.js";
import { expectFailure } from "./support.js";

const MARK = { source: "a", sourceName: "/srv/data", begunAt: "2026-11-22T10:00:00.000Z", completedAt: null };
const AT = "2026-11-22T11:00:00.123Z";

/** A store as a whole: what copies read and write. */
export function contentsContract(bench: () => StoreBench): void {
  describe("contents as a whole", () => {
    it("names the collections of services and nothing of its own", async () => {
      const { store, contents } = bench().world;
      await store.collection({ name: "b_2" });
      await store.nextId("things");
      await store.spend({ name: "searches", window: "1", limit: 10 }, 4);
      await contents.identity();
      await contents.writeMark({ ...MARK, completedAt: AT });
      expect(await contents.names()).toEqual(["b_2", "items"]);
    });

    it("opens a collection whose indexes it does not know, for reading and writing", async () => {
      const { items, world } = bench();
      await items.insert({ id: 1, owner: "ann", name: "x" });
      const bare = await world.contents.collection<Item>({ name: "items" });
      expect(await bare.get(1)).toEqual({ id: 1, owner: "ann", name: "x" });
      await bare.put({ id: 2, owner: "ben", name: "y", size: 7, flag: true });
      expect(await items.find({ owner: "ben", name: "y" })).toEqual([await bare.get(2)]);
      expect(await items.find({ flag: true, size: { gt: 5 } })).toHaveLength(1);
    });

    it("keeps the documents of a collection that its service opens only later", async () => {
      const { store, contents } = bench().world;
      const bare = await contents.collection<Item>({ name: "later" });
      await bare.insertNew([
        { id: 1, owner: "ann" },
        { id: 2, owner: "ben" },
      ]);
      const opened = await store.collection<Item>({ name: "later", indexes: [{ fields: ["owner"], unique: true }] });
      expect(await opened.find({ owner: "ben" })).toEqual([{ id: 2, owner: "ben" }]);
      await expectFailure("conflict", opened.insert({ id: 3, owner: "ann" }));
    });

    it("reads its books, and continues with those that it is given", async () => {
      const { store, contents, again } = bench().world;
      await store.nextId("things");
      await store.nextId("things");
      await store.nextId("others");
      await store.spend({ name: "searches", window: "2026-11-22", limit: 10 }, 4);
      await store.migrate([{ owner: "shop", version: 2, up: () => Promise.resolve() }]);
      const books = await contents.readBooks();
      expect(books).toEqual({
        counters: [
          { name: "others", value: 1 },
          { name: "things", value: 2 },
        ],
        budgets: [{ name: "searches", window: "2026-11-22", spent: 4 }],
        migrations: [{ owner: "shop", version: 2, at: expect.stringMatching(/^2.*Z$/) as string }],
      });
      const given = {
        counters: [{ name: "things", value: 41 }],
        budgets: [{ name: "searches", window: "2026-11-23", spent: 9 }],
        migrations: [{ owner: "shop", version: 3, at: AT }],
      };
      await contents.writeBooks(given);
      expect(await contents.readBooks()).toEqual(given);
      const other = await again();
      expect(await other.nextId("things")).toBe(42);
      expect(await other.nextId("others")).toBe(1);
      expect(await other.spend({ name: "searches", window: "2026-11-23", limit: 10 }, 2)).toBeUndefined();
      const applied: number[] = [];
      const migration = (version: number) => ({
        owner: "shop",
        version,
        up: () => Promise.resolve(void applied.push(version)),
      });
      await other.migrate([migration(2), migration(3), migration(4)]);
      expect(applied).toEqual([2, 4]);
    });

    it("has one identity for good", async () => {
      const { contents } = bench().world;
      const made = await Promise.all([contents.identity(), contents.identity()]);
      expect(made[0]).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Set([...made, await contents.identity()]).size).toBe(1);
    });

    it("keeps servers out while a copy into it is not complete", async () => {
      const { contents, again } = bench().world;
      expect(await contents.readMark()).toBeUndefined();
      await contents.writeMark(MARK);
      expect(await contents.readMark()).toEqual(MARK);
      const open = async () => (await again()).collection({ name: "items" });
      await expectFailure("unavailable", open());
      expect(await contents.collection({ name: "items" })).toBeDefined();
      await contents.writeMark({ ...MARK, completedAt: AT });
      await expect(open()).resolves.toBeDefined();
    });
  });
}
