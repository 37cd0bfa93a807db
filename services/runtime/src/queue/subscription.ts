import type { Logger } from "../log/logger.js";
import { repeat, type Stoppable } from "../process/repetition.js";
import type { ConsumeOptions, Consumer, Delivery, Outcome, Queue } from "./queue.js";

export interface SubscriptionOptions extends ConsumeOptions {
  queue: Queue;
  /** Name of the queue. */
  name: string;
  log: Logger;
}

const CONSUME_AGAIN_MS = 1000;
/** Longest timer in Node. */
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Consumes from the queue until stopped; stopping waits for running handlers. If the queue is unavailable at first, the
 * subscription is retried until it succeeds.
 */
export function subscribe(
  { queue, name, log, ...options }: SubscriptionOptions,
  handle: (delivery: Delivery) => Promise<Outcome>,
): Stoppable {
  let consumer: Consumer | undefined;
  const consuming = repeat(async () => {
    if (consumer !== undefined) return FOREVER_MS;
    try {
      consumer = await queue.consume(name, options, handle);
      return FOREVER_MS;
    } catch (error) {
      log.warn({ err: error, queue: name }, "cannot take jobs from the queue, trying again");
      return CONSUME_AGAIN_MS;
    }
  });
  return {
    async stop(graceMs) {
      await consuming.stop(graceMs);
      await consumer?.stop(graceMs);
    },
  };
}
