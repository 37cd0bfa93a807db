import { expect, it } from "vitest";
import { applyMigration } from "./migrations.js";
import type { Store } from "./store.js";

const store = {} as Store;

/** Applies a migration whose records take so many milliseconds each; returns the lines of the log, and when it was recorded. */
async function applied(records: readonly number[]): Promise<{ lines: unknown[]; recordedAfter: number }> {
  let now = 1000;
  let recordedAfter = -1;
  const lines: unknown[] = [];
  await applyMigration(
    {
      owner: "insight",
      version: 3,
      up: (_, progress) => {
        for (const ms of records) {
          now += ms;
          progress(1);
        }
        return Promise.resolve();
      },
    },
    {
      store,
      log: { info: ((fields: object, msg: string) => lines.push({ ...fields, msg })) as never },
      record: () => {
        recordedAfter = lines.length;
        return Promise.resolve();
      },
      now: () => now,
    },
  );
  return { lines, recordedAfter };
}

const ofIt = { owner: "insight", version: 3 };

it("logs that a migration begins and, once it is recorded, that it ended, with what it has done", async () => {
  const { lines, recordedAfter } = await applied([10, 20]);
  expect(lines).toEqual([
    { ...ofIt, msg: "a migration of the data begins" },
    { ...ofIt, done: 2, ms: 30, msg: "migrated" },
  ]);
  expect(recordedAfter).toBe(1);
});

it("logs every five seconds how far one is that takes long", async () => {
  const { lines } = await applied([2000, 2000, 2000, 2000, 2000, 2000, 1000]);
  expect(lines.slice(1)).toEqual([
    { ...ofIt, done: 3, ms: 6000, msg: "migrating" },
    { ...ofIt, done: 6, ms: 12_000, msg: "migrating" },
    { ...ofIt, done: 7, ms: 13_000, msg: "migrated" },
  ]);
});

it("does not say that one ended which failed", async () => {
  const lines: unknown[] = [];
  const log = { info: ((fields: object, msg: string) => lines.push({ ...fields, msg })) as never };
  const failing = { ...ofIt, up: () => Promise.reject(new Error("half way")) };
  await expect(applyMigration(failing, { store, log, record: () => Promise.resolve() })).rejects.toThrow("half way");
  expect(lines).toEqual([{ ...ofIt, msg: "a migration of the data begins" }]);
});
