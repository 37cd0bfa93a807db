import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { bytes, DONE, recorder, type QueueWorld } from "./queue-world.js";
import { numbersBelow } from "./support.js";

/** Published messages are delivered completely and not too early. */
export function deliveryContract(world: () => QueueWorld): void {
  describe("delivery", () => {
    it("delivers what was published before and after the consumer began, and removes what is done", async () => {
      const { queue } = world();
      const { seen, handle } = recorder();
      await queue.publish("q", bytes("before"));
      await queue.consume("q", { prefetch: 1 }, handle);
      await queue.publish("q", bytes("after"));
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
      expect(seen).toMatchObject([
        { text: "before", attempt: 1 },
        { text: "after", attempt: 1 },
      ]);
    });

    it("keeps queues apart", async () => {
      const { queue } = world();
      const { seen, handle } = recorder();
      await queue.publish("other", bytes("theirs"));
      await queue.consume("q", { prefetch: 5 }, handle);
      await queue.publish("q", bytes("mine"));
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
      expect(seen.map(({ text }) => text)).toEqual(["mine"]);
      expect(await queue.depth("other")).toBe(1);
    });

    it("carries any bytes: none, NULs, all values, no UTF-8, a megabyte", async () => {
      const { queue } = world();
      const big = new Uint8Array(1024 * 1024).map((_, index) => index % 251);
      const bodies = [new Uint8Array(), bytes("a\0b\0"), Uint8Array.from(numbersBelow(256)), big];
      const got: Uint8Array[] = [];
      for (const body of bodies) await queue.publish("q", body);
      await queue.consume("q", { prefetch: 1 }, async ({ body }) => {
        got.push(body);
        return DONE;
      });
      await vi.waitFor(() => expect(got).toHaveLength(bodies.length));
      const hex = (list: Uint8Array[]): string[] => list.map((body) => Buffer.from(body).toString("base64")).toSorted();
      // Compared as a boolean, because a failure would print a difference of a megabyte.
      expect(JSON.stringify(hex(got)) === JSON.stringify(hex(bodies))).toBe(true);
    });

    it("carries a part of a larger buffer as that part", async () => {
      const { queue } = world();
      const { seen, handle } = recorder();
      await queue.publish("q", bytes("0123456789").subarray(3, 6));
      await queue.consume("q", { prefetch: 1 }, handle);
      await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["345"]));
    });

    it("has no more deliveries in work at a time than the prefetch says, and that many", async () => {
      const { queue } = world();
      let inWork = 0;
      const levels: number[] = [];
      await Promise.all(numbersBelow(20).map((n) => queue.publish("q", bytes(String(n)))));
      await queue.consume("q", { prefetch: 3 }, async () => {
        levels.push((inWork += 1));
        await sleep(5); // the handler's work
        inWork -= 1;
        return DONE;
      });
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
      expect(Math.max(...levels)).toBe(3);
      expect(levels).toHaveLength(20);
    });

    it("counts messages that wait and that are in work as its depth", async () => {
      const { queue } = world();
      expect(await queue.depth("q")).toBe(0);
      const { seen, handle } = recorder(() => new Promise(() => undefined));
      for (const n of numbersBelow(3)) await queue.publish("q", bytes(String(n)));
      await queue.consume("q", { prefetch: 2 }, handle);
      await vi.waitFor(() => expect(seen).toHaveLength(2));
      expect(await queue.depth("q")).toBe(3);
    });

    it("tells for how long the message that waits longest could have been delivered, unless it cannot tell", async () => {
      const { queue } = world();
      const withoutAny = await queue.oldestSeconds("q");
      expect([0, undefined]).toContain(withoutAny);
      await queue.publish("q", bytes("now"));
      if (withoutAny === undefined) return;
      await vi.waitFor(async () => expect(await queue.oldestSeconds("q")).toBeGreaterThan(0.05));
      await queue.consume("q", { prefetch: 1 }, recorder().handle);
      await vi.waitFor(async () => expect(await queue.oldestSeconds("q")).toBe(0));
    });

    it("answers a ping while it is open", async () => {
      await expect(world().queue.ping()).resolves.toBeUndefined();
    });
  });
}

/** What a handler fails at is delivered again, not at once and not without end. */
export function retryContract(world: () => QueueWorld): void {
  const failing = () =>
    recorder(() => {
      throw new Error("cannot do this");
    });

  describe("a handler that throws", () => {
    it("gets the message again after growing pauses until its deliveries are used up; then it is a dead letter", async () => {
      const { queue } = world();
      const { seen, handle } = failing();
      await queue.publish("q", bytes("a"));
      await queue.consume("q", { prefetch: 1, attemptsMax: 4 }, handle);
      await vi.waitFor(async () => expect(await queue.listDead("q", 10)).toHaveLength(1));
      expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
      const [first = 0, second = 0, third = 0] = seen.slice(1).map(({ at }, index) => at - seen[index]!.at);
      expect(first).toBeGreaterThanOrEqual(10);
      expect(second).toBeGreaterThanOrEqual(20);
      expect(third).toBeGreaterThanOrEqual(40);
      expect(await queue.listDead("q", 10)).toMatchObject([{ attempts: 4, reason: "cannot do this" }]);
      expect(await queue.depth("q")).toBe(0);
    });

    it("may end the message at a later delivery", async () => {
      const { queue } = world();
      const { seen, handle } = recorder(({ attempt }) => {
        if (attempt < 3) throw new Error("not yet");
        return DONE;
      });
      await queue.publish("q", bytes("a"));
      await queue.consume("q", { prefetch: 1 }, handle);
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
      expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(await queue.countDead("q")).toBe(0);
    });

    it("does not have the message taken from the queue meanwhile", async () => {
      const { queue } = world();
      const { seen, handle } = failing();
      await queue.publish("q", bytes("a"));
      await queue.consume("q", { prefetch: 1 }, handle);
      await vi.waitFor(() => expect(seen.length).toBeGreaterThan(1));
      expect(await queue.depth("q")).toBe(1);
    });
  });
}
