import { DueJobs, dueKind, openEmbeddedQueue, openSqliteStore, type Queue, type Store } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Alarm, BAKED, Bakery, openAlarms } from "./jobs-world.js";
import { type Slowness, SlowStore } from "./slow-store.js";
import { freshFolder, numbersBelow, silent } from "./support.js";

const MINUTE_MS = 60_000;
const QUEUE = "alarms";
const ALARMS = 6;
const SLOWNESSES: readonly Slowness[] = ["answers-late", "acts-late", "times-out"];

/** Ten minutes of a database that answers after 40 s. No worker dies, and none of the work fails by itself. */
describe("work in the background on a store that is slow for ten minutes", () => {
  let [store, queue]: [Store, Queue] = [undefined as never, undefined as never];
  let slow: SlowStore;
  const closing: (() => Promise<unknown>)[] = [];
  const now = () => Date.now();

  beforeEach(async () => {
    const { folder, remove } = await freshFolder();
    SlowStore.stopClock();
    const opened = await openSqliteStore({ dataDir: folder, log: silent });
    queue = await openEmbeddedQueue({ database: opened.database, log: silent, pollMs: 1000 });
    slow = new SlowStore();
    store = slow.store(opened);
    closing.push(
      remove,
      () => opened.close(),
      () => queue.close(),
    );
  });
  afterEach(async () => {
    slow.slowness = undefined;
    vi.useRealTimers();
    for (const close of closing.splice(0).reverse()) await close();
  });

  it.each(SLOWNESSES)("is done soon after it, and never left alone (%s)", async (slowness) => {
    const alarms = await openAlarms(store);
    const rung = new Map<number, number>();
    const kind = dueKind<Alarm>({
      name: "alarm",
      records: alarms,
      leaseMs: MINUTE_MS,
      failure: "an alarm did not ring",
      work: async (claim) => {
        const { id } = claim.record;
        // One progress on the way, as kinds of several steps have.
        await claim.write((fence) => alarms.update(fence, { increment: { rung: 1 } }));
        if (await claim.reschedule(null)) rung.set(id, (rung.get(id) ?? 0) + 1);
      },
    });
    const jobs = new DueJobs({ name: QUEUE, queue, kinds: [kind], places: 4, log: silent, now });
    await alarms.insertMany(numbersBelow(ALARMS).map((id) => ({ id: id + 1, dueAt: now(), rung: 0 })));
    slow.slowness = slowness;
    const running = jobs.start();
    closing.push(() => running.stop(0));
    await SlowStore.pass(10 * MINUTE_MS);
    slow.slowness = undefined;
    for (const { dueAt } of await alarms.find({})) expect(dueAt ?? 0).toBeLessThan(now() + 30 * MINUTE_MS);
    await SlowStore.pass(15 * MINUTE_MS);
    expect(await alarms.find({ dueAt: { ne: null } })).toEqual([]);
    expect(await alarms.find({ attempts: { ne: 0 } })).toEqual([]);
    expect(await queue.countDead(QUEUE)).toBe(0);
  });

  it.each(SLOWNESSES)(
    "a job with a short lease is not taken from its worker again and again (%s)",
    async (slowness) => {
      const bakery = await Bakery.on({ store, queue }, { config: { leaseMs: 5_000 }, now });
      const ids = await Promise.all(numbersBelow(2).map((loaves) => bakery.order({ loaves: loaves + 1 })));
      slow.slowness = slowness;
      bakery.relay().worker(async ({ lease }) => {
        await new Promise((resolve) => setTimeout(resolve, 30_000));
        lease.require();
        return BAKED;
      });
      closing.push(() => bakery.stop(0));
      await SlowStore.pass(10 * MINUTE_MS);
      slow.slowness = undefined;
      await SlowStore.pass(15 * MINUTE_MS);
      for (const id of ids) {
        const { status, runs } = await bakery.read(id);
        expect(status).toBe("done");
        expect(runs).toBeLessThan(12);
      }
    },
  );

  it("still counts workers that are gone, and leaves their work alone in the end", async () => {
    const alarms = await openAlarms(store);
    const work = vi.fn(() => Promise.resolve());
    const kind = dueKind<Alarm>({
      name: "alarm",
      records: alarms,
      leaseMs: MINUTE_MS,
      failure: "it did not ring",
      work,
    });
    const jobs = new DueJobs({ name: QUEUE, queue, kinds: [kind], places: 1, log: silent, now });
    // Claims of ten workers that ended without a word.
    await alarms.insert({ id: 1, dueAt: now(), rung: 0, attempts: 10, claimed: now() });
    const running = jobs.start();
    closing.push(() => running.stop(0));
    await SlowStore.pass(5_000);
    const { dueAt, setback } = (await alarms.get(1))!;
    expect(setback).toMatchObject({ why: "died", until: dueAt });
    expect(dueAt).toBeGreaterThan(now() + 23 * 60 * MINUTE_MS);
    const [letter] = await queue.listDead(QUEUE, 1);
    await queue.retryDead(letter?.id ?? "");
    await SlowStore.pass(5_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
