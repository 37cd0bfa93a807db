import { createHash } from "node:crypto";
import { appendFile, chmod, cp, mkdir, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { openSqliteStore, type SqliteStore } from "@hourglass/runtime";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { failureOf, freshFolder, numbersBelow, silent } from "./support.js";

interface Item {
  id: number;
  text: string;
}

describe("the files of the embedded store", () => {
  let folder: string;
  let dataDir: string;

  const open = async (where = dataDir): Promise<SqliteStore> => {
    const store = await openSqliteStore({ dataDir: where, log: silent });
    onTestFinished(() => store.close());
    return store;
  };

  /** A copy of the folder as left by a process killed now, with all documents still in the log. */
  const killedCopy = async (count: number): Promise<string> => {
    const items = await (await open()).collection<Item>({ name: "items" });
    for (const id of numbersBelow(count)) await items.insert({ id, text: `text ${id}` });
    const copy = path.join(folder, "copy");
    await cp(dataDir, copy, { recursive: true });
    expect((await stat(path.join(copy, "hourglass.db-wal"))).size).toBeGreaterThan(0);
    return copy;
  };

  /** The one-line error that an operator reads when the store does not open. */
  const refusalOf = async (where = dataDir): Promise<string> => {
    const failure = await failureOf(openSqliteStore({ dataDir: where, log: silent }));
    expect(failure.kind).toBe("unavailable");
    expect(failure.message).not.toContain("\n");
    expect(failure.message).toContain(where);
    return failure.message;
  };

  beforeEach(async () => {
    const fresh = await freshFolder();
    onTestFinished(fresh.remove);
    folder = fresh.folder;
    dataDir = path.join(folder, "data");
  });

  it("ignores garbage after the last record of the log and keeps all before it", async () => {
    const copy = await killedCopy(20);
    await appendFile(path.join(copy, "hourglass.db-wal"), Buffer.alloc(10_000, 0xa5));
    const store = await open(copy);
    const items = await store.collection<Item>({ name: "items" });
    expect((await items.find({})).map(({ id }) => id)).toEqual(numbersBelow(20));
    await items.insert({ id: 20, text: "and continues" });
    await store.close();
    const reopened = await (await open(copy)).collection<Item>({ name: "items" });
    expect(await reopened.count({})).toBe(21);
  });

  it("ignores a torn last record of the log and keeps all before it", async () => {
    const copy = await killedCopy(20);
    const log = path.join(copy, "hourglass.db-wal");
    await truncate(log, (await stat(log)).size - 7);
    const items = await (await open(copy)).collection<Item>({ name: "items" });
    // Only the write that is cut off is lost: on a real disk, it would never have been acknowledged.
    expect((await items.find({})).map(({ id }) => id)).toEqual(numbersBelow(19));
  });

  it("stay as they are, to the byte, if a newer release has migrated them", async () => {
    const newer = await open();
    await newer.migrate([{ owner: "insight", version: 2, up: () => Promise.resolve() }]);
    await newer.close();
    const digest = async (name: string) =>
      createHash("sha256")
        .update(await readFile(path.join(dataDir, name)))
        .digest("hex");
    const files = async () =>
      Promise.all((await readdir(dataDir)).sort().map(async (name) => [name, await digest(name)]));
    const before = await files();
    const failure = await failureOf(openSqliteStore({ dataDir, log: silent, knows: { insight: 1 } }));
    expect(failure).toMatchObject({ kind: "conflict", message: expect.stringContaining("insight 2") as string });
    expect(await files()).toEqual(before);
  });

  it("gives only its owner access, whatever the umask", async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const store = await open();
    await store.migrate([{ owner: "test", version: 2, up: () => Promise.resolve() }]);
    await (await store.collection<Item>({ name: "items" })).insert({ id: 1, text: "secret" });
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const names = await readdir(dataDir);
    expect(names).toContain("hourglass.db-wal");
    for (const name of names) {
      const { mode } = await stat(path.join(dataDir, name));
      expect(`${name} ${(mode & 0o777).toString(8)}`).toBe(`${name} 600`);
    }
  });

  it("takes access from others that a database file gave them", async () => {
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, "hourglass.db"), "", { mode: 0o644 });
    await open();
    expect((await stat(path.join(dataDir, "hourglass.db"))).mode & 0o777).toBe(0o600);
  });

  it("says in one line that a file is not a database, and leaves the file as it is", async () => {
    await mkdir(dataDir);
    const file = path.join(dataDir, "hourglass.db");
    const content = "this is somebody's letter\n".repeat(1000);
    await writeFile(file, content);
    expect(await refusalOf()).toMatch(/not a database/);
    expect((await stat(file)).size).toBe(content.length);
  });

  it("says in one line that the data folder cannot be made", async () => {
    await writeFile(path.join(folder, "file"), "");
    expect(await refusalOf(path.join(folder, "file", "data"))).toMatch(/cannot be written/);
    await mkdir(path.join(dataDir, "hourglass.db"), { recursive: true });
    expect(await refusalOf()).toMatch(/cannot be written/);
  });

  // Every folder is writable to root.
  it.skipIf(process.getuid?.() === 0)("says in one line that the data folder may not be written", async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o500);
    expect(await refusalOf()).toMatch(/cannot be written/);
  });
});
