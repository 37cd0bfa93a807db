import type { Logger } from "../../log/logger.js";
import type { EmbeddedDatabase } from "../../store/embedded/database.js";
import type { ConsumeOptions, Consumer, DeadLetter, Delivery, Outcome, Queue } from "../queue.js";
import { EmbeddedConsumer } from "./consumer.js";
import { Jobs } from "./jobs.js";

export interface EmbeddedQueueOptions {
  /** The database of an embedded store, which outlives the queue. */
  database: EmbeddedDatabase;
  log: Logger;
  /** A consumer that does not renew its claims for this long loses its messages. Default 30,000. */
  leaseMs?: number;
  /** Looks for messages of other processes this often. Default 250. */
  pollMs?: number;
  /** Pause after the first failed delivery; doubles with each. Default 1000. */
  backoffMs?: number;
}

const ATTEMPTS_MAX = 5;

/** Opens a queue that keeps its messages in the database of an embedded store. */
export async function openEmbeddedQueue(options: EmbeddedQueueOptions): Promise<Queue> {
  return new EmbeddedQueue(await Jobs.open(options.database), options);
}

class EmbeddedQueue implements Queue {
  private readonly consumers = new Map<EmbeddedConsumer, string>();

  constructor(
    private readonly jobs: Jobs,
    private readonly options: EmbeddedQueueOptions,
  ) {}

  async publish(queue: string, body: Uint8Array, { delayMs = 0 }: { delayMs?: number } = {}): Promise<void> {
    await this.jobs.add(queue, body, Date.now() + delayMs);
    this.wake(queue, delayMs);
  }

  consume(
    queue: string,
    { prefetch, attemptsMax = ATTEMPTS_MAX }: ConsumeOptions,
    handle: (delivery: Delivery) => Promise<Outcome>,
  ): Promise<Consumer> {
    const { log, leaseMs = 30_000, pollMs = 250, backoffMs = 1000 } = this.options;
    const options = { queue, prefetch, attemptsMax, handle, log, leaseMs, pollMs, backoffMs };
    const consumer = new EmbeddedConsumer(this.jobs, options);
    this.consumers.set(consumer, queue);
    return Promise.resolve({
      stop: async (graceMs) => {
        await consumer.stop(graceMs);
        this.consumers.delete(consumer);
      },
    });
  }

  depth(queue: string): Promise<number> {
    return settled(() => this.jobs.depth(queue));
  }

  oldestSeconds(queue: string): Promise<number> {
    return settled(() => {
      const now = Date.now();
      return Math.max(0, now - (this.jobs.nextDue(queue) ?? now)) / 1000;
    });
  }

  countDead(queue: string): Promise<number> {
    return settled(() => this.jobs.deadCount(queue));
  }

  listDead(queue: string, limit: number): Promise<DeadLetter[]> {
    return settled(() => this.jobs.dead(queue, limit));
  }

  async retryDead(id: string): Promise<boolean> {
    const revived = await this.jobs.revive(id, Date.now());
    for (const consumer of this.consumers.keys()) consumer.wake();
    return revived;
  }

  dropDead(id: string): Promise<boolean> {
    return this.jobs.drop(id);
  }

  ping(): Promise<void> {
    return settled(() => void this.jobs.nextDue(""));
  }

  /** Stops the remaining consumers; the database stays open because the store owns it. */
  async close(): Promise<void> {
    await Promise.all([...this.consumers.keys()].map((consumer) => consumer.stop(0)));
  }

  /** Wakes consumers of this process before their next poll. */
  private wake(queue: string, delayMs: number): void {
    if (delayMs > 0) return;
    for (const [consumer, consumed] of this.consumers) if (consumed === queue) consumer.wake();
  }
}

/** A synchronous read as a promise that rejects if the read throws. */
function settled<T>(read: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(read());
  });
}
