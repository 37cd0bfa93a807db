import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SqliteConnection } from "./sqlite-connection.js";
import { GroupCommit, type Log, WriteAheadLog } from "./group-commit.js";

let folder: string;
let file: string;
let connection: SqliteConnection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "group-commit-"));
  file = join(folder, "some.db");
  connection = new SqliteConnection(file, 0);
  connection.get("PRAGMA journal_mode = WAL");
  connection.exec("PRAGMA synchronous = NORMAL; CREATE TABLE notes (text TEXT)");
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

/** A log whose syncs end as the test says, one by one. */
class HeldLog implements Log {
  readonly syncs: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #began: (() => void) | undefined;

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.syncs.push({ resolve, reject });
      this.#began?.();
    });
  }

  /** Resolves when so many syncs have begun. */
  async began(count: number): Promise<void> {
    while (this.syncs.length < count) await new Promise<void>((resolve) => (this.#began = resolve));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const commits = (log: Log) => new GroupCommit(connection, log, { busyMs: 0, explain: (error) => error });
const add = (text: string) => () => connection.run("INSERT INTO notes VALUES (?)", [text]);

test("a write resolves when the log is on disk, and what arrives meanwhile shares the next sync", async () => {
  const log = new HeldLog();
  const group = commits(log);
  let settled = 0;
  const count = () => void settled++;
  const first = group.write(add("first")).then(count);
  await log.began(1);
  const later = ["second", "third"].map((text) => group.write(add(text)).then(count));
  await new Promise(setImmediate);
  expect(settled).toBe(0);

  log.syncs[0]?.resolve();
  await first;
  expect(settled).toBe(1);
  await log.began(2);
  log.syncs[1]?.resolve();
  await Promise.all(later);
  expect(log.syncs).toHaveLength(2);
});

test("a write that only later ones rely on resolves when it is committed, without a sync", async () => {
  const log = new HeldLog();
  const group = commits(log);
  await group.write(add("first"), { synced: false });
  expect(log.syncs).toHaveLength(0);

  const synced = group.write(add("second"));
  await group.write(add("third"), { synced: false });
  await log.began(1);
  log.syncs[0]?.resolve();
  await synced;
  expect(connection.all("SELECT count(*) FROM notes")).toEqual([[3]]);
});

test("a write of one statement that fails leaves the others of its transaction alone", async () => {
  connection.exec("CREATE UNIQUE INDEX texts ON notes (text)");
  const log = new HeldLog();
  const group = commits(log);
  const writes = ["a", "b", "a", "c"].map((text) => group.write(add(text), { synced: false, undo: false }));
  const half = group.write(
    () => {
      add("d")();
      add("b")();
    },
    { synced: false },
  );
  const ends = await Promise.allSettled([...writes, half]);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "rejected"]);
  expect(connection.all("SELECT text FROM notes ORDER BY text")).toEqual([["a"], ["b"], ["c"]]);
});

test("a transaction that has taken long leaves the rest to the next one, so that others have their turn", async () => {
  const log = new HeldLog();
  let nowMs = 0;
  const group = new GroupCommit(connection, log, { busyMs: 0, explain: (error) => error, now: () => nowMs });
  const slow = (text: string) => () => {
    nowMs += 4;
    add(text)();
  };
  const writes = ["1", "2", "3", "4", "5"].map((text) => group.write(slow(text)));
  await log.began(1);
  expect(connection.all("SELECT text FROM notes")).toEqual([["1"], ["2"], ["3"]]);
  log.syncs[0]?.resolve();
  await log.began(2);
  log.syncs[1]?.resolve();
  await Promise.all(writes);
  expect(connection.all("SELECT count(*) FROM notes")).toEqual([[5]]);
});

test("after a failed sync a write resolves once everything is in the database file", async () => {
  const log = new HeldLog();
  const group = commits(log);
  const lost = group.write(add("uncertain"));
  await log.began(1);
  log.syncs[0]?.reject(new Error("EIO"));
  await expect(lost).rejects.toMatchObject({ kind: "unavailable" });

  await group.write(add("certain"));
  expect(log.syncs).toHaveLength(1); // a second sync would report pages as written that the system has dropped
  expect(statSync(`${file}-wal`).size).toBe(0);

  const next = group.write(add("next"));
  await log.began(2);
  log.syncs[1]?.resolve();
  await next;
});

test("a write is refused as long as neither the log nor the file can be synced", async () => {
  const log = new HeldLog();
  const group = commits(log);
  const lost = group.write(add("uncertain"));
  await log.began(1);
  log.syncs[0]?.reject(new Error("EIO"));
  await expect(lost).rejects.toMatchObject({ kind: "unavailable" });

  const reader = new SqliteConnection(file, 0);
  reader.exec("BEGIN");
  reader.all("SELECT * FROM notes"); // a reader keeps the log from being emptied
  await expect(group.write(add("refused"))).rejects.toMatchObject({ kind: "unavailable" });
  reader.exec("COMMIT");
  reader.close();
  await group.write(add("certain"));
});

test("a log that cannot be synced fails as the driver does, so that the operator learns of the disk", async () => {
  const missing = new WriteAheadLog(join(folder, "missing.db"));
  await expect(missing.sync()).rejects.toMatchObject({ code: "SQLITE_IOERR_FSYNC" });
});

test("the log of a database can be synced and closed", async () => {
  const group = new GroupCommit(connection, new WriteAheadLog(file), { busyMs: 0, explain: (error) => error });
  await group.write(add("one"));
  await group.close();
  expect(connection.all("SELECT text FROM notes")).toEqual([["one"]]);
});
