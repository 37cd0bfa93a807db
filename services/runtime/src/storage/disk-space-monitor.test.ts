import { expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log.js";
import { storeFull } from "../store/store.js";
import { DiskSpaceMonitor } from "./disk-space-monitor.js";

function subject() {
  const clock = { now: 0 };
  const lines: string[] = [];
  const write = (line: string) => {
    const { level, msg, folder, holds } = JSON.parse(line) as Record<string, string>;
    lines.push(`${level}: ${msg} (${holds} in ${folder})`);
  };
  const place = { folder: "/data", holds: "records" };
  const watch = new DiskSpaceMonitor(createLogger("info", { write }), place, () => clock.now);
  const fail = (error: Error) => expect(watch.observe(Promise.reject(error))).rejects.toBe(error);
  return { clock, lines, watch, fail };
}

const FULL_LINE = "warn: the disk is full: make room, until then new work is refused (records in /data)";
const ROOM_LINE = "info: the disk has room again (records in /data)";

it("says once that a disk is full and once that it has room again, however many writes fail", async () => {
  const { lines, watch, fail } = subject();
  expect(await watch.observe(Promise.resolve(7))).toBe(7);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    await fail(storeFull("test"));
    await fail(new AppError("unavailable", "Full.", { code: "storage_full" }));
    await fail(Object.assign(new Error("no space"), { code: "ENOSPC" }));
  }
  expect(lines).toEqual([FULL_LINE]);
  for (let attempt = 0; attempt < 50; attempt += 1) await watch.observe(Promise.resolve());
  expect(lines).toEqual([FULL_LINE, ROOM_LINE]);
});

it("says so at most once a minute where large writes fail and small ones succeed", async () => {
  const { clock, lines, watch, fail } = subject();
  for (let second = 0; second < 90; second += 1) {
    clock.now = second * 1000;
    await fail(storeFull("test"));
    await watch.observe(Promise.resolve());
  }
  expect(lines).toEqual([FULL_LINE, ROOM_LINE, FULL_LINE, ROOM_LINE]);
});

it("says nothing of writes that fail for other reasons", async () => {
  const { lines, fail } = subject();
  await fail(new AppError("unavailable", "Away."));
  await fail(new Error("broken"));
  expect(lines).toEqual([]);
});
