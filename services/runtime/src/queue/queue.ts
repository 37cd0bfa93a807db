import type { Logger } from "../log.js";
import { repeat, type Stoppable } from "../process/repetition.js";
import type { RetryPolicy } from "../process/retry-policy.js";
import type { Measurements, Reading } from "../telemetry/measurements.js";

/** One delivery of a message to a worker. */
export interface Delivery {
  readonly body: Uint8Array;
  /** How often the message was delivered, this time included, however that ended. */
  readonly attempt: number;
  /** Aborted when the consumer stops: finish soon, or throw to have the message delivered again. */
  readonly signal: AbortSignal;
}

/**
 * How a handler ends a delivery: `done` removes the message; `dead` moves it to the dead letters. If the handler throws, the
 * message is delivered again after a pause, and becomes a dead letter after its last delivery.
 */
export type Outcome = { kind: "done" } | { kind: "dead"; reason: string };

export interface ConsumeOptions {
  /** Maximum number of concurrent deliveries. */
  prefetch: number;
  /** Deliveries of one message before it becomes a dead letter. Default 20. */
  attemptsMax?: number;
}

/** A consumer that runs until it is stopped. */
export interface Consumer {
  /**
   * Takes no more messages, waits for running handlers, aborts those that still run, and gives back their messages, all
   * within `graceMs` if that is at least two seconds: the last two seconds are for the abort and the giving back.
   */
  stop(graceMs: number): Promise<void>;
}

export interface DeadLetter {
  id: string;
  queue: string;
  body: Uint8Array;
  attempts: number;
  reason: string;
  /** ISO 8601. */
  diedAt: string;
}

/**
 * At-least-once job queues. Order is roughly first in, first out; messages may be delivered twice. Failures of the queue
 * itself are AppError `unavailable`.
 */
interface AnyQueue {
  /** Resolves once the message is queued; durably, unless the queue is local. */
  publish(queue: string, body: Uint8Array): Promise<void>;
  consume(queue: string, options: ConsumeOptions, handle: (delivery: Delivery) => Promise<Outcome>): Promise<Consumer>;
  /**
   * Number of waiting messages plus messages in work in this process, without dead letters. An adapter may also count
   * messages in work in other processes; a broker need not report them.
   */
  depth(queue: string): Promise<number>;
  /**
   * Time for which the message that waits longest could have been delivered, in seconds; 0 if none waits. Undefined if
   * the adapter does not know it: a broker shows no message before it delivers it.
   */
  oldestSeconds(queue: string): Promise<number | undefined>;
  /**
   * Number of consumers of the queue, in all processes. One whose process was killed may be counted for as long as its
   * messages are kept for it.
   */
  countConsumers(queue: string): Promise<number>;
  /** Number of dead letters of the queue; those being read at the same time may be left out. */
  countDead(queue: string): Promise<number>;
  /** Oldest first. */
  listDead(queue: string, limit: number): Promise<DeadLetter[]>;
  /** Puts a dead letter back with its attempts reset; false if there is none with that id. */
  retryDead(id: string): Promise<boolean>;
  /** Removes a dead letter; false if there is none with that id. */
  dropDead(id: string): Promise<boolean>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A queue that outlives its processes. */
export interface DurableQueue extends AnyQueue {
  readonly isLocal: false;
}

/**
 * A queue in the memory of one process, which delivers to consumers in that process and is gone with it. It holds each
 * message once: what is published again while it waits or is in work is the same message.
 */
export interface LocalQueue extends AnyQueue {
  readonly isLocal: true;
  /** Whether the message waits or is in work. */
  holds(queue: string, body: Uint8Array): boolean;
  /** Number of messages that wait. */
  waiting(queue: string): number;
  /** Whether this process consumes the queue. */
  isConsumed(queue: string): boolean;
}

export type Queue = DurableQueue | LocalQueue;

interface SubscriptionOptions extends ConsumeOptions {
  queue: Queue;
  /** Name of the queue. */
  name: string;
  log: Logger;
  /** Called when messages can be delivered. */
  onConsuming?: () => void;
}

const CONSUME_AGAIN_MS = 1000;
/** Longest timer in Node. */
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Consumes from the queue until stopped; stopping waits for running handlers. If the queue is unavailable at first, the
 * subscription is retried until it succeeds.
 */
export function subscribe(
  { queue, name, log, onConsuming, ...options }: SubscriptionOptions,
  handle: (delivery: Delivery) => Promise<Outcome>,
): Stoppable {
  let consumer: Consumer | undefined;
  const consuming = repeat(async () => {
    if (consumer !== undefined) return FOREVER_MS;
    try {
      consumer = await queue.consume(name, options, handle);
      onConsuming?.();
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

/** Deliveries of one message, unless the consumer says otherwise. */
export const ATTEMPTS_MAX = 20;

interface Handling {
  queue: string;
  attemptsMax: number;
  handle: (delivery: Delivery) => Promise<Outcome>;
  log: Logger;
}

/** The outcome of a delivery for an adapter; undefined if the message is to be delivered again. */
export async function handled(
  delivery: Delivery,
  { queue, attemptsMax, handle, log }: Handling,
): Promise<Outcome | undefined> {
  const { attempt, signal } = delivery;
  // The message crashed the process each time, so it is not handled again.
  if (attempt > attemptsMax) return { kind: "dead", reason: `not one of ${attemptsMax} deliveries was ended` };
  try {
    return await handle(delivery);
  } catch (error) {
    if (signal.aborted) return undefined;
    log.warn({ err: error, queue, attempt }, "delivery failed");
    if (attempt < attemptsMax) return undefined;
    return { kind: "dead", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Pauses until a message is delivered again that could not be handled, unless the adapter's options say otherwise. */
export const REDELIVERY: RetryPolicy = { firstMs: 1000, maxMs: 10_000 };

/** Time for an aborted handler to save its progress, in milliseconds. */
const ABORTED_GRACE_MS = 1000;
/** Time for a consumer that stops to give back its messages, in milliseconds. */
const GIVE_BACK_MS = 1000;

/** Waits for the handlers of a consumer that stops, then aborts those that still run. Time to give back is left. */
export async function endHandlers(
  running: () => Iterable<Promise<void>>,
  { graceMs, abort }: { graceMs: number; abort: () => void },
): Promise<void> {
  await within(Math.max(0, graceMs - ABORTED_GRACE_MS - GIVE_BACK_MS), running());
  abort();
  await within(ABORTED_GRACE_MS, running());
}

/** Resolves when all work, which must not reject, has ended, or after `limitMs`. */
async function within(limitMs: number, work: Iterable<Promise<void>>): Promise<void> {
  const all = [...work];
  if (all.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([late, Promise.all(all)]);
  clearTimeout(timer);
}

/** Reports the depth, age, consumers and dead letters of queues at every scrape. Each queue is reported by one kind of process. */
export function addQueueGauges(
  { queue, metrics }: { queue: Queue; metrics: Measurements },
  names: readonly string[],
): void {
  const ofEach = (read: (name: string) => Promise<number | undefined>) => async () => {
    const values = await Promise.all(names.map(read));
    return names.flatMap((name, index) => reading(name, values[index]));
  };
  const gauge = (name: string, help: string, read: (name: string) => Promise<number | undefined>) =>
    metrics.gauge(name, help, ofEach(read), ["queue"]);
  gauge("hourglass_queue_depth", "Messages that wait or are in work", (name) => queue.depth(name));
  gauge("hourglass_queue_consumers", "Consumers, in all processes", (name) => queue.countConsumers(name));
  gauge("hourglass_dead_letters", "Messages that were given up", (name) => queue.countDead(name));
  gauge(
    "hourglass_queue_oldest_seconds",
    "Time for which the message that waits longest could have been delivered",
    (name) => queue.oldestSeconds(name),
  );
}

/** No reading for a value that the queue does not know. */
function reading(queue: string, value: number | undefined): Reading[] {
  return value === undefined ? [] : [{ labels: { queue }, value }];
}
