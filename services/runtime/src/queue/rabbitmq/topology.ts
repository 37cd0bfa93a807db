import type { Channel } from "amqplib";
import type { Logger } from "../../log/logger.js";
import { DELAY_STEPS, stepPattern } from "./delays.js";
import { closeChannel, type Link } from "./link.js";
import { answerWithin, brokerAway, closeCode } from "./patience.js";

/** What a queue of the port is called on the broker: for those who scale, watch or clean up by these names. */
export interface RabbitNames {
  /** Holds what waits and what is in work. */
  work: string;
  /** Holds the dead letters. */
  dead: string;
  /** Queues, and exchanges of the same names, that hold delayed messages, the longest step first. */
  delays: string[];
}

export function rabbitNames(prefix: string, queue: string): RabbitNames {
  const work = `${prefix}.${queue}`;
  return { work, dead: `${work}.dead`, delays: DELAY_STEPS.map((ms) => `${work}.delay.${ms}`) };
}

/**
 * Deliveries after which the broker itself buries a message. Consumers bury long before it; this is for the day they do
 * not. Said aloud because RabbitMQ 4 would take 20.
 */
const DELIVERY_LIMIT = 1000;
/** Reading dead letters counts as delivering them. "Unlimited" is spelt differently in RabbitMQ 3 and 4, a large number is not. */
const NO_DELIVERY_LIMIT = 1_000_000_000;

/** At least once, all the way: the broker lets go of a message only when the next queue has it. */
const QUORUM = {
  "x-queue-type": "quorum",
  "x-overflow": "reject-publish",
  "x-dead-letter-strategy": "at-least-once",
};

/** Declares each queue once, and again after a reconnect or when it turns out to be gone. */
export class Topology {
  private readonly declared = new Map<string, Promise<void>>();

  constructor(private readonly options: { prefix: string; timeoutMs: number; log: Logger; link: Link }) {}

  names(queue: string): RabbitNames {
    return rabbitNames(this.options.prefix, queue);
  }

  /** Resolves when the queue and all that belongs to it exists. */
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
    const { link, timeoutMs, log } = this.options;
    const channel = await link.session().channel();
    try {
      await answerWithin(timeoutMs, `declare ${queue}`, this.declareAll(channel, this.names(queue)));
    } catch (error) {
      if (closeCode(error) === 406) {
        log.error({ err: error, queue }, "a queue of this name has other settings: delete it, or use another prefix");
      }
      throw error;
    } finally {
      await closeChannel(channel);
    }
  }

  private async declareAll(channel: Channel, { work, dead, delays }: RabbitNames): Promise<void> {
    const declare = (name: string, settings: Record<string, unknown>): Promise<unknown> =>
      channel.assertQueue(name, { durable: true, arguments: settings });
    await declare(dead, { "x-queue-type": "quorum", "x-delivery-limit": NO_DELIVERY_LIMIT });
    await declare(work, { ...QUORUM, "x-delivery-limit": DELIVERY_LIMIT, ...deadLettersTo(dead) });
    // From the last step to the first, so that whatever a step hands on to exists.
    let after: string | undefined;
    for (const [step, ms] of [...DELAY_STEPS.entries()].toReversed()) {
      const name = delays[step]!;
      const next = after === undefined ? deadLettersTo(work) : { "x-dead-letter-exchange": after };
      await declare(name, { ...QUORUM, "x-message-ttl": ms, ...next });
      await channel.assertExchange(name, "topic", { durable: true });
      await channel.bindQueue(name, name, stepPattern(step, "1"));
      if (after === undefined) await channel.bindQueue(work, name, stepPattern(step, "0"));
      else await channel.bindExchange(after, name, stepPattern(step, "0"));
      after = name;
    }
  }

  /** Ready messages of the delays of a queue and, when asked for, of the queue itself. */
  async waiting(queue: string, channel: Channel, withWork: boolean): Promise<number> {
    const { work, delays } = this.names(queue);
    let waiting = 0;
    // In the order in which messages move, so that one that moves meanwhile is rather seen twice than never.
    for (const name of withWork ? [...delays, work] : delays) waiting += await this.readyIn(name, channel);
    return waiting;
  }

  /** Ready messages of one queue of the broker. A queue that is gone takes the channel with it. */
  async readyIn(name: string, channel: Channel): Promise<number> {
    try {
      return (await answerWithin(this.options.timeoutMs, `count ${name}`, channel.checkQueue(name))).messageCount;
    } catch (error) {
      // A channel that closed refuses by throwing something of the client library.
      throw brokerAway(`could not count ${name}`, error);
    }
  }
}

function deadLettersTo(queue: string): Record<string, unknown> {
  return { "x-dead-letter-exchange": "", "x-dead-letter-routing-key": queue };
}
