import { rabbitNames } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bytes, recorder } from "../../contract/queue-world.js";
import { numbersBelow } from "../../contract/support.js";
import { onBroker, openRabbitWorld, type RabbitWorld } from "./rabbitmq-world.js";

/** The limit that RabbitMQ 4 sets where a queue names none. */
const BROKER_DELIVERIES = 20;

let world: RabbitWorld;

beforeEach(async () => {
  world = await openRabbitWorld();
});

afterEach(async () => {
  await world.close();
});

/** Buries a letter for each number below `count`. */
async function bury(count: number, reason = "poison"): Promise<void> {
  const { queue } = world;
  for (const n of numbersBelow(count)) await queue.publish("q", bytes(String(n)));
  const consumer = await queue.consume("q", { prefetch: 1 }, () => Promise.resolve({ kind: "dead", reason }));
  await vi.waitFor(async () => expect(await queue.listDead("q", count)).toHaveLength(count), 10_000);
  await consumer.stop(1000);
}

describe("messages of strangers", () => {
  const garbage: Record<string, unknown>[] = [
    {},
    { "hourglass-attempts": "many", "x-delivery-count": { a: 1 } },
    { "hourglass-attempts": -5, "x-delivery-count": -1 },
    { "hourglass-attempts": 1.5, "x-delivery-count": [1, 2] },
    { "hourglass-attempts": [null], "x-acquired-count": true },
  ];

  it("are delivered whatever their headers say", async () => {
    const { queue, prefix } = world;
    const { seen, handle } = recorder();
    await queue.depth("q");
    const { work } = rabbitNames(prefix, "q");
    await onBroker(async (channel) => {
      for (const headers of garbage) channel.sendToQueue(work, Buffer.from("a"), { headers });
      channel.sendToQueue(work, Buffer.from("a"), { messageId: "", timestamp: 0, expiration: 60_000 });
      await channel.checkQueue(work);
      await channel.close();
    });
    await queue.consume("q", { prefetch: 1 }, handle);
    await vi.waitFor(() => expect(seen.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1, 1]));
  });

  it("are listed, retried and dropped among the dead letters", async () => {
    const { queue, prefix } = world;
    await queue.depth("q");
    const { dead } = rabbitNames(prefix, "q");
    await onBroker(async (channel) => {
      for (const headers of garbage) channel.sendToQueue(dead, Buffer.from("a"), { headers, messageId: "one" });
      channel.sendToQueue(dead, Buffer.from("b"), {
        headers: { "hourglass-died-at": "once", "x-death": [{ time: 5 }] },
      });
      await channel.checkQueue(dead);
      await channel.close();
    });
    const letters = await queue.listDead("q", 10);
    expect(letters).toHaveLength(6);
    for (const { id } of letters) expect(await queue.dropDead(id)).toBe(true);
    expect(await queue.listDead("q", 10)).toEqual([]);
  });
});

describe("a message whose consumers die", () => {
  it("comes again more often than RabbitMQ 4 delivers by default, if it may", async () => {
    const { queue, prefix } = world;
    await queue.publish("q", bytes("a"));
    for (let deaths = 0; deaths <= BROKER_DELIVERIES; deaths += 1) {
      await onBroker((channel) => channel.get(rabbitNames(prefix, "q").work));
    }
    const { seen, handle } = recorder();
    await queue.consume("q", { prefetch: 1, attemptsMax: 100 }, handle);
    await vi.waitFor(() => expect(seen).toMatchObject([{ text: "a", attempt: BROKER_DELIVERIES + 2 }]));
    expect(await queue.countDead("q")).toBe(0);
  });
});

describe("dead letters on the broker", () => {
  it("include what the broker itself put aside", async () => {
    const { queue, prefix } = world;
    await queue.publish("q", bytes("a"));
    await onBroker(async (channel) => {
      const message = await channel.get(rabbitNames(prefix, "q").work);
      if (message !== false) channel.nack(message, false, false);
      await channel.close();
    });
    await vi.waitFor(async () => expect(await queue.listDead("q", 1)).toHaveLength(1));
    const [letter] = await queue.listDead("q", 1);
    expect(letter).toMatchObject({ queue: "q", body: bytes("a"), attempts: 1 });
    expect(Math.abs(Date.now() - Date.parse(letter!.diedAt))).toBeLessThan(60_000);
    expect(await queue.retryDead(letter!.id)).toBe(true);
    const { seen, handle } = recorder();
    await queue.consume("q", { prefetch: 1 }, handle);
    await vi.waitFor(() => expect(seen).toMatchObject([{ text: "a", attempt: 1 }]));
  });

  it("takes a reason longer than a frame", async () => {
    await bury(1, "because ".repeat(100_000));
    expect((await world.queue.listDead("q", 1))[0]?.reason).toMatch(/^because because /);
  });

  it("keeps the order of many letters however often they are read", async () => {
    const { queue } = world;
    await bury(60);
    const letters = await queue.listDead("q", 100);
    expect((await queue.listDead("q", 40)).map(({ id }) => id)).toEqual(letters.slice(0, 40).map(({ id }) => id));
    expect((await queue.listDead("q", 100)).map(({ id }) => id)).toEqual(letters.map(({ id }) => id));
  });

  it("keeps a letter that is read more often than RabbitMQ 4 delivers by default", async () => {
    await bury(1);
    for (let reads = 0; reads <= BROKER_DELIVERIES; reads += 1)
      expect(await world.queue.listDead("q", 1)).toHaveLength(1);
  });

  it("loses and doubles none when several processes retry, drop and list at once", async () => {
    const { queue, again } = world;
    const other = await again();
    await bury(12);
    const letters = await queue.listDead("q", 20);
    const sides = [queue, other.queue];
    const ended = letters
      .slice(0, 10)
      .map(({ id }, n) => (n < 5 ? sides[n % 2]!.retryDead(id) : sides[n % 2]!.dropDead(id)));
    const lists = await Promise.all(sides.map((side) => side.listDead("q", 20)));
    expect(await Promise.all(ended)).toEqual(letters.slice(0, 10).map(() => true));
    for (const list of lists) expect(list.length).toBeGreaterThanOrEqual(2);
    expect((await queue.listDead("q", 20)).map(({ id }) => id)).toEqual(letters.slice(10).map(({ id }) => id));
    expect(await queue.depth("q")).toBe(5);
  });
});
