import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scratch } from "./scratch.js";

const HOUR_S = 3600;

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "scratch-test-"));
});
afterEach(() => rm(parent, { recursive: true }));

/** A folder as the process left it that had this id on this machine, some seconds ago. */
async function leave(pid: number, host: string, ageS = 0): Promise<string> {
  const name = `hourglass-scratch-${pid}-${host}-AbC123`;
  const then = Date.now() / 1000 - ageS;
  await mkdir(path.join(parent, name));
  await utimes(path.join(parent, name), then, then);
  return name;
}

/** Greater than any process id of Linux. */
const ENDED = 2 ** 22 + 1;

it("removes what ended processes of this machine left, and keeps what others use", async () => {
  const used = await leave(process.ppid, hostname(), 100 * HOUR_S);
  await leave(ENDED, hostname());
  // A container starts its process again with the same id.
  await leave(process.pid, hostname());
  await mkdir(path.join(parent, "somebody-else"));
  const scratch = await Scratch.open(parent);
  const left = await readdir(parent);
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining([used, "somebody-else"]));
  await scratch.close();
});

it("removes what machines that share the folder left hours ago, and nothing younger", async () => {
  await leave(1, "other-1", 7 * HOUR_S);
  const young = await leave(1, "other-2", HOUR_S);
  const scratch = await Scratch.open(parent);
  await scratch.close();
  expect(await readdir(parent)).toEqual([young]);
});

it("continues if another machine has removed its folder", async () => {
  const scratch = await Scratch.open(parent);
  await rm(parent, { recursive: true });
  await mkdir(parent);
  expect(
    await scratch.hold(Readable.from([Buffer.from("a")]), (file) => Promise.resolve(path.dirname(file))),
  ).toContain(parent);
  await scratch.close();
});
