import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DueJobs, dueKind, openEmbeddedQueue, openSqliteStore } from "@hourglass/runtime";
import { expect, it, onTestFinished, vi } from "vitest";
import { type Alarm, openAlarms } from "./jobs-world.js";
import { freshFolder, numbersBelow, silent } from "./support.js";

const DUE = 100_000;
const INSERTED_AT_ONCE = 10_000;
const OWNERS = 50;
const PLACES = 8;
/** As for searches. */
const LOOK_AHEAD = 5000;
/** What is worked off here. */
const DONE = 3000;
/** The most messages that the window of a relay allows. */
const WINDOW_MAX = 512;
/** All records would take twice as much, those that a relay looks at take a third. */
const HEAP_BYTES_MAX = 5 * 2 ** 20;

/** Heap size after garbage collection; a context created after the flag is set has the gc function. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

it("has a backlog of 100,000 due records wait in the store: neither the queue nor memory sees it", async () => {
  const { folder, remove } = await freshFolder();
  onTestFinished(remove);
  const store = await openSqliteStore({ dataDir: folder, log: silent });
  onTestFinished(() => store.close());
  const queue = await openEmbeddedQueue({ database: store.database, log: silent, pollMs: 10 });
  const records = await openAlarms(store);
  const now = 1_000_000_000;
  for (let from = 0; from < DUE; from += INSERTED_AT_ONCE) {
    const ids = numbersBelow(INSERTED_AT_ONCE).map((n) => from + n + 1);
    await records.insertMany(ids.map((id) => ({ id, dueAt: now - DUE + id, rung: 0 })));
  }
  const depths: number[] = [];
  let heapMax = 0;
  let [begun, done] = [0, 0];
  let begin = (): void => undefined;
  const begins = new Promise<void>((resolve) => (begin = resolve));
  const kind = dueKind<Alarm>({
    name: "alarm",
    records,
    leaseMs: 60_000,
    failure: "an alarm did not ring",
    ownerOf: ({ id }) => id % OWNERS,
    lookAhead: LOOK_AHEAD,
    work: async (claim) => {
      begun += 1;
      await begins;
      await claim.reschedule(null);
      done += 1;
      depths.push(await queue.depth("alarms"));
      if (done % (DONE / 4) === 0) heapMax = Math.max(heapMax, heapBytes());
    },
  });
  const options = { name: "alarms", queue, kinds: [kind], places: PLACES, checkMs: 10, log: silent, now: () => now };
  const jobs = new DueJobs(options);
  const before = heapBytes();

  const relay = jobs.startRelay();
  const worker = jobs.startWorker();
  await vi.waitFor(() => expect(begun).toBe(PLACES));
  // The relay looks again meanwhile: as long as none of it ends, it publishes no more than at first.
  const looks = vi.spyOn(records, "stream");
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(3));
  expect(await queue.depth("alarms")).toBeLessThanOrEqual(2 * PLACES);

  begin();
  await vi.waitFor(() => expect(done).toBeGreaterThanOrEqual(DONE), { timeout: 60_000 });
  await Promise.all([relay.stop(1000), worker.stop(1000)]);
  await queue.close();

  expect(Math.max(...depths)).toBeLessThanOrEqual(WINDOW_MAX + PLACES);
  expect(heapMax - before).toBeLessThan(HEAP_BYTES_MAX);
  expect(await records.count({ dueAt: null })).toBe(done);
  expect(await records.count({})).toBe(DUE);
});
