import type { Channel } from "amqplib";
import type { Logger } from "../../log.js";
import { closeChannel, type BrokerConnection, withTimeout, brokerUnavailable, closeCode } from "./rabbit-connection.js";

/** Names of a queue on the broker, for scaling, monitoring and clean-up. */
interface RabbitNames {
  /** Holds waiting messages and messages in work. */
  work: string;
  /** Holds the dead letters. */
  dead: string;
}

export function rabbitNames(prefix: string, queue: string): RabbitNames {
  const work = `${prefix}.${queue}`;
  return { work, dead: `${work}.dead` };
}

/**
 * Deliveries after which the broker itself dead-letters a message. Consumers do so long before; this is a fallback. Set
 * explicitly because the default of RabbitMQ 4 is 20.
 */
const DELIVERY_LIMIT = 1000;
/** Reading dead letters counts as delivery. A large number, because RabbitMQ 3 and 4 spell "unlimited" differently. */
const NO_DELIVERY_LIMIT = 1_000_000_000;

/** At-least-once dead-lettering: the broker removes a message only after the next queue has it. */
const DEAD_LETTERS = {
  "x-overflow": "reject-publish",
  "x-dead-letter-strategy": "at-least-once",
  "x-dead-letter-exchange": "",
};

/** Declares each queue once, and again after a reconnect or if it is found to be missing. */
export class Topology {
  private readonly declared = new Map<string, Promise<void>>();

  constructor(
    private readonly options: { prefix: string; timeoutMs: number; log: Logger; connection: BrokerConnection },
  ) {}

  names(queue: string): RabbitNames {
    return rabbitNames(this.options.prefix, queue);
  }

  /** Resolves when the queue and everything that belongs to it exist. */
  ready(queue: string): Promise<void> {
    let ready = this.declared.get(queue);
    if (ready === undefined) {
      ready = this.declare(queue);
      this.declared.set(queue, ready);
      ready.catch(() => this.forget(queue));
    }
    return ready;
  }

  /** Makes `ready` declare the queue again. */
  forget(queue: string): void {
    this.declared.delete(queue);
  }

  /** Makes `ready` declare every queue again: the broker may be another one. */
  forgetAll(): void {
    this.declared.clear();
  }

  private async declare(queue: string): Promise<void> {
    const { connection, timeoutMs, log } = this.options;
    const channel = await connection.session().channel();
    try {
      await withTimeout(timeoutMs, `declare ${queue}`, this.declareAll(channel, this.names(queue)));
    } catch (error) {
      if (closeCode(error) === 406) {
        log.error({ err: error, queue }, "a queue of this name has other settings: delete it, or use another prefix");
      }
      throw error;
    } finally {
      await closeChannel(channel);
    }
  }

  private async declareAll(channel: Channel, { work, dead }: RabbitNames): Promise<void> {
    const declare = (name: string, settings: Record<string, unknown>): Promise<unknown> =>
      channel.assertQueue(name, { durable: true, arguments: { "x-queue-type": "quorum", ...settings } });
    await declare(dead, { "x-delivery-limit": NO_DELIVERY_LIMIT });
    await declare(work, { ...DEAD_LETTERS, "x-delivery-limit": DELIVERY_LIMIT, "x-dead-letter-routing-key": dead });
  }

  /** Number of ready messages of one queue of the broker. If the queue is missing, the broker closes the channel. */
  async readyIn(name: string, channel: Channel): Promise<number> {
    return (await this.check(name, channel)).messageCount;
  }

  /** Number of consumers of one queue of the broker, as `readyIn`. */
  async consumersOf(name: string, channel: Channel): Promise<number> {
    return (await this.check(name, channel)).consumerCount;
  }

  private async check(name: string, channel: Channel): Promise<{ messageCount: number; consumerCount: number }> {
    try {
      return await withTimeout(this.options.timeoutMs, `count ${name}`, channel.checkQueue(name));
    } catch (error) {
      // A closed channel throws an error of the client library.
      throw brokerUnavailable(`could not count ${name}`, error);
    }
  }
}
