import { randomUUID } from "node:crypto";
import type { Connection, Row } from "../../store/embedded/file/connection.js";
import type { EmbeddedDatabase } from "../../store/embedded/database.js";
import type { DeadLetter } from "../queue.js";

/** A message in work. Only the holder of the claim may end it; an expired claim is void. */
export interface Job {
  id: number;
  claim: string;
  body: Uint8Array;
  /** Deliveries so far, this one included. */
  attempts: number;
}

// `run_at` hides a message until its delay is over or, once claimed, until the claim expires.
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
export class Jobs {
  private constructor(private readonly database: EmbeddedDatabase) {}

  static async open(database: EmbeddedDatabase): Promise<Jobs> {
    await database.write((connection) => connection.exec(TABLE));
    return new Jobs(database);
  }

  async add(queue: string, body: Uint8Array, runAt: number): Promise<void> {
    const values = [queue, Buffer.from(body), time(runAt)] as const;
    await this.write("INSERT INTO jobs (queue, body, run_at) VALUES (?, ?, ?)", values);
  }

  /** Claims up to `limit` messages that are due, oldest first, until `until`. */
  async claim(queue: string, limit: number, { now, until }: { now: number; until: number }): Promise<Job[]> {
    const claim = randomUUID();
    const values = [claim, time(until), queue, time(now), BigInt(limit)];
    const rows = await this.database.write((connection) => connection.all(CLAIM, values), { synced: false });
    const jobs = rows.map(([id, body, attempts]) => ({
      id: Number(id),
      claim,
      body: new Uint8Array(body as Buffer),
      attempts: Number(attempts),
    }));
    return jobs.sort((a, b) => a.id - b.id);
  }

  /** Due time of the next message of the queue; undefined if there is none. */
  nextDue(queue: string): number | undefined {
    const due = this.database.get("SELECT min(run_at) FROM jobs WHERE queue = ? AND died_at IS NULL", [queue])?.[0];
    return typeof due === "number" ? due : undefined;
  }

  /** Extends claims; returns the jobs whose claims were lost. */
  renew(jobs: readonly Job[], until: number): Promise<Job[]> {
    const sql = "UPDATE jobs SET run_at = ? WHERE id = ? AND claim = ?";
    const extend = ({ id, claim }: Job, connection: Connection) =>
      connection.run(sql, [time(until), BigInt(id), claim]) > 0;
    return this.database.write((connection) => jobs.filter((job) => !extend(job, connection)), { synced: false });
  }

  async remove({ id, claim }: Job): Promise<void> {
    await this.write("DELETE FROM jobs WHERE id = ? AND claim = ?", [BigInt(id), claim]);
  }

  /** Puts a message back; with `uncounted`, this delivery does not count as an attempt. */
  async giveBack({ id, claim }: Job, { runAt, uncounted }: { runAt: number; uncounted: boolean }): Promise<void> {
    const sql = `UPDATE jobs SET claim = NULL, run_at = ?, attempts = attempts - ? WHERE id = ? AND claim = ?`;
    await this.write(sql, [time(runAt), uncounted ? 1n : 0n, BigInt(id), claim]);
  }

  async bury({ id, claim }: Job, { reason, diedAt }: { reason: string; diedAt: number }): Promise<void> {
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
    return (await this.write(sql, [time(runAt), rowId(id)], { synced: true })) > 0;
  }

  async drop(id: string): Promise<boolean> {
    const sql = "DELETE FROM jobs WHERE id = ? AND died_at IS NOT NULL";
    return (await this.write(sql, [rowId(id)], { synced: true })) > 0;
  }

  private write(sql: string, values: Parameters<Connection["run"]>[1], options = { synced: false }): Promise<number> {
    return this.database.write((connection) => connection.run(sql, values), options);
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

/** Delays may be fractional, times in the table are integers. */
function time(ms: number): bigint {
  return BigInt(Math.round(ms));
}

/** The row id in a text; 0, which no row has, if the text is not an id. */
function rowId(id: string): bigint {
  return /^\d{1,15}$/.test(id) ? BigInt(id) : 0n;
}
