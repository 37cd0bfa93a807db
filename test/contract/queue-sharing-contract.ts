import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { Outcome } from "@hourglass/runtime";
import { bytes, DONE, gate, recorder, type QueueWorld } from "./queue-world.js";
import { expectFailure, numbersBelow } from "./support.js";

/** What every queue tells several processes. */
export function instancesContract(world: () => QueueWorld): void {
  describe("several instances", () => {
    it("counts the consumers of a queue in all instances, until they stop or are gone", async () => {
      const { queue, again } = world();
      expect(await queue.countConsumers("q")).toBe(0);
      const [other, mortal] = [await again(), await again()];
      const count = (expected: number) =>
        vi.waitFor(async () => expect(await queue.countConsumers("q")).toBe(expected));
      const here = await queue.consume("q", { prefetch: 1 }, recorder().handle);
      await queue.consume("another", { prefetch: 1 }, recorder().handle);
      await count(1);
      const there = await other.queue.consume("q", { prefetch: 1 }, recorder().handle);
      await mortal.queue.consume("q", { prefetch: 1 }, recorder().handle);
      await count(3);
      await there.stop(1000);
      await count(2);
      await mortal.die();
      await count(1);
      await here.stop(1000);
      await count(0);
      expect(await other.queue.countConsumers("another")).toBe(1);
    });

    it("list, put back and drop the same dead letters", async () => {
      const { queue, again } = world();
      const dead: Outcome = { kind: "dead", reason: "poison" };
      const answers = [dead, dead, DONE];
      const { seen, handle } = recorder(() => answers.shift() ?? DONE);
      await queue.consume("q", { prefetch: 1 }, handle);
      await queue.publish("q", bytes("a"));
      await queue.publish("q", bytes("b"));
      const other = (await again()).queue;
      await vi.waitFor(async () => expect(await other.countDead("q")).toBe(2));
      const [first, second] = await other.listDead("q", 10);
      expect(await other.retryDead(first!.id)).toBe(true);
      await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["a", "b", "a"]));
      expect(await queue.dropDead(second!.id)).toBe(true);
      await vi.waitFor(async () => expect(await other.listDead("q", 10)).toEqual([]));
    });
  });
}

/** Several processes on one queue that outlives them, some of which die. */
export function sharingContract(world: () => QueueWorld): void {
  describe("several instances of a durable queue", () => {
    it("finds what another instance published", async () => {
      const { queue, again } = world();
      const { seen, handle } = recorder();
      await queue.consume("q", { prefetch: 1 }, handle);
      const other = await again();
      await other.queue.publish("q", bytes("from there"));
      await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["from there"]));
    });

    it("keeps messages when the instance that published them is gone", async () => {
      const { queue, again } = world();
      const first = await again();
      await Promise.all(numbersBelow(20).map((n) => first.queue.publish("q", bytes(String(n)))));
      await first.die();
      const { seen, handle } = recorder();
      await queue.consume("q", { prefetch: 4 }, handle);
      await vi.waitFor(() => expect(new Set(seen.map(({ text }) => text)).size).toBe(20));
    });

    it("delivers no message to two consumers at once", async () => {
      const { queue, again } = world();
      const other = await again();
      const inWork = new Set<string>();
      const doubles: string[] = [];
      const { seen, handle } = recorder(async ({ body }) => {
        const text = new TextDecoder().decode(body);
        if (inWork.has(text)) doubles.push(text);
        inWork.add(text);
        await sleep(1); // the handler's work
        inWork.delete(text);
        return DONE;
      });
      await Promise.all(numbersBelow(100).map((n) => queue.publish("q", bytes(String(n)))));
      for (const side of [queue, other.queue, queue]) await side.consume("q", { prefetch: 4 }, handle);
      // The depth alone is insufficient: it need not count messages in work at the other instance.
      await vi.waitFor(() => expect(new Set(seen.map(({ text }) => text)).size).toBe(100));
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
      expect(doubles).toEqual([]);
    });

    it("delivers again what a consumer had in work when it died, and counts that attempt", async () => {
      const { queue, again } = world();
      const mortal = await again();
      const lost = recorder(() => new Promise(() => undefined));
      await mortal.queue.consume("q", { prefetch: 1 }, lost.handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(lost.seen).toHaveLength(1));
      await mortal.die();
      const { seen, handle } = recorder();
      await queue.consume("q", { prefetch: 1 }, handle);
      await vi.waitFor(() => expect(seen).toMatchObject([{ text: "a", attempt: 2 }]));
    });

    it("buries a message undelivered when consumers died of it as often as it may be delivered", async () => {
      const { queue, again } = world();
      await queue.publish("q", bytes("poison"));
      for (const attempt of [1, 2]) {
        const mortal = await again();
        const { seen, handle } = recorder(() => new Promise(() => undefined));
        await mortal.queue.consume("q", { prefetch: 1, attemptsMax: 2 }, handle);
        await vi.waitFor(() => expect(seen).toMatchObject([{ attempt }]));
        await mortal.die();
      }
      const { seen, handle } = recorder();
      await queue.consume("q", { prefetch: 1, attemptsMax: 2 }, handle);
      await vi.waitFor(async () => expect(await queue.listDead("q", 1)).toHaveLength(1));
      expect(seen).toEqual([]);
    });

    it("leaves a message with a handler that works for longer than the lease", async () => {
      const { queue, again, leaseMs } = world();
      const work = recorder(() => sleep(leaseMs * 3, DONE));
      await queue.consume("q", { prefetch: 1 }, work.handle);
      await queue.publish("q", bytes("long"));
      await vi.waitFor(() => expect(work.seen).toHaveLength(1));
      const thief = recorder();
      await (await again()).queue.consume("q", { prefetch: 1 }, thief.handle);
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
      expect(thief.seen).toEqual([]);
      expect(work.seen).toHaveLength(1);
    });

    it("gives back what its consumers have in work when the queue is closed", async () => {
      const { queue, again } = world();
      const { seen, handle } = recorder(() => new Promise(() => undefined));
      const other = await again();
      await other.queue.consume("q", { prefetch: 1 }, handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      await other.queue.close();
      const next = recorder();
      await queue.consume("q", { prefetch: 1 }, next.handle);
      await vi.waitFor(() => expect(next.seen).toMatchObject([{ text: "a", attempt: 2 }]));
    });

    it("is unavailable without its connection, and continues in other instances", async () => {
      const { queue, again } = world();
      const mortal = await again();
      await mortal.queue.consume("q", { prefetch: 1 }, recorder().handle);
      await mortal.die();
      await expectFailure("unavailable", mortal.queue.publish("q", bytes("a")));
      await expectFailure("unavailable", mortal.queue.depth("q"));
      await expectFailure("unavailable", mortal.queue.countConsumers("q"));
      await expectFailure("unavailable", mortal.queue.listDead("q", 1));
      await expectFailure("unavailable", mortal.queue.countDead("q"));
      await expectFailure("unavailable", mortal.queue.retryDead("1"));
      await expectFailure("unavailable", mortal.queue.dropDead("1"));
      await expectFailure("unavailable", mortal.queue.ping());
      await queue.publish("q", bytes("b"));
      expect(await queue.depth("q")).toBe(1);
    });
  });
}

/** Stopping loses no messages. */
export function stoppingContract(world: () => QueueWorld): void {
  describe("stopping", () => {
    it("waits for the handlers in work, unaborted, and keeps what they did", async () => {
      const { queue } = world();
      const { passed, open } = gate();
      let aborted: boolean | undefined;
      const { seen, handle } = recorder(async ({ signal }) => {
        const outcome = await passed;
        aborted = signal.aborted;
        return outcome;
      });
      const consumer = await queue.consume("q", { prefetch: 1 }, handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      const stopped = consumer.stop(10_000);
      open(DONE);
      await stopped;
      expect(aborted).toBe(false);
      expect(await queue.depth("q")).toBe(0);
    });

    it("stops at once when nothing is in work", async () => {
      const consumer = await world().queue.consume("q", { prefetch: 1 }, recorder().handle);
      const begin = performance.now();
      await consumer.stop(60_000);
      expect(performance.now() - begin).toBeLessThan(5000);
    });

    it("takes no more once it was stopped", async () => {
      const { queue } = world();
      const { seen, handle } = recorder();
      const consumer = await queue.consume("q", { prefetch: 1 }, handle);
      await consumer.stop(1000);
      await consumer.stop(1000);
      await queue.publish("q", bytes("a"));
      const next = recorder();
      await queue.consume("q", { prefetch: 1 }, next.handle);
      await vi.waitFor(() => expect(next.seen).toHaveLength(1));
      expect(seen).toEqual([]);
    });

    it("aborts the signal, then gives back what is left", async () => {
      const { queue } = world();
      let aborted = false;
      const { seen, handle } = recorder(({ signal }) => {
        signal.addEventListener("abort", () => (aborted = true));
        return new Promise(() => undefined);
      });
      const consumer = await queue.consume("q", { prefetch: 1 }, handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      await consumer.stop(20);
      expect(aborted).toBe(true);
      const next = recorder();
      await queue.consume("q", { prefetch: 1 }, next.handle);
      await vi.waitFor(() => expect(next.seen).toMatchObject([{ text: "a", attempt: 2 }]));
    });

    it("aborts a handler early enough to give its message back within the grace period", async () => {
      const { queue } = world();
      let passed = false;
      let abortedInTime: boolean | undefined;
      const { seen, handle } = recorder(({ signal }) => {
        signal.addEventListener("abort", () => (abortedInTime = !passed));
        return new Promise(() => undefined);
      });
      const consumer = await queue.consume("q", { prefetch: 1 }, handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      const graceMs = 2100;
      const grace = setTimeout(() => (passed = true), graceMs - 1000);
      await consumer.stop(graceMs);
      clearTimeout(grace);
      expect(abortedInTime).toBe(true);
      const next = recorder();
      await queue.consume("q", { prefetch: 1 }, next.handle);
      await vi.waitFor(() => expect(next.seen).toMatchObject([{ text: "a", attempt: 2 }]));
    });

    it("takes the word of a handler that ends soon after its signal", async () => {
      const { queue } = world();
      const { seen, handle } = recorder(
        ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => setTimeout(() => resolve(DONE), 20));
          }),
      );
      const consumer = await queue.consume("q", { prefetch: 1 }, handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      await consumer.stop(0);
      expect(await queue.depth("q")).toBe(0);
    });

    it("gives back at once what a handler throws at because it is to stop", async () => {
      const { queue } = world();
      const { seen, handle } = recorder(
        ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("told to stop")));
          }),
      );
      const consumer = await queue.consume("q", { prefetch: 1, attemptsMax: 1 }, handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      await consumer.stop(0);
      const next = recorder();
      await queue.consume("q", { prefetch: 1 }, next.handle);
      await vi.waitFor(() => expect(next.seen).toMatchObject([{ text: "a", attempt: 2 }]));
    });

    it("ignores what a handler says whose message was given back", async () => {
      const { queue } = world();
      const late = gate();
      const first = recorder(() => late.passed);
      const consumer = await queue.consume("q", { prefetch: 1 }, first.handle);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(first.seen).toHaveLength(1));
      await consumer.stop(0);
      const current = gate();
      const second = recorder(() => current.passed);
      await queue.consume("q", { prefetch: 1 }, second.handle);
      await vi.waitFor(() => expect(second.seen).toHaveLength(1));
      late.open({ kind: "dead", reason: "too late" });
      // A later write: the late handler's effects are complete after it.
      await queue.publish("q", bytes("b"));
      expect(await queue.listDead("q", 1)).toEqual([]);
      expect(await queue.depth("q")).toBe(2);
      current.open(DONE);
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
    });
  });
}
