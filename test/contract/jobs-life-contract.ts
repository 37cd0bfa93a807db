import { PostponedError } from "@hourglass/runtime";
import { describe, expect, it, vi } from "vitest";
import { BAKE, BAKED, type Bakery, type BakeryOptions, type JobsScale } from "./jobs-world.js";

/** For jobs that no sweeper watches: a busy machine must not lose their leases. */
const LONG_LEASE: BakeryOptions = { config: { leaseMs: 60_000 } };

export type OpenBakery = (options?: BakeryOptions) => Promise<Bakery>;

/** Work that continues until the test ends it, or until the job is taken away. */
function gate(): { reached: Promise<void>; open: () => void; pass: () => Promise<void> } {
  let [arrive, open] = [(): void => undefined, (): void => undefined];
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    reached,
    open: () => open(),
    pass: () => {
      arrive();
      return opened;
    },
  };
}

/** The life of a job from creation to end, with everything that can happen in between. */
export function jobLifeContract(open: OpenBakery, { isLocal = false }: Pick<JobsScale, "isLocal">): void {
  describe("a job", () => {
    it("is published, carried out once and ended with what its work says", async () => {
      const bakery = await open(LONG_LEASE);
      let runs = 0;
      bakery.relay().worker(() => Promise.resolve(BAKED).finally(() => (runs += 1)));
      const id = await bakery.order({ loaves: 3 });
      expect(await bakery.ended(id)).toMatchObject({ status: "done", oven: "hot", loaves: 3, attempts: 1, runs: 1 });
      await vi.waitFor(async () => expect(await bakery.queue.depth("q")).toBe(0));
      expect(runs).toBe(1);
    });

    it("runs once however often its message is delivered", async () => {
      const bakery = await open(LONG_LEASE);
      let runs = 0;
      bakery.relay().worker(() => Promise.resolve(BAKED).finally(() => (runs += 1)));
      const publish = vi.spyOn(bakery.queue, "publish");
      const id = await bakery.order();
      await vi.waitFor(() => expect(publish).toHaveBeenCalled());
      const [, message = new Uint8Array()] = publish.mock.calls[0] ?? [];
      for (let copy = 0; copy < 5; copy += 1) await bakery.queue.publish("q", message);
      await bakery.ended(id);
      for (let copy = 0; copy < 5; copy += 1) await bakery.queue.publish("q", message);
      await vi.waitFor(async () => expect(await bakery.queue.depth("q")).toBe(0));
      expect(runs).toBe(1);
    });

    it("fails after its last attempt, with the sentence of its kind, and leaves a dead letter", async () => {
      const bakery = await open(LONG_LEASE);
      bakery.relay().worker(() => Promise.reject(new Error("burnt")));
      const id = await bakery.order();
      expect(await bakery.ended(id)).toMatchObject({ status: "failed", error: BAKE.sentences.gaveUp, attempts: 3 });
      await vi.waitFor(async () => {
        const [dead] = await bakery.queue.listDead("q", 10);
        expect(dead?.reason).toBe("failed after 3 attempts");
      });
    });

    it("is handed back by a worker that stops, which costs it no attempt", async () => {
      const bakery = await open(LONG_LEASE);
      const held = gate();
      bakery.relay();
      const worker = await open(LONG_LEASE);
      worker.worker(async ({ lease }) => {
        await Promise.race([held.pass(), new Promise((resolve) => lease.signal.addEventListener("abort", resolve))]);
        lease.signal.throwIfAborted();
        return BAKED;
      });
      const id = await bakery.order();
      await held.reached;
      await worker.stop(100);
      expect(await bakery.read(id)).toMatchObject({ status: "pending", attempts: 0 });
      bakery.worker(() => Promise.resolve(BAKED));
      expect(await bakery.ended(id)).toMatchObject({ status: "done", attempts: 1, runs: 2 });
    });

    it("is tried again later when its work postpones it, which costs it no attempt", async () => {
      const bakery = await open(LONG_LEASE);
      bakery.relay().worker(({ record }) => {
        if (record.runs < 3) throw new PostponedError("the oven is cold", { delayMs: 10 });
        return Promise.resolve(BAKED);
      });
      expect(await bakery.ended(await bakery.order())).toMatchObject({ status: "done", attempts: 1, runs: 3 });
    });

    it("that asks for what this release cannot do waits for a worker that can", async () => {
      const older = await open(LONG_LEASE);
      const seen: number[] = [];
      older.relay().worker(({ record }) => Promise.resolve(BAKED).finally(() => seen.push(record.id)));
      const id = await older.order({ oven: "future" });
      await vi.waitFor(async () => expect((await older.read(id)).newerOffers).toBeGreaterThan(1));
      expect(await older.read(id)).toMatchObject({ attempts: 0 });
      expect(seen).toEqual([]);
      const newer = await open({ ...LONG_LEASE, kind: { findUnknown: () => undefined } });
      await older.stop();
      newer.relay().worker(() => Promise.resolve(BAKED));
      expect(await newer.ended(id)).toMatchObject({ status: "done", attempts: 1 });
    });
  });

  describe("a worker that dies or loses its job", () => {
    it("has the job taken from it once its lease is not renewed any more", async () => {
      const bakery = await open();
      const id = await bakery.order();
      await bakery.records.update({ id }, { set: { status: "running", dueAt: Date.now(), attempts: 1, runs: 1 } });
      bakery.worker(() => Promise.resolve(BAKED)).relay();
      expect(await bakery.ended(id)).toMatchObject({ status: "done", attempts: 2, runs: 2 });
    });

    it("keeps the job as long as it lives, however long the work takes", async () => {
      const bakery = await open();
      let runs = 0;
      const held = gate();
      bakery.relay();
      bakery.worker(() => held.pass().then(() => ((runs += 1), BAKED)));
      const id = await bakery.order();
      await held.reached;
      const { dueAt } = await bakery.read(id);
      await vi.waitFor(async () => expect((await bakery.read(id)).dueAt).toBeGreaterThan((dueAt ?? 0) + 900));
      held.open();
      expect(await bakery.ended(id)).toMatchObject({ status: "done", runs: 1 });
      expect(runs).toBe(1);
    });

    it("cannot end a job that another worker has", async () => {
      const bakery = await open();
      const held = gate();
      bakery.relay().worker(() => held.pass().then(() => BAKED));
      const id = await bakery.order();
      await held.reached;
      const dueAt = Date.now() + 600_000;
      await bakery.records.update({ id }, { set: { dueAt } });
      held.open();
      await vi.waitFor(async () => expect(await bakery.queue.depth("q")).toBe(0));
      expect(await bakery.read(id)).toMatchObject({ status: "running", dueAt, oven: null });
    });

    it("has the job given up when it has killed too many workers", async () => {
      const bakery = await open();
      const id = await bakery.order();
      const { deathsMax: attempts } = BAKE.policy;
      await bakery.records.update({ id }, { set: { status: "running", dueAt: Date.now(), attempts } });
      bakery.relay().worker(() => Promise.reject(new Error("it is not begun again")));
      expect(await bakery.ended(id)).toMatchObject({ status: "failed", error: BAKE.sentences.gaveUp });
    });
  });

  if (!isLocal) {
    it("publishes again the job whose message was lost, once for all processes", async () => {
      const [one, two] = [await open(), await open()];
      const id = await one.order();
      await one.records.update({ id }, { set: { status: "pending", dueAt: Date.now() } });
      one.relay();
      two.relay();
      await vi.waitFor(async () => expect(await one.queue.depth("q")).toBe(1));
      one.worker(() => Promise.resolve(BAKED));
      expect(await one.ended(id)).toMatchObject({ status: "done", runs: 1 });
    });
  }
}
