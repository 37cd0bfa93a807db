import { Writable } from "node:stream";
import { createLogger, rabbitNames, type Logger } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bytes, DONE, gate, recorder } from "../../contract/queue-world.js";
import { expectFailure, failureOf, numbersBelow } from "../../contract/support.js";
import { onBroker, openRabbitWorld, type RabbitWorld } from "./rabbitmq-world.js";

/** Enough for a reconnect, or for missing a heartbeat of one second, on a busy machine. */
const PATIENCE = 20_000;

let world: RabbitWorld;

beforeEach(async () => {
  world = await openRabbitWorld();
});

afterEach(async () => {
  await world.close();
});

/** A log that stores its messages. */
function keeper(): { log: Logger; messages: string[] } {
  const messages: string[] = [];
  const write = (line: Buffer, _encoding: unknown, done: () => void): void => {
    messages.push((JSON.parse(line.toString()) as { msg: string }).msg);
    done();
  };
  return { log: createLogger("info", new Writable({ write })), messages };
}

/** The broker's notifications that memory is low, and that it no longer is: methods 60 and 61 of class 10. */
function brokerSays(method: 60 | 61, reason = ""): Buffer {
  const text = method === 60 ? Buffer.from([reason.length, ...Buffer.from(reason)]) : Buffer.alloc(0);
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 4 + text.length, 0, 10, 0, method]);
  return Buffer.concat([head, text, Buffer.from([0xce])]);
}

describe("a broker that is unavailable", () => {
  it("lets the process start, refuses at once, and delivers when it comes", async () => {
    const { queue } = world;
    const { log, messages } = keeper();
    const late = await world.cabled({ unplugged: true, log });
    const { seen, handle } = recorder();
    await late.queue.consume("q", { prefetch: 2 }, handle);
    const failure = await failureOf(late.queue.publish("q", bytes("a")));
    expect(failure).toMatchObject({ kind: "unavailable", code: "queue_unavailable" });
    expect(failure.retryAfterMs).toBeGreaterThan(0);
    await expectFailure("unavailable", late.queue.depth("q"));
    await expectFailure("unavailable", late.queue.listDead("q", 1));
    await expectFailure("unavailable", late.queue.ping());
    await queue.publish("q", bytes("b"));
    await late.cable.plugIn();
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["b"]), PATIENCE);
    await vi.waitFor(() => late.queue.publish("q", bytes("c")), PATIENCE);
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["b", "c"]), PATIENCE);
    expect(messages).toEqual(["RabbitMQ is away; trying again until it is back", "RabbitMQ is back"]);
  });

  it("loses nothing over many lost connections, and consumes again after each", async () => {
    const { queue, cabled } = world;
    const shaken = await cabled();
    const { seen, handle } = recorder();
    await shaken.queue.consume("q", { prefetch: 3, attemptsMax: 50 }, handle);
    for (const round of numbersBelow(5)) {
      for (const n of numbersBelow(10)) await queue.publish("q", bytes(`${round}.${n}`));
      shaken.cable.drop();
    }
    await vi.waitFor(() => expect(new Set(seen.map(({ text }) => text)).size).toBe(50), PATIENCE);
    await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0), PATIENCE);
  });

  it("tells a handler that its message is lost, and drops what it says about it afterwards", async () => {
    const { log, messages } = keeper();
    const { queue, cable } = await world.cabled({ log });
    const late = gate();
    const reasons: unknown[] = [];
    const { seen, handle } = recorder(({ attempt, signal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return attempt === 1 ? late.passed : DONE;
    });
    await queue.consume("q", { prefetch: 1 }, handle);
    await queue.publish("q", bytes("a"));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    cable.drop();
    await vi.waitFor(() =>
      expect(reasons).toEqual([new Error("the connection to the queue was lost; the message comes again")]),
    );
    await vi.waitFor(() => queue.ping(), PATIENCE);
    late.open({ kind: "dead", reason: "too late" });
    await vi.waitFor(() => expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2]), PATIENCE);
    await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0), PATIENCE);
    expect(await queue.listDead("q", 1)).toEqual([]);
    // An acknowledgement on a wrong channel would have closed that channel.
    await queue.publish("q", bytes("b"));
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["a", "a", "b"]), PATIENCE);
    expect(messages).toEqual(["RabbitMQ is away; trying again until it is back", "RabbitMQ is back"]);
  });

  it("writes an outcome down when only publishing was unavailable", async () => {
    const { queue } = world;
    const mortal = await world.cabled();
    const work = gate();
    const { seen, handle } = recorder(() => work.passed);
    await mortal.queue.consume("q", { prefetch: 1 }, handle);
    await queue.publish("q", bytes("a"));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    mortal.cable.say(brokerSays(60, "low on memory"));
    await vi.waitFor(() => expectFailure("unavailable", mortal.queue.publish("other", bytes("b"))));
    work.open({ kind: "dead", reason: "hopeless" });
    expect(await queue.listDead("q", 1)).toEqual([]);
    mortal.cable.say(brokerSays(61));
    await vi.waitFor(
      async () => expect(await queue.listDead("q", 1)).toMatchObject([{ reason: "hopeless" }]),
      PATIENCE,
    );
  });
});

describe("a broker that does not answer", () => {
  it("is noticed in bounded time, and used again when it answers", async () => {
    const { cable, queue } = await world.cabled({ confirmTimeoutMs: 2000 });
    const { seen, handle } = recorder();
    await queue.consume("q", { prefetch: 1 }, handle);
    await queue.publish("q", bytes("before"));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0));
    cable.goSilent();
    const during = [queue.publish("q", bytes("a")), queue.depth("q"), queue.listDead("q", 1), queue.ping()];
    await Promise.all(during.map((work) => expectFailure("unavailable", work)));
    cable.speak();
    await vi.waitFor(() => queue.publish("q", bytes("after")), PATIENCE);
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["before", "after"]), PATIENCE);
  });

  it("does not hold up closing, even before a heartbeat is missed", async () => {
    const { cable, queue } = await world.cabled({ heartbeatSeconds: 600 });
    const { seen, handle } = recorder(() => new Promise(() => undefined));
    await queue.consume("q", { prefetch: 1 }, handle);
    await queue.publish("q", bytes("a"));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    cable.goSilent();
    await queue.close();
    const next = recorder();
    await world.queue.consume("q", { prefetch: 1 }, next.handle);
    await cable.cut();
    await vi.waitFor(() => expect(next.seen).toMatchObject([{ text: "a", attempt: 2 }]), PATIENCE);
  });
});

describe("a broker short of memory", () => {
  it("is given nothing until it takes messages again, while consuming continues", async () => {
    const { queue } = world;
    const { cable, queue: blocked } = await world.cabled();
    const { seen, handle } = recorder();
    await blocked.consume("q", { prefetch: 1 }, handle);
    cable.say(brokerSays(60, "low on memory"));
    await vi.waitFor(() => expectFailure("unavailable", blocked.publish("q", bytes("refused"))));
    await queue.publish("q", bytes("from another"));
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toContain("from another"));
    await vi.waitFor(async () => expect(await blocked.depth("q")).toBe(0));
    cable.say(brokerSays(61));
    await vi.waitFor(() => blocked.publish("q", bytes("taken")));
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toContain("taken"));
  });
});

/** AMQP methods by the cable's names. */
const OPENED = "20.11";
const CANCEL = "60.30";
const CONFIRM = "60.80";

describe("a broker that loses track", () => {
  // The broker may omit the notification if a queue is redeclared directly after its deletion; here it always does.
  it("is subscribed to again, and brings what was handed to the lost subscription", async () => {
    const { queue, prefix } = world;
    const forgotten = await world.cabled({ renewMs: 300 });
    const { seen, handle } = recorder();
    await forgotten.queue.consume("q", { prefetch: 1 }, handle);
    await queue.publish("q", bytes("before"));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    forgotten.cable.hearOnly(({ method }) => method !== CANCEL);
    await onBroker((channel) => channel.deleteQueue(rabbitNames(prefix, "q").work));
    await queue.publish("q", bytes("after"));
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["before", "after"]), PATIENCE);
  });

  it("is given a queue again that it deleted without a word to its consumer", async () => {
    const { work } = rabbitNames(world.prefix, "q");
    const { queue, cable } = await world.cabled({ renewMs: 300 });
    await queue.consume("q", { prefetch: 1 }, recorder().handle);
    const consumers = async () => (await onBroker((channel) => channel.checkQueue(work))).consumerCount;
    await vi.waitFor(async () => expect(await consumers()).toBe(1), PATIENCE);
    cable.hearOnly(({ method }) => method !== CANCEL);
    await onBroker((channel) => channel.deleteQueue(work));
    await vi.waitFor(async () => expect(await consumers()).toBe(1), PATIENCE);
  });

  it("loses no message and delivers none twice while an idle consumer subscribes again and again", async () => {
    const { queue } = await world.cabled({ renewMs: 1 });
    const { seen, handle } = recorder();
    await queue.consume("q", { prefetch: 2 }, handle);
    for (const n of numbersBelow(40)) await world.queue.publish("q", bytes(String(n)));
    await vi.waitFor(async () => expect(await world.queue.depth("q")).toBe(0), PATIENCE);
    await vi.waitFor(() => expect(seen).toHaveLength(40), PATIENCE);
    expect(new Set(seen.map(({ text }) => text)).size).toBe(40);
  });

  it("is sent what comes next on another channel when it confirms nothing on one", async () => {
    const { queue, cable } = await world.cabled({ confirmTimeoutMs: 2000 });
    await queue.publish("q", bytes("a"));
    let mute = true;
    let missed = 0;
    cable.hearOnly(({ method }) => {
      if (method === OPENED && missed > 0) mute = false;
      if (method !== CONFIRM || !mute) return true;
      missed += 1;
      return false;
    });
    await expectFailure("unavailable", queue.publish("q", bytes("b")));
    await queue.publish("q", bytes("c"));
    expect(await queue.depth("q")).toBe(3);
  });
});

describe("queues deleted under way", () => {
  it("declares them again when publishing, consuming and counting", async () => {
    const { queue, prefix } = world;
    const { work, dead } = rabbitNames(prefix, "q");
    const { seen, handle } = recorder();
    await queue.publish("q", bytes("gone with its queue"));
    await onBroker((channel) => channel.deleteQueue(work));
    await queue.publish("q", bytes("a"));
    expect(await queue.depth("q")).toBe(1);
    await queue.consume("q", { prefetch: 1 }, handle);
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["a"]));
    await onBroker(async (channel) => {
      for (const name of [work, dead]) await channel.deleteQueue(name);
    });
    await vi.waitFor(() => queue.publish("q", bytes("b")), PATIENCE);
    await vi.waitFor(() => expect(seen.map(({ text }) => text)).toEqual(["a", "b"]), PATIENCE);
    await vi.waitFor(async () => expect(await queue.depth("q")).toBe(0), PATIENCE);
  });
});
