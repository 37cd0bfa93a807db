import { AsyncResource } from "node:async_hooks";
import type { Logger } from "../log.js";
import { pauseAfter } from "../process/retry-policy.js";
import type { DeadLetterTable } from "./embedded-letters.js";
import { type Consumer, type Delivery, endHandlers, handled, type Outcome, REDELIVERY } from "./queue.js";

export interface LaneOptions {
  /** Name of the queue. */
  queue: string;
  log: Logger;
  /** Pause after the first failed delivery; doubles with each. */
  backoffMs: number;
  letters: DeadLetterTable;
}

/** A message in memory. */
interface Message {
  readonly body: Uint8Array;
  /** Its body as text. */
  readonly key: string;
  /** The dead letter that it was, until it has been delivered. */
  letter: number | undefined;
  /** Deliveries so far. */
  attempts: number;
  /** When it could be delivered, on the monotonic clock. */
  readyAt: number;
  /** Set during the pause after a failure. */
  pause?: NodeJS.Timeout | undefined;
}

/** The messages of one queue, first in, first out, and their consumers in this process. */
export class MessageLane {
  /** All that wait or are in work. */
  private readonly messages = new Map<string, Message>();
  /** Those that can be delivered, in order. */
  private readonly ready = new Set<Message>();
  private readonly consumers = new Set<LaneConsumer>();

  constructor(readonly options: LaneOptions) {}

  get depth(): number {
    return this.messages.size;
  }

  /** Number of messages that are not in work. */
  get waiting(): number {
    return this.messages.size - [...this.consumers].reduce((sum, { inWork }) => sum + inWork, 0);
  }

  get isConsumed(): boolean {
    return [...this.consumers].some(({ isStopped }) => !isStopped);
  }

  /** For how long the message that waits longest could have been delivered, in milliseconds; 0 if none waits. */
  get oldestMs(): number {
    const now = performance.now();
    return [...this.ready].reduce((oldest, { readyAt }) => Math.max(oldest, now - readyAt), 0);
  }

  holds(body: Uint8Array): boolean {
    return this.messages.has(keyOf(body));
  }

  /** Adds a message. One that says the same as another that waits or is in work is left out: it is that one. */
  add(body: Uint8Array, letter?: number): void {
    const key = keyOf(body);
    const known = this.messages.get(key);
    if (known !== undefined) {
      known.letter ??= letter;
      return;
    }
    const message: Message = { body: body.slice(), key, letter, attempts: 0, readyAt: performance.now() };
    this.messages.set(key, message);
    this.ready.add(message);
    this.deliver();
  }

  consume(handling: Handling): Consumer {
    const consumer = new LaneConsumer(this, handling);
    this.consumers.add(consumer);
    this.deliver();
    return {
      stop: async (graceMs) => {
        await consumer.stop(graceMs);
        this.consumers.delete(consumer);
        this.deliver();
      },
    };
  }

  /** Gives messages to consumers with free places. */
  deliver(): void {
    for (const consumer of this.consumers) {
      for (const message of this.ready) {
        if (!consumer.isFree) break;
        this.ready.delete(message);
        consumer.begin(message);
      }
    }
  }

  /** Removes a message that was ended. */
  remove({ key }: Message): void {
    this.messages.delete(key);
  }

  /** Has a message delivered again after a pause in milliseconds. */
  putBack(message: Message, pauseMs = 0): void {
    const again = (): void => {
      message.pause = undefined;
      message.readyAt = performance.now();
      this.ready.add(message);
      this.deliver();
    };
    if (pauseMs > 0) message.pause = setTimeout(again, pauseMs);
    else again();
  }

  /** Stops the consumers and drops all messages. */
  async close(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop(0)));
    for (const { pause } of this.messages.values()) clearTimeout(pause);
    this.messages.clear();
    this.ready.clear();
  }
}

/** The body of a message as text, one character a byte. */
function keyOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
}

interface Handling {
  /** Maximum number of concurrent deliveries. */
  readonly prefetch: number;
  readonly attemptsMax: number;
  readonly handle: (delivery: Delivery) => Promise<Outcome>;
}

interface Work {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** Handles the messages that a lane gives it. */
class LaneConsumer {
  isStopped = false;
  private readonly works = new Map<Message, Work>();
  /** Handlers run in the context of who consumes, and not of who has published or ended the message before. */
  private readonly context = new AsyncResource("LaneConsumer");

  constructor(
    private readonly lane: MessageLane,
    private readonly handling: Handling,
  ) {}

  get inWork(): number {
    return this.works.size;
  }

  get isFree(): boolean {
    return !this.isStopped && this.works.size < this.handling.prefetch;
  }

  begin(message: Message): void {
    message.attempts += 1;
    const abort = new AbortController();
    const work: Work = { abort, ended: this.context.runInAsyncScope(() => this.work(message, abort.signal)) };
    this.works.set(message, work);
  }

  /** Waits for what is in work, aborts what still is, and gives that back. */
  async stop(graceMs: number): Promise<void> {
    this.isStopped = true;
    const abort = () => this.works.forEach((work) => work.abort.abort(new Error("the consumer has stopped")));
    await endHandlers(() => [...this.works.values()].map(({ ended }) => ended), { graceMs, abort });
    const left = [...this.works.keys()];
    this.works.clear();
    for (const message of left) this.lane.putBack(message);
  }

  private async work(message: Message, signal: AbortSignal): Promise<void> {
    const { queue, log, backoffMs } = this.lane.options;
    const { body, attempts: attempt } = message;
    await Promise.resolve(); // who has published it continues first
    const outcome = await handled({ body, attempt, signal }, { ...this.handling, queue, log });
    if (!this.works.has(message)) return; // it was given back, and another consumer has it
    const hasEnded = outcome !== undefined && (await this.noteEnd(message, outcome));
    this.works.delete(message);
    if (hasEnded) this.lane.remove(message);
    else {
      this.lane.putBack(message, signal.aborted ? 0 : pauseAfter({ ...REDELIVERY, firstMs: backoffMs }, attempt));
    }
    this.lane.deliver();
  }

  /** Writes down a dead letter, or that one is done; false if that cannot be written. */
  private async noteEnd({ body, attempts, letter }: Message, outcome: Outcome): Promise<boolean> {
    const { queue, log, letters } = this.lane.options;
    try {
      if (outcome.kind === "dead") await letters.bury({ queue, body, attempts, reason: outcome.reason, id: letter });
      else if (letter !== undefined) await letters.remove(letter);
      return true;
    } catch (error) {
      log.warn({ err: error, queue }, "could not write down a dead letter, or that one is done; trying again");
      return false;
    }
  }
}
