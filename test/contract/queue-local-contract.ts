import { AsyncLocalStorage } from "node:async_hooks";
import type { LocalQueue } from "@hourglass/runtime";
import { describe, expect, it, vi } from "vitest";
import { bytes, DONE, gate, recorder, type QueueWorld } from "./queue-world.js";

/** What a queue in the memory of one process promises besides. */
export function localContract(world: () => QueueWorld): void {
  const local = (): LocalQueue => {
    const { queue } = world();
    if (!queue.isLocal) throw new Error("The queue is not local.");
    return queue;
  };

  describe("a local queue", () => {
    it("holds a message once while it waits or is in work, and takes it again afterwards", async () => {
      const queue = local();
      const work = gate();
      const { seen, handle } = recorder(() => work.passed);
      for (let times = 0; times < 3; times += 1) await queue.publish("q", bytes("a"));
      expect([queue.holds("q", bytes("a")), queue.holds("q", bytes("b")), queue.holds("other", bytes("a"))]).toEqual([
        ...[true, false, false],
      ]);
      expect(queue.waiting("q")).toBe(1);
      await queue.consume("q", { prefetch: 2 }, handle);
      await vi.waitFor(() => expect(seen).toHaveLength(1));
      await queue.publish("q", bytes("a"));
      expect([queue.waiting("q"), await queue.depth("q")]).toEqual([0, 1]);
      work.open(DONE);
      await vi.waitFor(() => expect(queue.holds("q", bytes("a"))).toBe(false));
      expect(seen).toHaveLength(1);
      await queue.publish("q", bytes("a"));
      await vi.waitFor(() => expect(seen).toHaveLength(2));
    });

    it("runs handlers in the context of their consumer, whoever publishes", async () => {
      const queue = local();
      const scope = new AsyncLocalStorage<string>();
      const scopes: (string | undefined)[] = [];
      const handle = () => {
        scopes.push(scope.getStore());
        return Promise.resolve(DONE);
      };
      await scope.run("consumer", () => queue.consume("q", { prefetch: 1 }, handle));
      await scope.run("publisher", () => Promise.all(["a", "b"].map((text) => queue.publish("q", bytes(text)))));
      await vi.waitFor(() => expect(scopes).toEqual(["consumer", "consumer"]));
    });

    it("says which queues its process consumes", async () => {
      const [queue, other] = [local(), (await world().again()).queue];
      await other.consume("q", { prefetch: 1 }, recorder().handle);
      expect(queue.isConsumed("q")).toBe(false);
      const consumer = await queue.consume("q", { prefetch: 1 }, recorder().handle);
      expect([queue.isConsumed("q"), queue.isConsumed("other")]).toEqual([true, false]);
      await consumer.stop(0);
      expect(queue.isConsumed("q")).toBe(false);
    });

    it("does not deliver to another process, and loses what it holds when it is closed", async () => {
      const { again } = world();
      const { seen, handle } = recorder();
      await (await again()).queue.consume("q", { prefetch: 1 }, handle);
      const { queue } = await again();
      await queue.publish("q", bytes("a"));
      expect(await queue.depth("q")).toBe(1);
      await queue.close();
      expect(seen).toEqual([]);
      expect(await (await again()).queue.depth("q")).toBe(0);
    });
  });
}
