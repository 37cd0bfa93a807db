import { setImmediate as nextTurn } from "node:timers/promises";
import {
  claimDue,
  type Collection,
  type DueClaim,
  findDue,
  type Repetition,
  type ScheduleOptions,
  startSchedule,
  type Store,
} from "@hourglass/runtime";

import { afterEach, describe, expect, it, vi } from "vitest";
import { type Alarm, openAlarms } from "./jobs-world.js";
import { numbersBelow, silent } from "./support.js";

const LEASE_MS = 60_000;

/** Due work with several concurrent processes. */
export function scheduleContract(open: () => Promise<Store>, { dueRecords }: { dueRecords: number }): void {
  describe("a schedule", () => {
    const running: Repetition[] = [];
    let now = 1_000_000;
    const deps = (records: Collection<Alarm>) => ({ records, leaseMs: LEASE_MS, now: () => now });
    const start = (
      records: Collection<Alarm>,
      work: Parameters<typeof startSchedule<Alarm>>[1],
      options: Partial<ScheduleOptions<Alarm>> = {},
    ) => {
      const schedule = { ...deps(records), everyMs: 10, concurrency: 4, log: silent, failure: "an alarm did not ring" };
      running.push(startSchedule({ ...schedule, ...options }, work));
    };
    /** Starts a schedule with one place and returns the ids in the order in which their alarms ring. */
    const ringInTurn = (records: Collection<Alarm>, options: Partial<ScheduleOptions<Alarm>>): number[] => {
      const rung: number[] = [];
      const ring = async (claim: DueClaim<Alarm>): Promise<void> => {
        rung.push(claim.record.id);
        await claim.reschedule(null);
      };
      start(records, ring, { concurrency: 1, ...options });
      return rung;
    };
    const nextDue = async (records: Collection<Alarm>): Promise<Alarm> => {
      const [due] = await findDue(deps(records), 1);
      if (due === undefined) throw new Error("nothing is due");
      return due;
    };
    const claimed = async (records: Collection<Alarm>): Promise<DueClaim<Alarm>> => {
      const claim = await claimDue(deps(records), await nextDue(records));
      if (claim === undefined) throw new Error("another process has it");
      return claim;
    };
    afterEach(async () => {
      await Promise.all(running.splice(0).map((part) => part.stop(1000)));
    });

    it("has what is due done once, though several processes look for it", async () => {
      const alarms = await openAlarms(await open());
      const others = await Promise.all(numbersBelow(2).map(async () => openAlarms(await open())));
      for (const id of numbersBelow(dueRecords)) await alarms.insert({ id: id + 1, dueAt: now - (id % 7), rung: 0 });
      for (const records of [alarms, ...others]) {
        start(records, async (claim) => {
          await records.update(claim.fence, { increment: { rung: 1 } });
          await claim.reschedule(null);
        });
      }
      await vi.waitFor(async () => expect(await alarms.count({ dueAt: null })).toBe(dueRecords));
      expect(await alarms.count({ rung: 1 })).toBe(dueRecords);
    });

    it("leaves alone what is not due yet or never will be", async () => {
      const alarms = await openAlarms(await open());
      await alarms.insertMany([
        { id: 1, dueAt: now, rung: 0 },
        { id: 2, dueAt: now + 1, rung: 0 },
        { id: 3, dueAt: null, rung: 0 },
      ]);
      const rung: number[] = [];
      start(alarms, async (claim) => {
        rung.push(claim.record.id);
        await claim.reschedule(null);
      });
      await vi.waitFor(() => expect(rung).toEqual([1]));
      now += 1;
      await vi.waitFor(() => expect(rung).toEqual([1, 2]));
    });

    it("does what was claimed by a process that died once the claim runs out, and not before", async () => {
      const alarms = await openAlarms(await open());
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      const dead = await claimed(alarms);
      expect(await findDue(deps(alarms), 10)).toEqual([]);
      now += LEASE_MS;
      const alive = await claimed(alarms);
      // The first one continues: none of its writes are stored.
      expect(await alarms.update(dead.fence, { set: { rung: 1 } })).toBeUndefined();
      expect(await dead.renew()).toBe(false);
      expect(await dead.reschedule(null)).toBe(false);
      expect(await alive.renew()).toBe(true);
      expect(await alarms.update(alive.fence, { set: { rung: 2 } })).toMatchObject({ rung: 2 });
    });

    it("does again what failed, when its claim runs out", async () => {
      const alarms = await openAlarms(await open());
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      let tries = 0;
      start(alarms, async (claim) => {
        tries += 1;
        if (tries === 1) throw new Error("no batteries");
        await claim.reschedule(null);
      });
      await vi.waitFor(() => expect(tries).toBe(1));
      now += LEASE_MS;
      await vi.waitFor(async () => expect(await alarms.count({ dueAt: null })).toBe(1));
      expect(tries).toBe(2);
    });

    it("does other work while slow work occupies a place", async () => {
      const alarms = await openAlarms(await open());
      await alarms.insert({ id: 1, dueAt: now - 1, rung: 0 });
      const rung: number[] = [];
      let wake = (): void => undefined;
      const asleep = new Promise<void>((resolve) => (wake = resolve));
      start(alarms, async (claim) => {
        if (claim.record.id === 1) await asleep;
        rung.push(claim.record.id);
        await claim.reschedule(null);
      });
      await vi.waitFor(async () => expect(await alarms.count({ dueAt: { lte: now } })).toBe(0));
      for (const id of [2, 3]) {
        await alarms.insert({ id, dueAt: now, rung: 0 });
        await vi.waitFor(() => expect(rung).toContain(id));
      }
      wake();
      await vi.waitFor(() => expect(rung).toEqual([2, 3, 1]));
    });

    it("gives the owners of many due records their turns, however many one of them has", async () => {
      const alarms = await openAlarms(await open());
      const ids = numbersBelow(40).map((index) => index + 1);
      // The last three have their own owners, and became due last.
      const ownerOf = ({ id }: Alarm) => Math.max(0, id - 37);
      await alarms.insertMany(ids.map((id) => ({ id, dueAt: now - 100 + id, rung: 0 })));
      const rung = ringInTurn(alarms, { order: { isUrgent: () => false, ownerOf } });
      await vi.waitFor(() => expect(rung).toHaveLength(ids.length));
      expect(rung).toEqual([1, 38, 39, 40, ...ids.slice(1, 37)]);
    });

    it("does what is urgent before all else", async () => {
      const alarms = await openAlarms(await open());
      const ids = numbersBelow(20).map((index) => index + 1);
      await alarms.insertMany(ids.map((id) => ({ id, dueAt: now - 100 + id, rung: 0 })));
      const order = { isUrgent: ({ id }: Alarm) => id > 18, ownerOf: () => 1 };
      const rung = ringInTurn(alarms, { order });
      await vi.waitFor(() => expect(rung).toHaveLength(ids.length));
      expect(rung).toEqual([19, 20, ...ids.slice(0, 18)]);
    });

    it("finds what became urgent while all places were taken", async () => {
      const alarms = await openAlarms(await open());
      const ids = numbersBelow(20).map((index) => index + 1);
      await alarms.insertMany(ids.map((id) => ({ id, dueAt: now - 100 + id, rung: 0 })));
      const order = { isUrgent: ({ id }: Alarm) => id === 99, ownerOf: () => 1 };
      const rung: number[] = [];
      let step = (): void => undefined;
      start(
        alarms,
        async (claim) => {
          rung.push(claim.record.id);
          if (rung.length === 1) await new Promise<void>((resolve) => (step = resolve));
          await claim.reschedule(null);
        },
        { order, concurrency: 1 },
      );
      await vi.waitFor(() => expect(rung).toEqual([1]));
      await alarms.insert({ id: 99, dueAt: now, rung: 0 });
      // Causes a check, which finds no free place.
      running.forEach((part) => part.wake());
      await nextTurn();
      step();
      await vi.waitFor(() => expect(rung).toHaveLength(21));
      expect(rung[1]).toBe(99);
    });

    it("gives a claim to one of many that want it", async () => {
      const alarms = await openAlarms(await open());
      await alarms.insert({ id: 1, dueAt: now, rung: 0 });
      const due = await nextDue(alarms);
      const claims = await Promise.all(numbersBelow(20).map(() => claimDue(deps(alarms), due)));
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    });
  });
}
