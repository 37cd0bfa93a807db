import { copyFile, cp, mkdir, open, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError, backUpDatabase, createLogger, openEmbeddedQueue, openSqliteStore } from "@hourglass/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { failureOf, freshFolder, numbersBelow, silent } from "./support.js";

interface Item {
  id: number;
  text: string;
}

const PAGE = 4096;
const ITEMS = 400;

/** The data folder of a stopped server: a database of many pages, some of them free. */
async function fill(dataDir: string): Promise<void> {
  const store = await openSqliteStore({ dataDir, log: silent });
  const queue = await openEmbeddedQueue({ database: store.database, log: silent });
  const items = await store.collection<Item>({ name: "items", indexes: [{ fields: ["text"] }] });
  await items.insertMany(numbersBelow(ITEMS).map((id) => ({ id, text: `text ${id} ${"x".repeat(300)}` })));
  await items.delete({ id: { lt: 40 } });
  await queue.close();
  await store.close();
}

let original: string;
let removeOriginal: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshFolder();
  [original, removeOriginal] = [path.join(fresh.folder, "data"), fresh.remove];
  await fill(original);
});
afterAll(() => removeOriginal());

let dataDir: string;
let file: string;
beforeEach(async () => {
  const fresh = await freshFolder();
  onTestFinished(fresh.remove);
  dataDir = path.join(fresh.folder, "data");
  file = path.join(dataDir, "hourglass.db");
  await mkdir(dataDir, { mode: 0o700 });
  // The side files of a closed database are removed slightly later.
  await copyFile(path.join(original, "hourglass.db"), file);
});

async function write(at: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "r+");
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

/** Offset of an item's text in the file. */
async function offsetOf(text: string): Promise<number> {
  const at = (await readFile(file)).indexOf(text);
  expect(at).toBeGreaterThan(0);
  return at;
}

/** The number of the page, from 0, that contains a text. */
const pageOf = async (text: string): Promise<number> => Math.floor((await offsetOf(text)) / PAGE);

const flipped = (length: number) => Buffer.alloc(length, 0xff);

const DAMAGES: readonly (readonly [string, () => Promise<void>])[] = [
  ["flipped bytes in the header", () => write(0, flipped(16))],
  ["flipped bytes in the page of the schema", () => write(100, flipped(200))],
  ["flipped bytes in the words of the schema", async () => write(await offsetOf("CREATE TABLE c_items"), flipped(20))],
  [
    "flipped bytes at the head of a page of records",
    async () => write((await pageOf("text 200 ")) * PAGE, flipped(12)),
  ],
  ["flipped bytes in a record", async () => write((await offsetOf('"text":"text 200 ')) + 20, flipped(1))],
  ["flipped bytes in the marks of a record", async () => write(await offsetOf('"text":"text 200 '), Buffer.from("{"))],
  ["a page of zeros among the records", async () => write((await pageOf("text 200 ")) * PAGE, Buffer.alloc(PAGE))],
  ["a first page of zeros", () => write(0, Buffer.alloc(PAGE))],
  ["the second half cut off", async () => truncate(file, Math.floor((await stat(file)).size / 2))],
  ["all but a part of the first page cut off", () => truncate(file, 1000)],
  ["another kind of file", () => writeFile(file, "somebody's letter\n".repeat(500))],
];

const LINE = /^The database .*hourglass\.db is damaged: .+\. Stop all servers, .*restore the newest backup .*\.$/;

describe("a damaged database", () => {
  it.each(DAMAGES)("stops the start in one line that names file and remedy: %s", async (_what, damage) => {
    await damage();
    const failure = await failureOf(openSqliteStore({ dataDir, log: silent }));
    expect(failure.kind).toBe("unavailable");
    expect(failure.message).toMatch(LINE);
    expect(failure.message).toContain(file);
  });

  it.each(DAMAGES)("is not backed up, with the same line: %s", async (_what, damage) => {
    await damage();
    const targetDir = path.join(dataDir, "..", "copy");
    await mkdir(targetDir);
    const failure = await failureOf(backUpDatabase({ dataDir, targetDir }));
    expect(failure.message).toMatch(LINE);
    expect(failure.message).toContain(file);
  });

  it("is found beside the work when it is large, told once, and nothing is read or written from then on", async () => {
    await write(await offsetOf('"text":"text 200 '), Buffer.from("{"));
    const lines: string[] = [];
    const log = createLogger("error", { write: (line) => void lines.push(line) });
    const store = await openSqliteStore({ dataDir, log, checkedFirstBytesMax: 0 });
    onTestFinished(() => store.close());
    const items = await store.collection<Item>({ name: "items" });
    await expect.poll(() => store.state).toBe("damaged");
    for (const call of [() => items.get(300), () => items.put({ id: 1, text: "a" }), () => store.ping()]) {
      const failure = await failureOf(call());
      expect(failure.kind).toBe("unavailable");
      expect(failure.message).not.toContain(dataDir);
    }
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([expect.stringMatching(LINE)]);
  });

  it("ends a read that meets a text which is none, and not the process", async () => {
    await write((await offsetOf('"text":"text 200 ')) + 20, flipped(1));
    const store = await openSqliteStore({ dataDir, log: silent, checkedFirstBytesMax: 0 });
    onTestFinished(() => store.close());
    // The check's thread has hardly begun.
    const items = await store.collection<Item>({ name: "items" });
    expect((await failureOf(items.find({}))).kind).toBe("unavailable");
    expect(store.state).toBe("damaged");
    await expect(store.ping()).rejects.toThrow(AppError);
  });

  it("is known to be sound after the check when it is", async () => {
    const store = await openSqliteStore({ dataDir, log: silent, checkedFirstBytesMax: 0 });
    onTestFinished(() => store.close());
    expect(store.state).toBe("checking");
    await expect.poll(() => store.state).toBe("ready");
    expect(await (await store.collection<Item>({ name: "items" })).count({})).toBe(ITEMS - 40);
  });

  it("never ends the process, wherever a page is overwritten", async () => {
    const pages = (await stat(file)).size / PAGE;
    for (let page = 0; page < pages; page += 1) {
      await copyFile(path.join(original, "hourglass.db"), file);
      await rm(`${file}-wal`, { force: true });
      await write(page * PAGE, flipped(PAGE));
      const outcome = await openSqliteStore({ dataDir, log: silent }).then(
        async (store) => {
          const items = await store.collection<Item>({ name: "items" });
          const count = (await items.find({})).length;
          await store.close();
          return count;
        },
        (error: unknown) => (error instanceof AppError ? error.message : error),
      );
      // A free page contains no data.
      expect(outcome === ITEMS - 40 || LINE.test(String(outcome)), `page ${page}: ${String(outcome)}`).toBe(true);
    }
  });
});

describe("a log of the database with flipped bytes", () => {
  it("is read up to them", async () => {
    const store = await openSqliteStore({ dataDir, log: silent });
    const items = await store.collection<Item>({ name: "items" });
    for (const id of numbersBelow(20)) await items.put({ id, text: `new ${id}` });
    const copy = path.join(dataDir, "..", "copy");
    await cp(dataDir, copy, { recursive: true });
    await store.close();
    const log = path.join(copy, "hourglass.db-wal");
    const handle = await open(log, "r+");
    await handle.write(flipped(100), 0, 100, Math.floor((await stat(log)).size / 2));
    await handle.close();
    const reopened = await openSqliteStore({ dataDir: copy, log: silent });
    onTestFinished(() => reopened.close());
    const found = await (await reopened.collection<Item>({ name: "items" })).find({ id: { lt: 20 } });
    expect(found.map(({ id }) => id)).toEqual(numbersBelow(found.length));
    expect(found.length).toBeLessThan(20);
  });
});

const LEFT: readonly (readonly [string, string])[] = [
  ["signing keys", "keys/1.pem"],
  ["files", "files/blobs/ab/file"],
];
const EMPTIED: readonly (readonly [string, () => Promise<void>])[] = [
  ["deleted", () => rm(file)],
  ["emptied", () => truncate(file, 0)],
  [
    "without a table",
    async () => {
      await rm(file);
      const { database } = await openEmptyDatabase();
      await database.close();
    },
  ],
];

/** A database without any collections. */
async function openEmptyDatabase() {
  const store = await openSqliteStore({ dataDir, log: silent });
  const tables = ["counters", "migrations", "budgets", "notes"].map((table) => `DROP TABLE ${table};`).join("");
  await store.database.write((connection) => connection.exec(tables));
  return store;
}

describe("a data folder whose database is gone", () => {
  const cases = LEFT.flatMap(([what, name]) => EMPTIED.map(([how, empty]) => ({ what, name, how, empty })));

  it.each(cases)("does not start empty beside $what: $how", async ({ what, name, empty }) => {
    await empty();
    await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
    await writeFile(path.join(dataDir, name), "x");
    const failure = await failureOf(openSqliteStore({ dataDir, log: silent }));
    expect(failure.message).toContain(`${file} is missing or empty, but there are ${what} of an earlier server`);
    expect(failure.message).toMatch(/Restore the newest backup .*to start over, move the folders keys and files away/);
  });

  it("starts fresh without keys and files", async () => {
    await rm(file);
    await mkdir(path.join(dataDir, "keys"), { recursive: true });
    await mkdir(path.join(dataDir, "files", "blobs"), { recursive: true });
    const store = await openSqliteStore({ dataDir, log: silent });
    onTestFinished(() => store.close());
    expect(store.state).toBe("ready");
  });
});
