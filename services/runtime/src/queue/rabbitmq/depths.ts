import { setTimeout as sleep } from "node:timers/promises";
import type { Channel } from "amqplib";
import type { RabbitConsumer } from "./consumer.js";
import { closeChannel, type Link } from "./link.js";
import { closeCode } from "./patience.js";
import type { Topology } from "./topology.js";

export interface DepthsOptions {
  link: Link;
  topology: Topology;
  /** The consumers of a queue in this process. */
  consumersOf: (queue: string) => readonly RabbitConsumer[];
}

/** Time for the broker to move a message between two of its queues; meanwhile neither counts it. */
const MOVING_MS = 20;

/** Counts the messages waiting on the broker, delayed ones included, and those in work in this process. */
export class Depths {
  constructor(private readonly options: DepthsOptions) {}

  async of(queue: string): Promise<number> {
    const depth = await this.count(queue);
    if (depth > 0) return depth;
    await sleep(MOVING_MS);
    return this.count(queue);
  }

  private async count(queue: string): Promise<number> {
    const { link, topology } = this.options;
    for (let first = true; ; first = false) {
      await topology.ready(queue);
      const channel = await link.session().channel();
      try {
        return await this.countOn(queue, channel);
      } catch (error) {
        topology.forget(queue);
        // One of the queues was deleted: it is declared again and then counted.
        if (!first || closeCode(error) !== 404) throw error;
      } finally {
        await closeChannel(channel);
      }
    }
  }

  private async countOn(queue: string, channel: Channel): Promise<number> {
    const { topology, consumersOf } = this.options;
    const consumers = consumersOf(queue);
    const moved = (): number => consumers.reduce((sum, consumer) => sum + consumer.movedBack, 0);
    const movedBefore = moved();
    const { work } = topology.names(queue);
    const channels = consumers.flatMap(({ deliveries }) => (deliveries === undefined ? [] : [deliveries]));
    // On a channel with deliveries, the answer follows them, so messages no longer ready are counted as in work here.
    const ready = topology.waiting(queue, channel, channels.length === 0);
    const waiting = await ready;
    const counts = await Promise.all(channels.map((delivering) => topology.readyIn(work, delivering)));
    const inWork = consumers.reduce((sum, consumer) => sum + consumer.inWork, 0);
    // A message put back meanwhile may have been missed in both places.
    return waiting + Math.max(0, ...counts) + inWork + moved() - movedBefore;
  }
}
