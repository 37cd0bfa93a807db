import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AppError, createLogger, openSqliteStore, openFileBlobs } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Comparison } from "./copy-contents.js";
import {
  configuredPlace,
  mustBeApart,
  namedPlace,
  nameOf,
  openSource,
  openTarget,
  type CopySide,
} from "./copy-sides.js";
import { copyAll } from "./copy.js";
import { Progress } from "./output.js";

const options = { log: createLogger("silent"), passphrase: undefined };
const KEY = { id: "20260131235959123-9f86d081", privatePem: "-----BEGIN PRIVATE KEY-----\n" };

let folder: string;
const opened: CopySide[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-copy-"));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((side) => side.close()));
  await rm(folder, { recursive: true, force: true });
});

const place = (name: string) => ({ folder: path.join(folder, name) });

async function target(name = "target"): Promise<CopySide> {
  const side = await openTarget(place(name), options);
  opened.push(side);
  return side;
}

interface Bird {
  id: number | string;
  name: string;
  "odd.name"?: object;
}

/** A storage with some of everything. */
async function source(name = "source"): Promise<CopySide> {
  const side = await target(name);
  const birds = await side.contents.collection<Bird>({ name: "birds" });
  await birds.insertNew([1, 2, "3"].map((id) => ({ id, name: `kestrel ${id}`, "odd.name": { $b: 1, a: [null, -0] } })));
  await side.contents.collection({ name: "empty" });
  await side.contents.writeBooks({ counters: [{ name: "birds", value: 3 }], budgets: [], migrations: [] });
  await side.blobs.put("media/1", once("one"));
  await side.blobs.put("media/2", once("two"));
  await (await side.keys()).add(KEY);
  return side;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const lines: string[] = [];
const copy = (from: CopySide, into: CopySide): Promise<Comparison[]> =>
  copyAll({ source: from, target: into }, new Progress((line) => lines.push(line)));

const counts = (compared: readonly Comparison[]) => compared.map(({ name, target }) => `${name} ${target.count}`);

/** A side that has an outage when its keys are copied: they are asked for once before, whether there are any. */
function failing(side: CopySide): CopySide {
  let asked = 0;
  const away = new AppError("unavailable", "away");
  return { ...side, keys: () => (asked++ === 0 ? side.keys() : Promise.reject(away)) };
}

describe("a copy of everything", () => {
  it("brings documents, counters, files and keys", async () => {
    const [from, into] = [await source(), await target()];
    expect(counts(await copy(from, into))).toEqual(["birds 3", "counters 1", "files 2", "signing keys 1"]);
    const birds = await into.contents.collection({ name: "birds" });
    expect(await birds.find({})).toEqual(await (await from.contents.collection({ name: "birds" })).find({}));
    expect(await (await into.keys()).read(KEY.id)).toEqual(KEY);
  });

  it("continues after an outage with what the source is then", async () => {
    const [from, into] = [await source(), await target()];
    await expect(copy(from, failing(into))).rejects.toThrow(/^The copy was interrupted\. Run the same command again/);
    const birds = await from.contents.collection<Bird>({ name: "birds" });
    await birds.delete({ id: 1 });
    await birds.put({ id: 2, name: "another" });
    await birds.insert({ id: 4, name: "new" });
    await from.blobs.delete("media/1");
    await from.blobs.put("media/3", once("three"));
    await from.contents.writeBooks({ counters: [{ name: "birds", value: 4 }], budgets: [], migrations: [] });
    expect(counts(await copy(from, into))).toEqual(["birds 3", "counters 1", "files 2", "signing keys 1"]);
    expect((await into.contents.readBooks()).counters).toEqual([{ name: "birds", value: 4 }]);
  });

  it("is only compared once it is complete, and says what differs since", async () => {
    const [from, into] = [await source(), await target()];
    const compared = await copy(from, into);
    expect(counts(await copy(from, into))).toEqual(counts(compared));
    expect(lines).toContainEqual(expect.stringMatching(/^The copy was completed at .*: it is only compared$/));
    await into.blobs.put("media/1", once("eno"));
    await (await into.contents.collection({ name: "eggs" })).insert({ id: 1 });
    await expect(copy(from, into)).rejects.toThrow(
      "The copy differs from its source in eggs (0 documents, 1 in the copy), files (2 files, with other contents). " +
        "One of them was used since. To copy again, empty the target.",
    );
  });

  it("finds a damaged file, and is not complete with it", async () => {
    const [from, into] = [await source(), await target()];
    await into.contents.writeMark({
      source: await from.contents.identity(),
      sourceName: "source",
      begunAt: "2026-11-22T10:00:00.000Z",
      completedAt: null,
    });
    await into.blobs.put("media/1", once("eno"));
    await expect(copy(from, into)).rejects.toThrow(/differs from its source in files \(2 files, with other contents\)/);
    expect((await into.contents.readMark())?.completedAt).toBeNull();
  });

  it("is refused into what holds anything else, and from what holds nothing or a part", async () => {
    const [from, into] = [await source(), await target()];
    await expect(copy(from, failing(into))).rejects.toThrow();
    const other = await source("other");
    await expect(copy(other, into)).rejects.toThrow(/target is not empty: it holds a copy from .*source, birds, /);
    await expect(copy(into, await target("third"))).rejects.toThrow(/is not complete/);
    await expect(copy(other, from)).rejects.toThrow(/source is not empty: it holds birds, counters, files\.$/);
    await expect(copy(await target("fourth"), into)).rejects.toThrow(/^There is nothing to copy in .*fourth\.$/);
  });
});

describe("the places of a copy", () => {
  it("have a database if they are sources, and nothing else if they are folders to fill", async () => {
    await expect(openSource(place("none"), options)).rejects.toThrow(/^There is no database in .*none: set DATA_DIR/);
    await mkdir(place("full").folder);
    await writeFile(path.join(place("full").folder, "notes.txt"), "mine");
    await expect(openTarget(place("full"), options)).rejects.toThrow(/full is not empty\.$/);
    expect(await readdir(folder)).toEqual(["full"]);
  });

  it("are used by nobody else", async () => {
    const store = await openSqliteStore({ dataDir: place("used").folder, log: options.log });
    await expect(openSource(place("used"), options)).rejects.toThrow(/^A process uses the data folder .*used: stop/);
    await store.close();
    await source();
    const beside = openSqliteStore({ dataDir: place("source").folder, log: options.log, busyMs: 50 });
    await expect(beside).rejects.toThrow(/source\/hourglass\.db cannot be opened: .*locked/);
  });

  it("are named without password when they do not answer", async () => {
    const url = "mongodb://user:secret@127.0.0.1:1/hourglass?replicaSet=rs0";
    await expect(openTarget({ url }, options)).rejects.toThrow(
      /^mongodb:\/\/127\.0\.0\.1:1\/hourglass cannot be used\.$/,
    );
    await expect(openTarget({ url: "mongodb://" }, options)).rejects.toThrow(/^Give --to a URL that MongoDB's driver/);
  });

  it("keep their files beside the database", async () => {
    const from = await source();
    await copy(from, await target());
    const blobs = await openFileBlobs({ folder: path.join(place("target").folder, "files") });
    expect(await blobs.size("media/2")).toBe(3);
  });
});

describe("a place to copy to", () => {
  it("is a database or a folder", () => {
    expect(namedPlace("mongodb://host/db?tls=true")).toEqual({ url: "mongodb://host/db?tls=true" });
    expect(namedPlace("mongodb+srv://host")).toEqual({ url: "mongodb+srv://host" });
    expect(namedPlace("copies/a")).toEqual({ folder: path.resolve("copies/a") });
    for (const wrong of ["", "postgres://host/db", "http://host", "MONGODB://host"]) {
      expect(() => namedPlace(wrong)).toThrow(/^Give --to the URL of a MongoDB database/);
    }
  });

  it("is not inside of the source", () => {
    const source = configuredPlace({ dataDir: "/srv/data", mongodbUrl: undefined });
    for (const folder of ["/srv/data", "/srv/data/copy"]) {
      expect(() => mustBeApart(source, { folder })).toThrow(/outside of the data folder \/srv\/data\.$/);
    }
    expect(() => mustBeApart(source, { folder: "/srv/data2" })).not.toThrow();
    const database = configuredPlace({ dataDir: "/srv/data", mongodbUrl: "mongodb://host" });
    expect(() => mustBeApart(database, { folder: "/srv/data" })).not.toThrow();
  });

  it.each([
    ["mongodb://user:p%40ss@a,b:1/db?authSource=admin", "mongodb://a,b:1/db"],
    ["mongodb://user:p@ss/word@host/db", "mongodb://host/db"],
    ["mongodb+srv://host", "mongodb+srv://host"],
  ])("is named without its password: %s", (url, name) => {
    expect(nameOf({ url })).toBe(name);
  });
});
