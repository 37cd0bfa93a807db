import { randomUUID } from "node:crypto";
import { openRabbitQueue, rabbitNames, type Logger, type Queue } from "@hourglass/runtime";
import { connect, type Channel } from "amqplib";
import type { MortalQueue, QueueWorld } from "../../contract/queue-world.js";
import { silent } from "../../contract/support.js";
import { Cable } from "./rabbitmq-cable.js";

/** Far below the defaults, so that tests are fast. */
const FAST = { backoffMs: 20, heartbeatSeconds: 1, confirmTimeoutMs: 5000, reconnect: { firstMs: 20, maxMs: 200 } };

/** The queues of the contract's tests. */
const QUEUES = ["q", "other"];

/** The broker's address. */
export function brokerUrl(): string {
  const url = process.env["TEST_AMQP_URL"];
  if (url === undefined)
    throw new Error("TEST_AMQP_URL is not set: name a RabbitMQ, like amqp://guest:guest@127.0.0.1:5672.");
  return url;
}

/** Works on the broker directly, like an operator. */
export async function onBroker<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
  const connection = await connect(brokerUrl());
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => undefined);
    return await work(channel);
  } finally {
    await connection.close();
  }
}

/** An instance with a separate cable. */
export interface CabledQueue extends MortalQueue {
  cable: Cable;
}

export interface RabbitWorld extends QueueWorld {
  prefix: string;
  /** Opens another instance; if `unplugged`, its broker is unreachable until the cable is plugged in. */
  cabled: (options?: {
    unplugged?: boolean;
    log?: Logger;
    confirmTimeoutMs?: number;
    heartbeatSeconds?: number;
    renewMs?: number;
  }) => Promise<CabledQueue>;
  again: () => Promise<CabledQueue>;
}

/** A queue with unique names, which are deleted from the broker at the end. */
export async function openRabbitWorld(): Promise<RabbitWorld> {
  const prefix = `test-${randomUUID()}`;
  const opened: { queue: Queue; cable: Cable }[] = [];
  const cabled: RabbitWorld["cabled"] = async ({ unplugged = false, ...options } = {}) => {
    const cable = unplugged ? await Cable.unplugged(brokerUrl()) : await Cable.to(brokerUrl());
    const queue = await openRabbitQueue({ url: cable.url, prefix, log: silent, ...FAST, ...options });
    opened.push({ queue, cable });
    if (!unplugged) await untilAvailable(queue);
    return { queue, cable, die: () => cable.cut() };
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ queue }) => queue.close()));
    await Promise.all(opened.map(({ cable }) => cable.cut()));
    await removeAll(prefix);
  };
  const again = (): Promise<CabledQueue> => cabled();
  return { queue: (await again()).queue, prefix, cabled, again, close, leaseMs: 300 };
}

async function untilAvailable(queue: Queue): Promise<void> {
  for (let left = 200; left > 0; left -= 1) {
    try {
      await queue.ping();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error("The broker cannot be reached.");
}

async function removeAll(prefix: string): Promise<void> {
  await onBroker(async (channel) => {
    for (const queue of QUEUES) {
      const { work, dead } = rabbitNames(prefix, queue);
      for (const name of [work, dead]) await channel.deleteQueue(name);
    }
  });
}
