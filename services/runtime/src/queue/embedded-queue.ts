import { randomUUID } from "node:crypto";
import type { Logger } from "../log.js";
import { makingRoom } from "../storage/disk-reserve.js";
import type { SqliteDatabase } from "../store/sqlite/sqlite-database.js";
import type { SqliteConnection, Row } from "../store/sqlite/sqlite-connection.js";
import { Presence } from "./embedded-presence.js";
import {
  ATTEMPTS_MAX,
  backoff,
  type ConsumeOptions,
  type Consumer,
  type DeadLetter,
  type Delivery,
  endHandlers,
  handled,
  type Outcome,
  type Queue,
  REDELIVERY,
} from "./queue.js";

interface EmbeddedQueueOptions {
  /** The database of an embedded store, which outlives the queue. */
  database: SqliteDatabase;
  log: Logger;
  /** A consumer that does not renew its claims for this long loses its messages. Default 30,000. */
  leaseMs?: number;
  /** Looks for messages of other processes this often. Default 250. */
  pollMs?: number;
  /** Pause after the first failed delivery; doubles with each. Default 1000. */
  backoffMs?: number;
}

/** Opens a queue that keeps its messages in the database of an embedded store. */
export async function openEmbeddedQueue(options: EmbeddedQueueOptions): Promise<Queue> {
  const { database, log, leaseMs = LEASE_MS } = options;
  const presence = await Presence.open({ database, log, leaseMs });
  return new EmbeddedQueue(await MessageTable.open(database), presence, options);
}

const LEASE_MS = 30_000;

class EmbeddedQueue implements Queue {
  private readonly consumers = new Map<EmbeddedConsumer, string>();

  constructor(
    private readonly table: MessageTable,
    private readonly presence: Presence,
    private readonly options: EmbeddedQueueOptions,
  ) {}

  async publish(queue: string, body: Uint8Array): Promise<void> {
    await this.table.add(queue, body, Date.now());
    // Consumers of other processes find it at their next poll.
    for (const [consumer, consumed] of this.consumers) if (consumed === queue) consumer.wake();
  }

  consume(
    queue: string,
    { prefetch, attemptsMax = ATTEMPTS_MAX, deletes = false }: ConsumeOptions,
    handle: (delivery: Delivery) => Promise<Outcome>,
  ): Promise<Consumer> {
    const { log, leaseMs = LEASE_MS, pollMs = 250, backoffMs = REDELIVERY.firstMs } = this.options;
    const options = { queue, prefetch, attemptsMax, deletes, handle, log, leaseMs, pollMs, backoffMs };
    const consumer = new EmbeddedConsumer(this.table, options);
    this.consumers.set(consumer, queue);
    const leave = this.presence.add(queue);
    return Promise.resolve({
      stop: async (graceMs) => {
        await consumer.stop(graceMs);
        this.consumers.delete(consumer);
        await leave();
      },
    });
  }

  countConsumers(queue: string): Promise<number> {
    return promised(() => this.presence.count(queue));
  }

  depth(queue: string): Promise<number> {
    return promised(() => this.table.depth(queue));
  }

  oldestSeconds(queue: string): Promise<number> {
    return promised(() => {
      const now = Date.now();
      return Math.max(0, now - (this.table.nextDue(queue) ?? now)) / 1000;
    });
  }

  countDead(queue: string): Promise<number> {
    return promised(() => this.table.deadCount(queue));
  }

  listDead(queue: string, limit: number): Promise<DeadLetter[]> {
    return promised(() => this.table.dead(queue, limit));
  }

  async retryDead(id: string): Promise<boolean> {
    const revived = await this.table.revive(id, Date.now());
    for (const consumer of this.consumers.keys()) consumer.wake();
    return revived;
  }

  dropDead(id: string): Promise<boolean> {
    return this.table.drop(id);
  }

  ping(): Promise<void> {
    return promised(() => void this.table.nextDue(""));
  }

  /** Stops the remaining consumers; the database stays open because the store owns it. */
  async close(): Promise<void> {
    await Promise.all([...this.consumers.keys()].map((consumer) => consumer.stop(0)));
    await this.presence.close();
  }
}

/** A synchronous read as a promise that rejects if the read throws. */
function promised<T>(read: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(read());
  });
}

interface ConsumerOptions {
  queue: string;
  prefetch: number;
  attemptsMax: number;
  /** Whether its writes may use the room that is reserved for deletions. */
  deletes: boolean;
  /** A consumer that does not renew its claims for this long loses its messages. */
  leaseMs: number;
  /** Looks for messages of other processes this often. */
  pollMs: number;
  /** Pause after the first failed delivery; doubles with each. */
  backoffMs: number;
  handle: (delivery: Delivery) => Promise<Outcome>;
  log: Logger;
}

interface Work {
  abort: AbortController;
  ended: Promise<void>;
}

/** Delivers the messages of one queue until stopped. */
class EmbeddedConsumer implements Consumer {
  private readonly inWork = new Map<ClaimedMessage, Work>();
  private readonly renewal: NodeJS.Timeout;
  private handling = 0;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private woken = false;
  private stopped = false;

  constructor(
    private readonly table: MessageTable,
    private readonly options: ConsumerOptions,
  ) {
    this.renewal = setInterval(() => void this.writing(() => this.renew()), options.leaseMs / 3);
    this.wake();
  }

  /** Looks for messages immediately. */
  wake(): void {
    this.woken = true;
    if (!this.stopped) this.looking ??= this.writing(() => this.look());
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
    const abort = () => this.inWork.forEach((work) => work.abort.abort(new Error("the consumer has stopped")));
    await endHandlers(() => [...this.inWork.values()].map(({ ended }) => ended), { graceMs, abort });
    clearInterval(this.renewal);
    await this.giveBack([...this.inWork.keys()]);
  }

  /** Never rejects: after a failure it looks again later. */
  private async look(): Promise<void> {
    let dueInMs = this.options.pollMs;
    while (this.woken && !this.stopped) {
      this.woken = false;
      try {
        dueInMs = await this.take();
      } catch (error) {
        this.options.log.warn({ err: error, queue: this.options.queue }, "could not look for messages");
      }
    }
    this.looking = undefined;
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(dueInMs, this.options.pollMs));
  }

  /** Claims messages up to the free capacity; returns the milliseconds until there may be more. */
  private async take(): Promise<number> {
    const { queue, prefetch, leaseMs } = this.options;
    const free = prefetch - this.handling;
    if (free <= 0) return Infinity;
    const now = Date.now();
    // Read first, because a claim costs a write even if it finds nothing.
    const due = this.table.nextDue(queue) ?? Infinity;
    if (due > now) return due - now;
    const taken = await this.table.claim(queue, free, { now, until: now + leaseMs });
    if (this.stopped) await this.giveBack(taken);
    else for (const message of taken) this.begin(message);
    return Infinity;
  }

  private begin(message: ClaimedMessage): void {
    this.handling += 1;
    const abort = new AbortController();
    const ended = this.writing(() => this.deliver(message, abort.signal))
      .catch((error: unknown) => {
        // The claim expires and the message is delivered again.
        this.options.log.warn({ err: error, queue: this.options.queue }, "could not end a delivery");
      })
      .finally(() => this.inWork.delete(message));
    this.inWork.set(message, { abort, ended });
  }

  private writing<T>(work: () => Promise<T>): Promise<T> {
    return this.options.deletes ? makingRoom(work) : work();
  }

  private async deliver(message: ClaimedMessage, signal: AbortSignal): Promise<void> {
    const { body, attempts: attempt } = message;
    const outcome = await handled({ body, attempt, signal }, this.options);
    const ending = this.end(message, outcome, signal.aborted);
    // Freed before the ending is on disk, so that the ending shares its commit with the claim of the next message.
    this.handling -= 1;
    this.wake();
    await ending;
  }

  private async end(message: ClaimedMessage, outcome: Outcome | undefined, aborted: boolean): Promise<void> {
    const now = Date.now();
    if (outcome?.kind === "done") await this.table.remove(message);
    else if (outcome !== undefined) await this.table.bury(message, { reason: outcome.reason, diedAt: now });
    else {
      const pauseMs = backoff({ ...REDELIVERY, firstMs: this.options.backoffMs }, message.attempts);
      await this.table.giveBack(message, aborted ? now : now + pauseMs);
    }
  }

  private async giveBack(messages: readonly ClaimedMessage[]): Promise<void> {
    const now = Date.now();
    const given = messages.map((message) => this.table.giveBack(message, now));
    for (const result of await Promise.allSettled(given)) {
      if (result.status === "fulfilled") continue;
      this.options.log.warn({ err: result.reason, queue: this.options.queue }, "could not give back a message");
    }
  }

  private async renew(): Promise<void> {
    if (this.inWork.size === 0) return;
    try {
      const lost = await this.table.renew([...this.inWork.keys()], Date.now() + this.options.leaseMs);
      // Another consumer may have it by now.
      for (const message of lost) this.inWork.get(message)?.abort.abort(new Error("the claim on this message ran out"));
    } catch (error) {
      this.options.log.warn({ err: error, queue: this.options.queue }, "could not renew deliveries");
    }
  }
}

/** A message in work. Only the holder of the claim may end it; an expired claim is void. */
interface ClaimedMessage {
  id: number;
  claim: string;
  body: Uint8Array;
  /** Deliveries so far, this one included. */
  attempts: number;
}

// `run_at` hides a message until the claim expires, or the pause after a failure is over.
const TABLE = `
  CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, body BLOB NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    run_at INTEGER NOT NULL, claim TEXT, died_at TEXT, reason TEXT);
  CREATE INDEX IF NOT EXISTS jobs_due ON jobs (queue, run_at, id) WHERE died_at IS NULL;
  CREATE INDEX IF NOT EXISTS jobs_dead ON jobs (queue, id) WHERE died_at IS NOT NULL`;

const CLAIM = `
  UPDATE jobs SET claim = ?, run_at = ?, attempts = attempts + 1
  WHERE id IN (SELECT id FROM jobs WHERE queue = ? AND died_at IS NULL AND run_at <= ? ORDER BY run_at, id LIMIT ?)
  RETURNING id, body, attempts`;

/**
 * The table of messages. Writes survive the end of the process when their promise resolves. They do not wait for the
 * disk: records of jobs are in the same file, so that a power failure which undoes a message also undoes the later mark
 * that it was published, and one delivered again finds its job done. Times are milliseconds since the epoch.
 */
class MessageTable {
  private constructor(private readonly database: SqliteDatabase) {}

  static async open(database: SqliteDatabase): Promise<MessageTable> {
    await database.write((connection) => connection.exec(TABLE));
    return new MessageTable(database);
  }

  async add(queue: string, body: Uint8Array, runAt: number): Promise<void> {
    const values = [queue, Buffer.from(body), BigInt(runAt)] as const;
    await this.write("INSERT INTO jobs (queue, body, run_at) VALUES (?, ?, ?)", values);
  }

  /** Claims up to `limit` messages that are due, oldest first, until `until`. */
  async claim(queue: string, limit: number, { now, until }: { now: number; until: number }): Promise<ClaimedMessage[]> {
    const claim = randomUUID();
    const values = [claim, BigInt(until), queue, BigInt(now), BigInt(limit)];
    const rows = await this.database.write((connection) => connection.all(CLAIM, values), {
      synced: false,
      undo: false,
    });
    const messages = rows.map(([id, body, attempts]) => ({
      id: Number(id),
      claim,
      body: new Uint8Array(body as Buffer),
      attempts: Number(attempts),
    }));
    return messages.sort((a, b) => a.id - b.id);
  }

  /** Due time of the next message of the queue; undefined if there is none. */
  nextDue(queue: string): number | undefined {
    const due = this.database.get("SELECT min(run_at) FROM jobs WHERE queue = ? AND died_at IS NULL", [queue])?.[0];
    return typeof due === "number" ? due : undefined;
  }

  /** Extends claims; returns the messages whose claims were lost. */
  renew(messages: readonly ClaimedMessage[], until: number): Promise<ClaimedMessage[]> {
    const sql = "UPDATE jobs SET run_at = ? WHERE id = ? AND claim = ?";
    const extend = ({ id, claim }: ClaimedMessage, connection: SqliteConnection) =>
      connection.run(sql, [BigInt(until), BigInt(id), claim]) > 0;
    return this.database.write((connection) => messages.filter((message) => !extend(message, connection)), {
      synced: false,
    });
  }

  async remove({ id, claim }: ClaimedMessage): Promise<void> {
    await this.write("DELETE FROM jobs WHERE id = ? AND claim = ?", [BigInt(id), claim]);
  }

  /** Puts a message back. */
  async giveBack({ id, claim }: ClaimedMessage, runAt: number): Promise<void> {
    const sql = "UPDATE jobs SET claim = NULL, run_at = ? WHERE id = ? AND claim = ?";
    await this.write(sql, [BigInt(runAt), BigInt(id), claim]);
  }

  async bury({ id, claim }: ClaimedMessage, { reason, diedAt }: { reason: string; diedAt: number }): Promise<void> {
    const sql = "UPDATE jobs SET claim = NULL, died_at = ?, reason = ? WHERE id = ? AND claim = ?";
    await this.write(sql, [new Date(diedAt).toISOString(), reason, BigInt(id), claim]);
  }

  depth(queue: string): number {
    return Number(this.database.get("SELECT count(*) FROM jobs WHERE queue = ? AND died_at IS NULL", [queue])?.[0]);
  }

  deadCount(queue: string): number {
    const sql = "SELECT count(*) FROM jobs WHERE queue = ? AND died_at IS NOT NULL";
    return Number(this.database.get(sql, [queue])?.[0]);
  }

  dead(queue: string, limit: number): DeadLetter[] {
    // The driver ends a text at its first NUL, and a reason may contain one.
    const sql = `SELECT id, body, attempts, CAST(reason AS BLOB), died_at FROM jobs
      WHERE queue = ? AND died_at IS NOT NULL ORDER BY died_at, id LIMIT ?`;
    return this.database.all(sql, [queue, BigInt(limit)]).map((row) => toDeadLetter(queue, row));
  }

  /** Puts a dead letter back into its queue; false if there is none with that id. */
  async revive(id: string, runAt: number): Promise<boolean> {
    const sql = `UPDATE jobs SET died_at = NULL, reason = NULL, attempts = 0, run_at = ?
      WHERE id = ? AND died_at IS NOT NULL`;
    return (await this.write(sql, [BigInt(runAt), rowId(id)], { synced: true })) > 0;
  }

  async drop(id: string): Promise<boolean> {
    const sql = "DELETE FROM jobs WHERE id = ? AND died_at IS NOT NULL";
    return (await this.write(sql, [rowId(id)], { synced: true })) > 0;
  }

  private write(
    sql: string,
    values: Parameters<SqliteConnection["run"]>[1],
    { synced } = { synced: false },
  ): Promise<number> {
    return this.database.write((connection) => connection.run(sql, values), { synced, undo: false });
  }
}

function toDeadLetter(queue: string, [id, body, attempts, reason, diedAt]: Row): DeadLetter {
  return {
    id: String(id),
    queue,
    body: new Uint8Array(body as Buffer),
    attempts: Number(attempts),
    reason: (reason as Buffer).toString(),
    diedAt: String(diedAt),
  };
}

/** The row id in a text; 0, which no row has, if the text is not an id. */
function rowId(id: string): bigint {
  return /^\d{1,15}$/.test(id) ? BigInt(id) : 0n;
}
