import { create, toBinary } from "@bufbuild/protobuf";
import { RUN_QUEUE } from "@hourglass/operation";
import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { createLogger, openRabbitQueue, rabbitNames, type Queue } from "@hourglass/runtime";
import amqp, { type ChannelModel, type ConfirmChannel } from "amqplib";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { testServers } from "../../support/test-storage.js";
import { FaultRig } from "./fault-rig.js";

describe("one process, when the broker hands out what it should not", () => {
  let rig: FaultRig;
  let connection: ChannelModel;
  let channel: ConfirmChannel;
  let queue: Queue;
  let work: string;

  beforeAll(async () => {
    const { amqp: url } = testServers();
    rig = await FaultRig.start({ topology: "one-process" });
    const prefix = rig.testStorage.env["AMQP_PREFIX"] ?? "";
    work = rabbitNames(prefix, RUN_QUEUE).work;
    connection = await amqp.connect(url);
    channel = await connection.createConfirmChannel();
    queue = await openRabbitQueue({ url, prefix, log: createLogger("silent") });
    await vi.waitFor(() => queue.ping());
  });
  afterEach(() => rig.expectQuietLogs());
  afterAll(async () => {
    await Promise.all([connection.close(), queue.close()]);
    await rig.remove();
  });

  /** Publishes bytes directly to the workers' queue. */
  async function publish(bodies: readonly Uint8Array[]): Promise<void> {
    for (const body of bodies) channel.sendToQueue(work, Buffer.from(body), { persistent: true });
    await channel.waitForConfirms();
  }

  /** A message that comes again: the record has another due time since. */
  const messageOf = (id: number) =>
    toBinary(RunOperationSchema, create(RunOperationSchema, { operationId: BigInt(id), dueAt: 1n }));
  const emptied = () =>
    vi.waitFor(async () => expect(await queue.depth(RUN_QUEUE)).toBe(0), { timeout: 30_000, interval: 100 });

  it("duplicate delivery, every message twice more", async () => {
    await rig.bears(async (trial) => {
      const running = messageOf(await trial.longOperation());
      await publish([running, running]);
      await trial.accepted(10);
      const messages = trial.promises.accepted.map(({ id }) => messageOf(id ?? 0));
      await publish([...messages, ...messages]);
    });
  });

  it("late messages for operations that have ended, were deleted, or never were", async () => {
    await rig.bears(async (trial) => {
      await trial.accepted(5);
      const ids = trial.promises.accepted.map(({ id }) => id ?? 0);
      for (const { id, deleted } of trial.promises.accepted) if (!deleted) await trial.ended(id ?? 0);
      await publish([...ids.toReversed(), ...ids, 999_999_999].map(messageOf));
      await emptied();
    });
  });

  it("bytes that are no message go to the dead letters at once", async () => {
    const garbage = [Buffer.from("\xff\xfe not a message", "latin1"), Buffer.alloc(0), Buffer.alloc(100_000, 0xff)];
    await rig.bears(async () => {
      await publish(garbage);
      const dead = await vi.waitFor(
        async () => {
          const letters = await queue.listDead(RUN_QUEUE, 10);
          expect(letters).toHaveLength(garbage.length);
          return letters;
        },
        { timeout: 30_000, interval: 100 },
      );
      // Delivered only once: there was no loop.
      expect(dead.map(({ attempts }) => attempts)).toEqual(garbage.map(() => 1));
      expect(dead.map(({ body }) => Buffer.from(body))).toEqual(expect.arrayContaining(garbage));
    });
  });
});
