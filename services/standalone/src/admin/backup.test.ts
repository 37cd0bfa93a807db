import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FolderCopy } from "./backup.js";

let folder: string;
let source: string;
let target: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-copy-"));
  [source, target] = [path.join(folder, "source"), path.join(folder, "target")];
  await mkdir(path.join(source, "a", "b"), { recursive: true });
  await writeFile(path.join(source, "one"), "1");
  await writeFile(path.join(source, "a", "b", "two"), "22");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (name: string) => readFile(path.join(target, name), "utf8");
const modeOf = async (name: string) => ((await stat(path.join(target, name))).mode & 0o777).toString(8);

it("copies files below folders for their owner only", async () => {
  const copy = new FolderCopy(source, target);
  await copy.run();
  expect(copy.copied).toEqual({ count: 2, bytes: 3 });
  expect([await read("one"), await read("a/b/two")]).toEqual(["1", "22"]);
  expect([await modeOf("one"), await modeOf("a/b/two"), await modeOf("a/b")]).toEqual(["600", "600", "700"]);
});

it("adds what is new when it runs again, and keeps what is gone", async () => {
  const copy = new FolderCopy(source, target);
  await copy.run();
  const { mtimeMs } = await stat(path.join(target, "one"));
  await rm(path.join(source, "a", "b", "two"));
  await writeFile(path.join(source, "a", "three"), "333");
  await copy.run();
  expect(copy.copied).toEqual({ count: 3, bytes: 6 });
  expect([await read("a/b/two"), await read("a/three")]).toEqual(["22", "333"]);
  expect((await stat(path.join(target, "one"))).mtimeMs).toBe(mtimeMs);
});

it("takes a file that was put in the place of another", async () => {
  const copy = new FolderCopy(source, target);
  await copy.run();
  await writeFile(path.join(folder, "incoming"), "another");
  await rename(path.join(folder, "incoming"), path.join(source, "one"));
  await copy.run();
  expect(await read("one")).toBe("another");
  expect(copy.copied).toEqual({ count: 2, bytes: 9 });
});

it("takes only the names it wants, and no folder for nothing", async () => {
  const copy = new FolderCopy(source, target, (name) => name.startsWith("t"));
  await copy.run();
  expect(copy.copied).toEqual({ count: 1, bytes: 2 });
  const missing = new FolderCopy(path.join(folder, "missing"), path.join(folder, "none"));
  await missing.run();
  expect(missing.copied).toEqual({ count: 0, bytes: 0 });
  expect((await readdir(folder)).sort()).toEqual(["source", "target"]);
});
