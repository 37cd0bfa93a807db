import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { compactDatabase, type Document, type SqliteStore, openSqliteStore } from "@hourglass/runtime";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf, freshFolder, numbersBelow, silent } from "./support.js";

interface Item extends Document {
  id: string;
  owner: string;
  text: string;
}

const MARKER = "kestrel-and-nothing-else";
const ITEMS = { name: "items", indexes: [{ fields: ["owner"] }] } as const;

let dataDir: string;
let file: string;
beforeEach(async () => {
  const fresh = await freshFolder();
  onTestFinished(fresh.remove);
  dataDir = path.join(fresh.folder, "data");
  await mkdir(dataDir);
  file = path.join(dataDir, "hourglass.db");
});

const open = async (vacuum?: { everyMs: number; keep: number }): Promise<SqliteStore> => {
  const store = await openSqliteStore({ dataDir, log: silent, ...(vacuum && { vacuum }) });
  onTestFinished(() => store.close());
  return store;
};

/** Fills the store so that records of two owners share pages, which move when they grow. */
async function fill(store: SqliteStore): Promise<void> {
  const items = await store.collection<Item>(ITEMS);
  const numbers = numbersBelow(4000).map((number) => (number * 7919) % 4000);
  for (let from = 0; from < numbers.length; from += 200) {
    await items.insertMany(
      numbers.slice(from, from + 200).map((number) => {
        const owner = number % 3 === 0 ? "other" : "own";
        const words = owner === "own" ? MARKER : "a plain text";
        return {
          id: `${owner}-${number}`,
          owner,
          text: `${words} `.repeat(1 + (number % (number % 100 === 0 ? 700 : 15))),
        };
      }),
    );
  }
}

/** Files of the folder in whose bytes the text stands. */
async function filesWith(text: string): Promise<string[]> {
  const names = await readdir(dataDir);
  const contents = await Promise.all(names.map((name) => readFile(path.join(dataDir, name))));
  return names.filter((_, index) => contents[index]?.includes(text));
}

const sizeOf = async (): Promise<number> => (await stat(file)).size;

describe("the space of the embedded store", () => {
  it("holds nothing of deleted records once it is purged, and all of the others", async () => {
    const store = await open();
    await fill(store);
    const items = await store.collection<Item>(ITEMS);
    const before = await items.find({ owner: "other" });
    expect(await filesWith(MARKER)).not.toEqual([]);
    for (let left = 1; left > 0;) {
      const some = await items.find({ owner: "own" }, { limit: 200 });
      left = await items.delete({ id: { in: some.map(({ id }) => id) } });
    }
    expect(await store.contents.purge()).toBeUndefined();
    expect(await filesWith(MARKER)).toEqual([]);
    expect(await items.find({ owner: "other" })).toEqual(before);
    await store.close();
    const reopened = await (await open()).collection<Item>(ITEMS);
    expect(await reopened.find({ owner: "other" })).toEqual(before);
    expect(await filesWith(MARKER)).toEqual([]);
  });

  it("is purged while a server writes, which only waits", async () => {
    const [server, command] = [await open(), await open()];
    await fill(server);
    const items = await server.collection<Item>(ITEMS);
    await items.delete({ owner: "own" });
    const purge = { isOver: false };
    const purged = command.contents.purge().finally(() => (purge.isOver = true));
    let written = 0;
    for (; !purge.isOver; written++) await items.insert({ id: `new-${written}`, owner: "new", text: "" });
    expect(await purged).toBeUndefined();
    expect(await filesWith(MARKER)).toEqual([]);
    expect(await items.count({ owner: "new" })).toBe(written);
    expect(await items.count({ owner: "other" })).toBe(1334);
  });

  it("goes back to the file system by itself after records were deleted", async () => {
    const store = await open({ everyMs: 1, keep: 0 });
    await fill(store);
    const items = await store.collection<Item>(ITEMS);
    await store.contents.purge();
    const before = await sizeOf();
    await items.delete({ owner: "own" });
    await vi.waitFor(async () => {
      store.database.get("PRAGMA wal_checkpoint(TRUNCATE)");
      expect(await sizeOf()).toBeLessThan(before / 2);
    });
    expect(await items.count({ owner: "other" })).toBe(1334);
  });

  it("is compacted while no server runs, and goes back by itself from then on, too", async () => {
    const store = await open();
    await fill(store);
    const items = await store.collection<Item>(ITEMS);
    await items.delete({ owner: "own" });
    const others = await items.find({});
    expect(await store.contents.purge({ rewrittenBytesMax: 0 })).toMatch(
      /may remain .* stop the servers .* compact"\.$/,
    );
    expect((await stat(`${file}-wal`)).size).toBe(0);
    expect(await items.find({})).toEqual(others);
    await store.close();
    // The driver keeps the file open until its statements are garbage-collected.
    dataDir = `${dataDir}-copy`;
    await cp(path.dirname(file), dataDir, { recursive: true });
    file = path.join(dataDir, "hourglass.db");
    await writeFile(`${file}.compact`, "left by a run that was killed");
    const { before, after } = await compactDatabase({ dataDir });
    expect(after).toBeLessThan(before / 2);
    expect(await sizeOf()).toBe(after);
    expect(await readdir(dataDir)).not.toContain("hourglass.db.compact");
    expect(await filesWith(MARKER)).toEqual([]);
    const compacted = await open();
    expect(await (await compacted.collection<Item>(ITEMS)).find({})).toEqual(others);
    expect(compacted.database.get("PRAGMA auto_vacuum")).toEqual([2]);
  });

  it("is not compacted while a server uses it", async () => {
    const store = await open();
    await fill(store);
    expect(await failureOf(compactDatabase({ dataDir }))).toMatchObject({ kind: "conflict" });
    expect(await (await store.collection<Item>(ITEMS)).count({})).toBe(4000);
  });

  it("is measured by collection", async () => {
    const store = await open();
    await fill(store);
    const { collections, totalBytes, freeBytes } = await store.contents.measure();
    const [items] = collections;
    expect(collections).toHaveLength(1);
    expect(items).toMatchObject({ name: "items", documents: 4000 });
    expect(items?.bytes).toBeGreaterThan(400_000);
    expect(totalBytes).toBeGreaterThan(items?.bytes ?? 0);
    expect(freeBytes).toBeLessThan(totalBytes);
  });
});
