import { setTimeout as sleep } from "node:timers/promises";
import type { Channel, connect } from "amqplib";
import { AppError } from "../../errors/app-error.js";
import type { Logger } from "../../log.js";
import type { RetryPolicy } from "../../process/retry-policy.js";
import {
  ATTEMPTS_MAX,
  type ConsumeOptions,
  type Consumer,
  type DeadLetter,
  type DurableQueue,
  type Delivery,
  type Outcome,
  type Queue,
  REDELIVERY,
} from "../queue.js";
import { RabbitConsumer } from "./consumer.js";
import { DeadLetters } from "./dead-letters.js";
import { Publisher } from "./publisher.js";
import { BrokerConnection, withTimeout, AvailabilityLog, closeChannel, closeCode } from "./rabbit-connection.js";
import { Topology } from "./topology.js";

interface RabbitQueueOptions {
  /** `amqp://user:password@host:port/vhost`, or `amqps://`. */
  url: string;
  /** Prefix of the name of every queue, so that installations can share a broker. */
  prefix: string;
  log: Logger;
  /** Pause after the first failed delivery; doubles with each. Default 1000. */
  backoffMs?: number;
  /** Time limit for the broker to confirm a message or answer any other request. Default 10,000. */
  confirmTimeoutMs?: number;
  /** A broker that is silent for two to three heartbeats is considered gone. Default 5. */
  heartbeatSeconds?: number;
  /** A consumer that is idle for this long subscribes again. Default 10,000. */
  renewMs?: number;
  /** Pauses between attempts to connect. Default from 250 to 15,000. */
  reconnect?: RetryPolicy;
}

/**
 * Opens the queue on RabbitMQ 3.10 or later. Does not wait for the broker: connects and reconnects in the background;
 * until then everything except `consume` fails as `unavailable`. A url of another scheme is `invalid`.
 */
export async function openRabbitQueue(options: RabbitQueueOptions): Promise<Queue> {
  if (!URL.canParse(options.url) || !["amqp:", "amqps:"].includes(new URL(options.url).protocol)) {
    throw new AppError("invalid", "The address of RabbitMQ must look like amqp://user:password@host:5672.");
  }
  // Loaded only here: the embedded queue needs no RabbitMQ client.
  const client = await import("amqplib");
  return new RabbitQueue(options, client.connect);
}

class RabbitQueue implements DurableQueue {
  readonly isLocal = false;
  /** For consuming, declarations and queries. */
  private readonly control: BrokerConnection;
  /** Only for publishing: a broker short of memory stops reading such a connection, acknowledgements included. */
  private readonly outbound: BrokerConnection;
  private readonly topology: Topology;
  private readonly publisher: Publisher;
  private readonly letters: DeadLetters;
  private readonly depths: Depths;
  private readonly timeoutMs: number;
  private readonly reconnect: RetryPolicy;
  private readonly consumers = new Map<RabbitConsumer, string>();

  constructor(
    private readonly options: RabbitQueueOptions,
    open: typeof connect,
  ) {
    const { url, prefix, log, heartbeatSeconds = 5, confirmTimeoutMs = 10_000 } = options;
    this.timeoutMs = confirmTimeoutMs;
    this.reconnect = options.reconnect ?? { firstMs: 250, maxMs: 15_000 };
    const availability = new AvailabilityLog({ broker: new URL(url).host, log });
    const connection = (role: string, onUp: () => void): BrokerConnection => {
      const common = { url, connect: open, heartbeatSeconds, timeoutMs: this.timeoutMs, reconnect: this.reconnect };
      return new BrokerConnection({ ...common, name: `${prefix} ${role}`, ...availability.watch(role, onUp) });
    };
    this.control = connection("control", () => this.topology.forgetAll());
    this.outbound = connection("publish", () => undefined);
    const timeoutMs = this.timeoutMs;
    this.topology = new Topology({ prefix, timeoutMs, log, connection: this.control });
    const topology = this.topology;
    this.publisher = new Publisher({ connection: this.outbound, topology, confirmTimeoutMs: timeoutMs });
    this.letters = new DeadLetters({ connection: this.control, topology, publisher: this.publisher, timeoutMs });
    this.depths = new Depths({ connection: this.control, topology, consumersOf: (queue) => this.consumersOf(queue) });
  }

  publish(queue: string, body: Uint8Array): Promise<void> {
    return this.publisher.publish(queue, body);
  }

  consume(
    queue: string,
    { prefetch, attemptsMax = ATTEMPTS_MAX }: ConsumeOptions,
    handle: (delivery: Delivery) => Promise<Outcome>,
  ): Promise<Consumer> {
    const { control, topology, publisher, timeoutMs, reconnect } = this;
    const { log, backoffMs = REDELIVERY.firstMs, renewMs = 10_000 } = this.options;
    const redelivery = { ...REDELIVERY, firstMs: backoffMs };
    const context = { connection: control, topology, publisher, log, timeoutMs, redelivery, renewMs, reconnect };
    const consumer = new RabbitConsumer(context, { queue, prefetch, attemptsMax, handle });
    this.consumers.set(consumer, queue);
    return Promise.resolve({
      stop: async (graceMs) => {
        await consumer.stop(graceMs);
        this.consumers.delete(consumer);
      },
    });
  }

  depth(queue: string): Promise<number> {
    return this.depths.of(queue);
  }

  countConsumers(queue: string): Promise<number> {
    return this.depths.consumers(queue);
  }

  oldestSeconds(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async countDead(queue: string): Promise<number> {
    return this.letters.count(queue);
  }

  async listDead(queue: string, limit: number): Promise<DeadLetter[]> {
    return this.letters.list(queue, limit);
  }

  async retryDead(id: string): Promise<boolean> {
    return this.letters.retry(id);
  }

  async dropDead(id: string): Promise<boolean> {
    return this.letters.drop(id);
  }

  /** Fails if one of the connections is down or the broker does not answer. */
  async ping(): Promise<void> {
    this.outbound.session();
    const channel: Channel = await this.control.session().channel();
    await withTimeout(this.timeoutMs, "ping", channel.close());
  }

  /** Stops the remaining consumers, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all([...this.consumers.keys()].map((consumer) => consumer.stop(0)));
    await this.publisher.close();
    await Promise.all([this.outbound.close(), this.control.close()]);
  }

  private consumersOf(queue: string): RabbitConsumer[] {
    return [...this.consumers].filter(([, consumed]) => consumed === queue).map(([consumer]) => consumer);
  }
}

interface DepthsOptions {
  connection: BrokerConnection;
  topology: Topology;
  /** The consumers of a queue in this process. */
  consumersOf: (queue: string) => readonly RabbitConsumer[];
}

/** Time for the broker to take back a message; meanwhile nobody counts it. */
const MOVING_MS = 20;

/** Counts the messages waiting on the broker and those in work in this process, and who consumes them. */
class Depths {
  constructor(private readonly options: DepthsOptions) {}

  async of(queue: string): Promise<number> {
    const count = () => this.count(queue, (channel) => this.countOn(queue, channel));
    const depth = await count();
    if (depth > 0) return depth;
    await sleep(MOVING_MS);
    return count();
  }

  consumers(queue: string): Promise<number> {
    const { topology } = this.options;
    return this.count(queue, (channel) => topology.consumersOf(topology.names(queue).work, channel));
  }

  private async count(queue: string, on: (channel: Channel) => Promise<number>): Promise<number> {
    const { connection, topology } = this.options;
    for (let first = true; ; first = false) {
      await topology.ready(queue);
      const channel = await connection.session().channel();
      try {
        return await on(channel);
      } catch (error) {
        topology.forget(queue);
        // The queue was deleted: it is declared again and then counted.
        if (!first || closeCode(error) !== 404) throw error;
      } finally {
        await closeChannel(channel);
      }
    }
  }

  private async countOn(queue: string, channel: Channel): Promise<number> {
    const { topology, consumersOf } = this.options;
    const consumers = consumersOf(queue);
    const delivering = consumers.flatMap(({ deliveries }) => (deliveries === undefined ? [] : [deliveries]));
    // On a channel with deliveries, the answer follows them, so messages no longer ready are counted as in work here.
    const channels = delivering.length === 0 ? [channel] : delivering;
    const { work } = topology.names(queue);
    const ready = await Promise.all(channels.map((each) => topology.readyIn(work, each)));
    return Math.max(...ready) + consumers.reduce((sum, consumer) => sum + consumer.inWork, 0);
  }
}
