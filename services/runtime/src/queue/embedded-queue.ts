import type { Logger } from "../log.js";
import { repeat, type Repetition } from "../process/repetition.js";
import type { SqliteDatabase } from "../store/sqlite/sqlite-database.js";
import { DeadLetterTable } from "./embedded-letters.js";
import { type LaneOptions, MessageLane } from "./embedded-lane.js";
import { Presence } from "./embedded-presence.js";
import {
  ATTEMPTS_MAX,
  type ConsumeOptions,
  type Consumer,
  type DeadLetter,
  type Delivery,
  type LocalQueue,
  type Outcome,
  REDELIVERY,
} from "./queue.js";

interface EmbeddedQueueOptions {
  /** The database of an embedded store, which outlives the queue. */
  database: SqliteDatabase;
  log: Logger;
  /** A process that gives no sign of life for this long is counted as a consumer no more. Default 30,000. */
  leaseMs?: number;
  /** Looks for dead letters that another process has put back this often. Default 1,000. */
  pollMs?: number;
  /** Pause after the first failed delivery; doubles with each. Default 1000. */
  backoffMs?: number;
}

/**
 * Opens a queue whose messages are in the memory of this process. What other processes are to see is in the database of
 * an embedded store: dead letters, and which queues this process consumes.
 */
export async function openEmbeddedQueue(options: EmbeddedQueueOptions): Promise<LocalQueue> {
  const { database, log, leaseMs = LEASE_MS } = options;
  const presence = await Presence.open({ database, log, leaseMs });
  return new EmbeddedQueue(await DeadLetterTable.open(database), presence, options);
}

const LEASE_MS = 30_000;
const POLL_MS = 1_000;

class EmbeddedQueue implements LocalQueue {
  readonly isLocal = true;
  private readonly lanes = new Map<string, MessageLane>();
  /** Begins with the first consumer. */
  private looking: Repetition | undefined;

  constructor(
    private readonly letters: DeadLetterTable,
    private readonly presence: Presence,
    private readonly options: EmbeddedQueueOptions,
  ) {}

  publish(queue: string, body: Uint8Array): Promise<void> {
    return promised(() => this.laneOf(queue).add(body));
  }

  holds(queue: string, body: Uint8Array): boolean {
    return this.lanes.get(queue)?.holds(body) ?? false;
  }

  waiting(queue: string): number {
    return this.lanes.get(queue)?.waiting ?? 0;
  }

  isConsumed(queue: string): boolean {
    return this.lanes.get(queue)?.isConsumed ?? false;
  }

  consume(
    queue: string,
    { prefetch, attemptsMax = ATTEMPTS_MAX }: ConsumeOptions,
    handle: (delivery: Delivery) => Promise<Outcome>,
  ): Promise<Consumer> {
    const consumer = this.laneOf(queue).consume({ prefetch, attemptsMax, handle });
    const leave = this.presence.add(queue);
    this.looking ??= repeat(() => this.lookForRevived());
    this.looking.wake();
    return Promise.resolve({
      stop: async (graceMs) => {
        await consumer.stop(graceMs);
        await leave();
      },
    });
  }

  countConsumers(queue: string): Promise<number> {
    return promised(() => this.presence.count(queue));
  }

  depth(queue: string): Promise<number> {
    return promised(() => this.lanes.get(queue)?.depth ?? 0);
  }

  oldestSeconds(queue: string): Promise<number> {
    return promised(() => (this.lanes.get(queue)?.oldestMs ?? 0) / 1000);
  }

  countDead(queue: string): Promise<number> {
    return promised(() => this.letters.count(queue));
  }

  listDead(queue: string, limit: number): Promise<DeadLetter[]> {
    return promised(() => this.letters.list(queue, limit));
  }

  async retryDead(id: string): Promise<boolean> {
    const isRevived = await this.letters.revive(id);
    this.looking?.wake();
    return isRevived;
  }

  dropDead(id: string): Promise<boolean> {
    return this.letters.drop(id);
  }

  ping(): Promise<void> {
    return promised(() => void this.letters.count(""));
  }

  /** Stops the remaining consumers; the database stays open because the store owns it. */
  async close(): Promise<void> {
    await this.looking?.stop(0);
    await Promise.all([...this.lanes.values()].map((lane) => lane.close()));
    await this.presence.close();
  }

  private laneOf(queue: string): MessageLane {
    const known = this.lanes.get(queue);
    if (known !== undefined) return known;
    const { log, backoffMs = REDELIVERY.firstMs } = this.options;
    const options: LaneOptions = { queue, log, backoffMs, letters: this.letters };
    const lane = new MessageLane(options);
    this.lanes.set(queue, lane);
    return lane;
  }

  /** Delivers letters that were put back, perhaps by another process, if this one consumes their queue; returns the pause. */
  private lookForRevived(): Promise<number> {
    try {
      for (const { queue, body, id } of this.letters.revived()) {
        if (this.isConsumed(queue)) this.laneOf(queue).add(body, id);
      }
    } catch (error) {
      this.options.log.warn({ err: error }, "could not look for dead letters that were put back");
    }
    return Promise.resolve(this.options.pollMs ?? POLL_MS);
  }
}

/** A synchronous action as a promise that rejects if the action throws. */
function promised<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(act());
  });
}
