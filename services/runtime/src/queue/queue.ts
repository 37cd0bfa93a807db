/** What a worker is handed. */
export interface Delivery {
  readonly body: Uint8Array;
  /** 1 on first delivery. */
  readonly attempt: number;
  /** Aborted when the consumer stops: finish soon or throw, and the message comes again. */
  readonly signal: AbortSignal;
}

/**
 * How a handler ends a delivery: `done` removes the message; `retry` brings it back after `delayMs`; `dead` moves it
 * to the dead letters. A handler that throws is retried with backoff until the attempts are used up, then dead.
 */
export type Outcome =
  { kind: "done" } | { kind: "retry"; delayMs: number; reason: string } | { kind: "dead"; reason: string };

export interface ConsumeOptions {
  /** Deliveries in work at a time. */
  prefetch: number;
  /** Deliveries of one message before it is dead. Default 5. */
  attemptsMax?: number;
}

/** A consumer that runs until it is stopped. */
export interface Consumer {
  /** Takes no more, waits for the handlers in work up to `graceMs`, then gives back what is left. */
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
 * Durable, at-least-once job queues. Order is roughly first in, first out; messages may come twice. Failures of the
 * queue itself are AppError `unavailable`.
 */
export interface Queue {
  /** Resolves once the message is durably queued. A message of a delayed publish is delivered no earlier. */
  publish(queue: string, body: Uint8Array, options?: { delayMs?: number }): Promise<void>;
  consume(queue: string, options: ConsumeOptions, handle: (delivery: Delivery) => Promise<Outcome>): Promise<Consumer>;
  /**
   * Messages that wait, delayed ones included, and messages in work in this process, without dead letters. An adapter
   * may also count what other processes have in work; a broker need not tell.
   */
  depth(queue: string): Promise<number>;
  /** How many dead letters the queue has; those that somebody reads at that moment may be left out. */
  countDead(queue: string): Promise<number>;
  /** Oldest first. */
  listDead(queue: string, limit: number): Promise<DeadLetter[]>;
  /** Puts a dead letter back with fresh attempts; false when there is none with that id. */
  retryDead(id: string): Promise<boolean>;
  /** Removes a dead letter; false when there is none with that id. */
  dropDead(id: string): Promise<boolean>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
