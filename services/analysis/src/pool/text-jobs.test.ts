import { expect, it } from "vitest";
import { cancelBatch, createGate, loadAhead, type ThreadStart } from "./text-jobs.js";

function startOf(threads: number): ThreadStart {
  const started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return { started, loading: Array.from({ length: threads - 1 }, createGate) };
}

/** Starts a thread; returns whether it loaded its models before it took work. */
async function loads(start: ThreadStart): Promise<boolean> {
  let loaded = false;
  const load = () => {
    loaded = true;
    return Promise.reject(new Error("there is no model"));
  };
  await loadAhead(start, { load, describe: () => Promise.resolve([]) });
  return loaded;
}

it("has every thread but the first load its models before it takes work", async () => {
  const start = startOf(3);
  expect([await loads(start), await loads(start), await loads(start)]).toEqual([false, true, true]);
});

it("loads nothing ahead in a thread that replaces another one, since a text may be waiting for it alone", async () => {
  const start = startOf(1);
  expect([await loads(start), await loads(start)]).toEqual([false, false]);
});

it("loads nothing once the pool is closing", async () => {
  const start = startOf(2);
  await loads(start);
  start.loading.forEach(cancelBatch);
  expect(await loads(start)).toBe(false);
});
