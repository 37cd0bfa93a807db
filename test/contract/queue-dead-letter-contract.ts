import { describe, expect, it, vi } from "vitest";
import { bytes, recorder, type QueueWorld } from "./queue-world.js";

/** Dead letters are kept until an operator decides. */
export function deadLetterContract(world: () => QueueWorld): void {
  /** Buries the texts one after the other. */
  const bury = async (texts: string[], reason = "poison"): Promise<void> => {
    const { queue } = world();
    const consumer = await queue.consume("q", { prefetch: 1 }, () => Promise.resolve({ kind: "dead", reason }));
    for (const text of texts) {
      await queue.publish("q", bytes(text));
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
    }
    await consumer.stop(1000);
  };
  const texts = async (limit: number): Promise<string[]> =>
    (await world().queue.listDead("q", limit)).map(({ body }) => new TextDecoder().decode(body));

  describe("dead letters", () => {
    it("buries a message at once when the handler says so, with its reason, attempts and time", async () => {
      const { queue } = world();
      await bury(["a\0b"], "not a job: ünïcode 😀");
      const [letter] = await queue.listDead("q", 10);
      expect(letter).toMatchObject({ queue: "q", attempts: 1, reason: "not a job: ünïcode 😀" });
      expect(letter?.body).toEqual(bytes("a\0b"));
      expect(letter?.diedAt).toBe(new Date(letter?.diedAt ?? "").toISOString());
      expect(Math.abs(Date.now() - Date.parse(letter?.diedAt ?? ""))).toBeLessThan(30_000);
    });

    it("lists a letter whatever characters its reason has", async () => {
      await bury(["a"], "before\0after \ud83d!");
      expect((await world().queue.listDead("q", 10))[0]?.reason).toMatch(/^before.*after .*!$/s);
    });

    it("lists the oldest first, up to the limit, and counts them, of that queue only", async () => {
      await bury(["1", "2", "3"]);
      expect(await texts(2)).toEqual(["1", "2"]);
      expect(await texts(100)).toEqual(["1", "2", "3"]);
      expect(await world().queue.listDead("other", 100)).toEqual([]);
      await vi.waitFor(async () => expect(await world().queue.countDead("q")).toBe(3));
      expect(await world().queue.countDead("other")).toBe(0);
    });

    it("does not deliver a dead letter, nor count it in the depth", async () => {
      const { queue } = world();
      await bury(["dead"]);
      const { seen, handle } = recorder();
      await queue.consume("q", { prefetch: 5 }, handle);
      await queue.publish("q", bytes("alive"));
      await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
      expect(seen.map(({ text }) => text)).toEqual(["alive"]);
    });

    it("puts a letter back with fresh attempts", async () => {
      const { queue } = world();
      await bury(["again"]);
      const { seen, handle } = recorder();
      await queue.consume("q", { prefetch: 1 }, handle);
      const [letter] = await queue.listDead("q", 1);
      expect(await queue.retryDead(letter!.id)).toBe(true);
      await vi.waitFor(() => expect(seen).toMatchObject([{ text: "again", attempt: 1 }]));
      expect(await queue.listDead("q", 1)).toEqual([]);
      expect(await queue.retryDead(letter!.id)).toBe(false);
    });

    it("drops one letter and leaves the others", async () => {
      const { queue } = world();
      await bury(["drop", "keep"]);
      const [letter] = await queue.listDead("q", 1);
      expect(await queue.dropDead(letter!.id)).toBe(true);
      expect(await queue.dropDead(letter!.id)).toBe(false);
      expect(await queue.retryDead(letter!.id)).toBe(false);
      expect(await texts(10)).toEqual(["keep"]);
    });

    it("answers false for what is no id of a dead letter, a living message's included", async () => {
      const { queue } = world();
      await queue.publish("q", bytes("alive"));
      for (const id of ["", "0", "1", "-1", "1 OR 1=1", "9".repeat(40), "nope", "1\0"]) {
        expect(await queue.retryDead(id)).toBe(false);
        expect(await queue.dropDead(id)).toBe(false);
      }
      expect(await queue.depth("q")).toBe(1);
    });
  });
}
