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

/** How long the broker may take to move a message from one of its queues to the next, where neither counts it. */
const MOVING_MS = 20;

/** Counts what waits on the broker, delayed messages included, and what this process has in work. */
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
        // Somebody deleted one of the queues: declared again, it can be counted.
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
    // Where deliveries come by, the answer comes after them: what is not ready any more is known here.
    const ready = topology.waiting(queue, channel, channels.length === 0);
    const waiting = await ready;
    const counts = await Promise.all(channels.map((delivering) => topology.readyIn(work, delivering)));
    const inWork = consumers.reduce((sum, consumer) => sum + consumer.inWork, 0);
    // What was put back meanwhile may have been missed where it was and where it is.
    return waiting + Math.max(0, ...counts) + inWork + moved() - movedBefore;
  }
}
