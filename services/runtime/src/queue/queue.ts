/** One delivery of a message to a worker. */
export interface Delivery {
  readonly body: Uint8Array;
  /** 1 on first delivery. */
  readonly attempt: number;
  /** Aborted when the consumer stops: finish soon, or throw to have the message delivered again. */
  readonly signal: AbortSignal;
}

/**
 * How a handler ends a delivery: `done` removes the message; `retry` redelivers it after `delayMs`; `dead` moves it to
 * the dead letters. If the handler throws, the message is retried with backoff until its attempts are used up.
 */
export type Outcome =
  { kind: "done" } | { kind: "retry"; delayMs: number; reason: string } | { kind: "dead"; reason: string };

export interface ConsumeOptions {
  /** Maximum number of concurrent deliveries. */
  prefetch: number;
  /** Deliveries of one message before it becomes a dead letter. Default 5. */
  attemptsMax?: number;
}

/** A consumer that runs until it is stopped. */
export interface Consumer {
  /** Takes no more messages, waits up to `graceMs` for running handlers, then returns the remaining messages. */
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
 * Durable, at-least-once job queues. Order is roughly first in, first out; messages may be delivered twice. Failures of
 * the queue itself are AppError `unavailable`.
 */
export interface Queue {
  /** Resolves once the message is durably queued. A message of a delayed publish is delivered no earlier. */
  publish(queue: string, body: Uint8Array, options?: { delayMs?: number }): Promise<void>;
  consume(queue: string, options: ConsumeOptions, handle: (delivery: Delivery) => Promise<Outcome>): Promise<Consumer>;
  /**
   * Number of waiting messages, including delayed ones, plus messages in work in this process, without dead letters. An
   * adapter may also count messages in work in other processes; a broker need not report them.
   */
  depth(queue: string): Promise<number>;
  /**
   * Time for which the message that waits longest could have been delivered, in seconds; 0 if none waits. Undefined if
   * the adapter cannot tell: a broker shows no message before it delivers it.
   */
  oldestSeconds(queue: string): Promise<number | undefined>;
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
