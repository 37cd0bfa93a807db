import { findByIdempotency, IDEMPOTENCY_TTL_MS, isFresh, readIdPage, winnerOf } from "@hourglass/runtime";
import { describe, expect, it, vi } from "vitest";
import type { OpenBakery } from "./jobs-life-contract.js";
import { BAKED, type Bakery } from "./jobs-world.js";
import { expectFailure, failureOf, numbersBelow } from "./support.js";

/** Isolation between companies, callers and requests. */
export function jobSharingContract(open: OpenBakery): void {
  describe("companies", () => {
    it("with one job pass the backlog of another in the shared lane", async () => {
      const bakery = await open({ config: { concurrency: 1 } });
      const order: number[] = [];
      for (const _ of numbersBelow(40)) await bakery.order({ companyId: 1 });
      bakery.relay().worker(({ record }) => Promise.resolve(BAKED).finally(() => order.push(record.companyId)));
      await vi.waitFor(() => expect(order.length).toBeGreaterThan(2));
      const id = await bakery.order({ companyId: 2 });
      await bakery.ended(id);
      expect(order.indexOf(2)).toBeLessThan(35);
      await vi.waitFor(() => expect(order).toHaveLength(41));
    });

    it("hold but their places of a lane with a line for each, and leave one to the others", async () => {
      const bakery = await open({ config: { concurrency: 2 } });
      const running: number[] = [];
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      bakery.relay().worker(async ({ record }) => {
        running.push(record.companyId);
        if (record.companyId === 1) await released;
        return BAKED;
      });
      const ids = [];
      for (const _ of numbersBelow(6)) ids.push(await bakery.order({ companyId: 1, loaves: 500 }));
      await vi.waitFor(() => expect(running).toEqual([1, 1]));
      await bakery.ended(await bakery.order({ companyId: 2, loaves: 500 }));
      expect(running).toEqual([1, 1, 2]);
      release();
      for (const id of ids) expect(await bakery.ended(id)).toMatchObject({ status: "done", attempts: 1 });
    });

    it("keep their running jobs while they hold all their places, though the message of one comes again", async () => {
      const bakery = await open({ config: { concurrency: 1, leaseMs: 60_000 } });
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      bakery.relay().worker(() => released.then(() => BAKED));
      const publish = vi.spyOn(bakery.queue, "publish");
      const id = await bakery.order({ companyId: 1, loaves: 500 });
      await vi.waitFor(async () => expect((await bakery.read(id)).status).toBe("running"));
      const { dueAt } = await bakery.read(id);
      await bakery.queue.publish("other", publish.mock.calls[0]?.[1] ?? new Uint8Array());
      await vi.waitFor(async () => expect(await bakery.queue.depth("other")).toBe(1));
      expect(await bakery.read(id)).toMatchObject({ status: "running", dueAt });
      release();
      expect(await bakery.ended(id)).toMatchObject({ status: "done", runs: 1 });
    });

    it("get no further job when their quota is used up, which leaves others theirs", async () => {
      const bakery = await open({ config: { unfinishedMax: 2 } });
      for (const _ of numbersBelow(2)) {
        await bakery.jobs.admit(1);
        await bakery.order({ companyId: 1 });
      }
      expect(await failureOf(bakery.jobs.admit(1))).toMatchObject({
        kind: "too-many",
        code: "too_many_unfinished_exports",
      });
      await bakery.jobs.admit(2);
    });

    it("get no further job when all of them together have too many", async () => {
      const bakery = await open({ config: { backlogMax: 2 } });
      for (const companyId of [1, 2]) {
        await bakery.jobs.admit(companyId);
        await bakery.order({ companyId });
      }
      expect(await failureOf(bakery.jobs.admit(3))).toMatchObject({ kind: "unavailable", code: "overloaded" });
    });
  });

  describe("an idempotency key", () => {
    it("stands for one job, however many requests race with it", async () => {
      const [one, two] = [await open(), await open()];
      const find = async () => (await findByIdempotency(one.records, "1:key", Date.now()))?.id;
      const request = (bakery: Bakery) =>
        bakery.order({ idempotency: "1:key" }).catch((error: unknown) => winnerOf(error, find));
      const ids = await Promise.all(numbersBelow(10).map((index) => request(index % 2 === 0 ? one : two)));
      expect(new Set(ids).size).toBe(1);
      expect(await one.records.count({})).toBe(1);
    });

    it("is free for another job after its time", async () => {
      const bakery = await open();
      const id = await bakery.order({ idempotency: "1:key" });
      const later = Date.now() + IDEMPOTENCY_TTL_MS + 1;
      expect(isFresh(await bakery.read(id), later)).toBe(false);
      expect(await findByIdempotency(bakery.records, "1:key", later)).toBeUndefined();
      expect(await bakery.order({ idempotency: "1:key" })).not.toBe(id);
    });

    it("hides no failure that has another cause", async () => {
      const away = new Error("the store is unavailable");
      await expect(winnerOf(away, () => Promise.resolve(1))).rejects.toBe(away);
    });
  });

  describe("a caller that waits for a job", () => {
    it("is answered when it ends in another process", async () => {
      const [waiting, working] = [await open(), await open()];
      const id = await waiting.order();
      const ended = waiting.ended(id);
      working.relay().worker(() => Promise.resolve(BAKED));
      expect((await ended).status).toBe("done");
    });

    it("is answered with the job as it is when the time is over, or the process stops", async () => {
      const stopping = new AbortController();
      const bakery = await open({ stopping: stopping.signal });
      const id = await bakery.order();
      const signal = () => new AbortController().signal;
      const soon = bakery.jobs.readWhenEnded({ id, waitMs: 20, signal }, () => bakery.read(id));
      expect((await soon).status).toBe("ready");
      const long = bakery.jobs.readWhenEnded({ id, waitMs: 600_000, signal }, () => bakery.read(id));
      stopping.abort();
      expect((await long).status).toBe("ready");
    });
  });

  it("lists jobs in pages that stay true while others come", async () => {
    const bakery = await open();
    const ids: number[] = [];
    for (const _ of numbersBelow(5)) ids.push(await bakery.order());
    const first = await readIdPage(bakery.records, { companyId: 1 }, { limit: 2, cursor: "" });
    await bakery.order();
    const second = await readIdPage(bakery.records, { companyId: 1 }, { limit: 2, cursor: first.nextCursor });
    const third = await readIdPage(bakery.records, { companyId: 1 }, { limit: 2, cursor: second.nextCursor });
    const listed = [first, second, third].flatMap(({ records }) => records.map(({ id }) => id));
    expect(listed).toEqual(ids.reverse());
    expect(third.nextCursor).toBe("");
    await expectFailure("invalid", readIdPage(bakery.records, {}, { limit: 2, cursor: "not a cursor" }));
  });
}
