import {
  type AnyDueKind,
  AppError,
  claimDue,
  type Collection,
  createMetrics,
  type DueClaim,
  DueJobs,
  type DueJobsOptions,
  type DueKind,
  dueKind,
  type Repetition,
} from "@hourglass/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Alarm, type JobsScale, type JobsStorage, openAlarms } from "./jobs-world.js";
import { numbersBelow, silent } from "./support.js";

const LEASE_MS = 60_000;
const HOUR_MS = 60 * LEASE_MS;
const QUEUE = "alarms";

interface Options extends Partial<DueJobsOptions> {
  kind?: Partial<DueKind<Alarm>>;
  /** Default: relay and worker. */
  parts?: readonly ("relay" | "worker")[];
}

/** Work that is due at certain times, with several concurrent processes. */
export function dueJobsContract(
  open: () => Promise<JobsStorage>,
  { leaseMs, dueRecords, isLocal = false }: JobsScale,
): void {
  describe("work that is due", () => {
    const running: Pick<Repetition, "stop">[] = [];
    let now = 1_000_000;
    const deps = (records: Collection<Alarm>) => ({ records, leaseMs: LEASE_MS, now: () => now });
    const findDue = (records: Collection<Alarm>, limit: number) =>
      records.find({ dueAt: { lte: now } }, { sort: [["dueAt", 1]], limit });
    const kindOf = (records: Collection<Alarm>, work: DueKind<Alarm>["work"], more: Options["kind"]): AnyDueKind =>
      dueKind({ name: "alarm", records, leaseMs: LEASE_MS, failure: "an alarm did not ring", work, ...more });

    /** A process with its own connections, or those given. */
    const start = async (
      work: DueKind<Alarm>["work"],
      { kind, parts = ["relay", "worker"], ...options }: Options = {},
      storage?: JobsStorage,
    ) => {
      const { store, queue } = storage ?? (await open());
      const alarms = await openAlarms(store);
      const shared = { name: QUEUE, queue, places: 4, checkMs: 10, log: silent, now: () => now };
      const jobs = new DueJobs({ ...shared, kinds: [kindOf(alarms, work, kind)], ...options });
      if (parts.includes("relay")) running.push(jobs.startRelay());
      const worker = parts.includes("worker") ? jobs.startWorker() : undefined;
      if (worker !== undefined) running.push(worker);
      return { alarms, queue, jobs, worker };
    };
    /** Work that notes the ids in the order in which their alarms ring. */
    const ringing = () => {
      const rung: number[] = [];
      const ring = async (claim: DueClaim<Alarm>): Promise<void> => {
        rung.push(claim.record.id);
        await claim.reschedule(null);
      };
      return { rung, ring };
    };
    afterEach(async () => {
      await Promise.all(running.splice(0).map((part) => part.stop(1000)));
    });

    it("is done once, though several processes publish it and work on it", async () => {
      const { store } = await open();
      const alarms = await openAlarms(store);
      for (const id of numbersBelow(dueRecords)) await alarms.insert({ id: id + 1, dueAt: now - (id % 7), rung: 0 });
      for (const _ of numbersBelow(3)) {
        await start(async (claim) => {
          await claim.write((fence) => alarms.update(fence, { increment: { rung: 1 } }));
          await claim.reschedule(null);
        });
      }
      await vi.waitFor(async () => expect(await alarms.count({ dueAt: null })).toBe(dueRecords), { timeout: 20_000 });
      expect(await alarms.count({ rung: 1 })).toBe(dueRecords);
    });

    it("waits for its time, and a record without one always", async () => {
      const { rung, ring } = ringing();
      const { alarms } = await start(ring);
      await alarms.insertMany([
        { id: 1, dueAt: now, rung: 0 },
        { id: 2, dueAt: now + 1, rung: 0 },
        { id: 3, dueAt: null, rung: 0 },
      ]);
      await vi.waitFor(() => expect(rung).toEqual([1]));
      now += 1;
      await vi.waitFor(() => expect(rung).toEqual([1, 2]));
    });

    it("is done by another worker once the claim of a dead one runs out, and not before", async () => {
      const alarms = await openAlarms((await open()).store);
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      const claimed = async () => (await claimDue(deps(alarms), (await findDue(alarms, 1))[0]!))!;
      const dead = await claimed();
      expect(await findDue(alarms, 10)).toEqual([]);
      now += LEASE_MS;
      const alive = await claimed();
      // The first one continues: none of its writes are stored.
      expect(await dead.update({ rung: 1 })).toBeUndefined();
      expect(await dead.renew()).toBe(false);
      expect(await dead.reschedule(null)).toBe(false);
      expect(await alive.renew()).toBe(true);
      expect(await alive.update({ rung: 2 })).toMatchObject({ rung: 2 });
    });

    it("keeps its worker as long as that lives, however long it takes", async () => {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      let signal: AbortSignal | undefined;
      const { alarms } = await start(
        async (claim) => {
          signal = claim.signal;
          await ended;
          await claim.reschedule(null);
        },
        { kind: { leaseMs } },
      );
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      await vi.waitFor(() => expect(signal).toBeDefined());
      const claimed = (await alarms.get(1))?.dueAt ?? 0;
      now += leaseMs / 2;
      await vi.waitFor(async () => expect((await alarms.get(1))?.dueAt).toBeGreaterThan(claimed));
      end();
      await vi.waitFor(async () => expect(await alarms.get(1)).toMatchObject({ dueAt: null, attempts: 0 }));
      expect(signal?.aborted).toBe(false);
    });

    it("is done again after a pause when it fails, and leaves a dead letter when it fails often", async () => {
      let tries = 0;
      const work = async (claim: DueClaim<Alarm>): Promise<void> => {
        tries += 1;
        if (tries <= 5) throw new Error("no batteries");
        await claim.reschedule(null);
      };
      const { alarms, queue } = await start(work, { kind: { leaseMs: HOUR_MS } });
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      for (const done of [1, 2, 3, 4, 5]) {
        await vi.waitFor(async () => {
          const { attempts, dueAt } = (await alarms.get(1))!;
          expect(attempts).toBe(done);
          // The claim is over.
          expect(dueAt).toBeLessThan(now + HOUR_MS);
        });
        expect(tries).toBe(done);
        const { dueAt } = (await alarms.get(1))!;
        expect(dueAt).toBeGreaterThan(now + 3_000);
        now = (dueAt ?? 0) + 1;
      }
      await vi.waitFor(async () => expect(await alarms.get(1)).toMatchObject({ dueAt: null, attempts: 0 }));
      expect(await queue.listDead(QUEUE, 10)).toMatchObject([{ reason: "failed after 5 attempts" }]);
    });

    it("is put off without a dead letter, however often, while something that it needs is unavailable", async () => {
      let tries = 0;
      const metrics = createMetrics();
      const { alarms, queue } = await start(
        async (claim) => {
          tries += 1;
          if (tries <= 7) throw new AppError("unavailable", "The bell is away.");
          await claim.reschedule(null);
        },
        { metrics, kind: { leaseMs: HOUR_MS } },
      );
      await alarms.insert({ id: 1, dueAt: now, rung: 0, attempts: 3 });
      for (const done of numbersBelow(7)) {
        await vi.waitFor(async () => {
          expect(tries).toBe(done + 1);
          expect(await alarms.get(1)).toMatchObject({
            attempts: 3,
            dueAt: expect.toSatisfy((at) => at < now + HOUR_MS),
          });
        });
        now = ((await alarms.get(1))?.dueAt ?? 0) + 1;
      }
      await vi.waitFor(async () => expect(await alarms.get(1)).toMatchObject({ dueAt: null, attempts: 0 }));
      expect(await queue.countDead(QUEUE)).toBe(0);
      const { body } = await metrics.render();
      expect(body).toContain(`hourglass_job_attempts_total{queue="${QUEUE}",outcome="postponed"} 7`);
    });

    if (!isLocal) {
      it("is due again by its own time after the store was away for long, and its message is gone by then", async () => {
        let isAway = true;
        const storage = await open();
        const alarms = await openAlarms(storage.store);
        const reads: number[] = [];
        const records = new Proxy(alarms, {
          get: (target, key) => {
            const value: unknown = Reflect.get(target, key);
            if (typeof value !== "function") return value;
            return (...given: unknown[]): unknown => {
              if (key !== "get" || !isAway) return value.apply(target, given);
              reads.push(performance.now());
              return Promise.reject(new AppError("unavailable", "The store is away."));
            };
          },
        });
        const { rung, ring } = ringing();
        await start(ring, { kind: { records } }, storage);
        await alarms.insert({ id: 1, dueAt: now, rung: 0 });
        await vi.waitFor(() => expect(reads).toHaveLength(5));
        await vi.waitFor(async () => expect(await storage.queue.depth(QUEUE)).toBe(0));
        // Each after a pause: the message does not go round and round.
        expect(reads[4]! - reads[0]!).toBeGreaterThanOrEqual(100);
        isAway = false;
        now += LEASE_MS;
        await vi.waitFor(() => expect(rung).toEqual([1]));
        expect(await storage.queue.countDead(QUEUE)).toBe(0);
      });
    }

    it("is left alone for a day when it has ended many workers, unless somebody puts its dead letter back", async () => {
      const { rung, ring } = ringing();
      const { alarms, queue } = await start(ring);
      await alarms.insert({ id: 1, dueAt: now, rung: 0, attempts: 10 });
      await vi.waitFor(async () => expect(await queue.countDead(QUEUE)).toBe(1));
      expect((await alarms.get(1))?.dueAt).toBeGreaterThan(now + 23 * 60 * 60_000);
      expect(rung).toEqual([]);
      const [letter] = await queue.listDead(QUEUE, 1);
      await queue.retryDead(letter?.id ?? "");
      await vi.waitFor(() => expect(rung).toEqual([1]));
    });

    it.each([
      ["ahead of", HOUR_MS],
      ["behind", -HOUR_MS],
    ])(
      "is done once, and none is lost, though the clock of the relay is an hour %s the worker's",
      async (_, aheadMs) => {
        const began = performance.now();
        const clock = () => 1_000_000_000 + Math.floor(performance.now() - began);
        const LONG = 1;
        let end = (): void => undefined;
        const ended = new Promise<void>((resolve) => (end = resolve));
        const begun: number[] = [];
        const work = async (claim: DueClaim<Alarm>): Promise<void> => {
          begun.push(claim.record.id);
          claim.hold();
          if (claim.record.id === LONG) await ended;
          await claim.write((fence) => alarms.update(fence, { increment: { rung: 1 } }));
          await claim.reschedule(null);
        };
        const kind = { leaseMs };
        const { alarms } = await start(work, { kind, now: () => clock() + aheadMs, parts: ["relay"] });
        await start(work, { kind, now: clock, parts: ["worker"] });
        const ids = numbersBelow(20).map((index) => index + LONG);
        await alarms.insertMany(ids.map((id) => ({ id, dueAt: clock() - 2 * HOUR_MS, rung: 0 })));
        await vi.waitFor(async () => expect(await alarms.count({ dueAt: null })).toBe(ids.length - 1));
        const { dueAt } = (await alarms.get(LONG))!;
        // Far longer than the lease that the relay gave it.
        await vi.waitFor(async () => expect((await alarms.get(LONG))!.dueAt).toBeGreaterThan(dueAt! + 2 * leaseMs));
        end();
        await vi.waitFor(async () => expect(await alarms.count({ dueAt: null })).toBe(ids.length));
        expect(await alarms.count({ rung: 1 })).toBe(ids.length);
        expect(begun.filter((id) => id === LONG).length).toBeLessThanOrEqual(2);
        expect(begun.filter((id) => id !== LONG)).toHaveLength(ids.length - 1);
      },
    );

    if (!isLocal) {
      it("is published again when its message is lost", async () => {
        const { alarms, queue } = await start(() => Promise.resolve(), { parts: ["relay"] });
        await alarms.insert({ id: 1, dueAt: now, rung: 0 });
        await vi.waitFor(async () => expect(await queue.depth(QUEUE)).toBe(1));
        const lost = await queue.consume(QUEUE, { prefetch: 1 }, () => Promise.resolve({ kind: "done" }));
        await vi.waitFor(async () => expect(await queue.depth(QUEUE)).toBe(0));
        await lost.stop(1000);
        const { rung, ring } = ringing();
        await start(ring, { parts: ["worker"] });
        now += LEASE_MS;
        await vi.waitFor(() => expect(rung).toEqual([1]));
      });
    }

    it("is done once however often its message comes", async () => {
      const bodies: Uint8Array[] = [];
      const { queue, store } = await open();
      const noting = new Proxy(queue, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== "function") return value;
          return (...given: unknown[]): unknown => {
            if (key === "publish") bodies.push(given[1] as Uint8Array);
            return value.apply(target, given);
          };
        },
      });
      const { rung, ring } = ringing();
      const { alarms } = await start(ring, {}, { store, queue: noting });
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      await vi.waitFor(() => expect(rung).toEqual([1]));
      for (const body of [...bodies, ...bodies]) await queue.publish(QUEUE, body);
      await vi.waitFor(async () => expect(await queue.depth(QUEUE)).toBe(0));
      expect(rung).toEqual([1]);
    });

    it("stays due while the queue is away", async () => {
      const { queue, store } = await open();
      let [isAway, tries] = [true, 0];
      const failing = new Proxy(queue, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== "function") return value;
          return (...given: unknown[]): unknown => {
            if (key !== "publish" || !isAway) return value.apply(target, given);
            tries += 1;
            return Promise.reject(new Error("away"));
          };
        },
      });
      const { rung, ring } = ringing();
      const { alarms } = await start(ring, {}, { store, queue: failing });
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      await vi.waitFor(() => expect(tries).toBeGreaterThan(2));
      await vi.waitFor(async () => expect((await alarms.get(1))?.dueAt).toBe(now));
      isAway = false;
      await vi.waitFor(() => expect(rung).toEqual([1]));
    });

    it("is handed back at once by a worker that stops", async () => {
      const { alarms, worker } = await start(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw new Error("interrupted");
      });
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      await vi.waitFor(async () => expect(await alarms.get(1)).toMatchObject({ attempts: 1 }));
      await Promise.all(running.splice(0).map((part) => part.stop(200)));
      expect(worker).toBeDefined();
      expect(await alarms.get(1)).toMatchObject({ dueAt: now, attempts: 0 });
    });

    it("is done beside slow work that occupies a place", async () => {
      let wake = (): void => undefined;
      const asleep = new Promise<void>((resolve) => (wake = resolve));
      const { rung, ring } = ringing();
      const { alarms } = await start(async (claim) => {
        if (claim.record.id === 1) await asleep;
        await ring(claim);
      });
      await alarms.insert({ id: 1, dueAt: now - 1, rung: 0 });
      await vi.waitFor(async () => expect(await alarms.get(1)).toMatchObject({ attempts: 1 }));
      for (const id of [2, 3]) {
        await alarms.insert({ id, dueAt: now, rung: 0 });
        await vi.waitFor(() => expect(rung).toContain(id));
      }
      wake();
      await vi.waitFor(() => expect(rung).toEqual([2, 3, 1]));
    });

    it("leaves a place to other owners while one of them holds all that it may", async () => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const { rung, ring } = ringing();
      const ownerOf = ({ id }: Alarm) => (id < 10 ? 1 : 2);
      const options = { places: 3, placesPerOwner: 2, kind: { ownerOf } };
      const { alarms } = await start(async (claim) => {
        if (claim.record.id < 10) await released;
        await ring(claim);
      }, options);
      await alarms.insertMany([1, 2, 3, 4].map((id) => ({ id, dueAt: now - 10, rung: 0 })));
      await vi.waitFor(async () => expect(await alarms.count({ attempts: 1 })).toBe(2));
      await alarms.insert({ id: 10, dueAt: now, rung: 0 });
      await vi.waitFor(() => expect(rung).toEqual([10]));
      release();
      await vi.waitFor(() => {
        now += 500;
        expect(rung).toHaveLength(5);
      });
    });

    /** Rings one after the other; a later start than that of the records has the relay see all of them at once. */
    const ringInTurn = async (ids: readonly number[], kind: Partial<DueKind<Alarm>>): Promise<number[]> => {
      const storage = await open();
      const alarms = await openAlarms(storage.store);
      await alarms.insertMany(ids.map((id) => ({ id, dueAt: now - 100 + id, rung: 0 })));
      const { rung, ring } = ringing();
      await start(ring, { places: 1, kind }, storage);
      await vi.waitFor(() => expect(rung).toHaveLength(ids.length), { timeout: 20_000 });
      return rung;
    };

    it("gives owners their turns, however much one of them has", async () => {
      const ids = numbersBelow(40).map((index) => index + 1);
      // The last three have their own owners, and became due last.
      const ownerOf = ({ id }: Alarm) => Math.max(0, id - 37);
      const rung = await ringInTurn(ids, { ownerOf });
      // What is published together comes in any order.
      for (const id of [38, 39, 40]) expect(rung.indexOf(id)).toBeLessThan(12);
      expect([...rung].sort((a, b) => a - b)).toEqual(ids);
    });

    it("goes before all else if it is urgent", async () => {
      const ids = numbersBelow(20).map((index) => index + 1);
      const rung = await ringInTurn(ids, { isUrgent: ({ id }) => id > 18 });
      for (const id of [19, 20]) expect(rung.indexOf(id)).toBeLessThan(4);
    });

    it("passes what waits if it becomes urgent later, except for the few that are published", async () => {
      let step = (): void => undefined;
      const { rung, ring } = ringing();
      const { alarms } = await start(
        async (claim) => {
          await ring(claim);
          if (rung.length === 1) await new Promise<void>((resolve) => (step = resolve));
        },
        { places: 1, kind: { isUrgent: ({ id }) => id === 99 } },
      );
      await alarms.insertMany(numbersBelow(20).map((index) => ({ id: index + 1, dueAt: now - 100 + index, rung: 0 })));
      await vi.waitFor(() => expect(rung).toHaveLength(1));
      await alarms.insert({ id: 99, dueAt: now, rung: 0 });
      // The relay has looked again once it has taken the new one into its order.
      await new Promise((resolve) => setTimeout(resolve, 100));
      step();
      await vi.waitFor(() => expect(rung).toHaveLength(21), { timeout: 20_000 });
      expect(rung.indexOf(99)).toBeLessThan(6);
    });

    it("is claimed by one of many that want it", async () => {
      const alarms = await openAlarms((await open()).store);
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      const [due] = await findDue(alarms, 1);
      const claims = await Promise.all(numbersBelow(20).map(() => claimDue(deps(alarms), due!)));
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    });

    if (!isLocal) {
      it("of a kind that nobody knows leaves a dead letter", async () => {
        const { alarms, queue } = await start(() => Promise.resolve(), { parts: ["relay"] });
        await alarms.insert({ id: 1, dueAt: now, rung: 0 });
        await start(() => Promise.resolve(), { parts: ["worker"], kind: { name: "clock" } });
        await vi.waitFor(async () => expect(await queue.countDead(QUEUE)).toBe(1));
        await queue.publish(QUEUE, new TextEncoder().encode("garbage"));
        await vi.waitFor(async () => expect(await queue.countDead(QUEUE)).toBe(2));
      });
    }
  });
}
