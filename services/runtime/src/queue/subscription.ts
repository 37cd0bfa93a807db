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
/** The longest that a timer can wait. */
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Consumes from the queue until it is stopped, which waits for the handlers in work. A queue that is away at first is
 * asked again until it is there.
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
