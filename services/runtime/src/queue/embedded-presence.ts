import { randomUUID } from "node:crypto";
import type { Logger } from "../log.js";
import type { SqliteDatabase } from "../store/sqlite/sqlite-database.js";

// One row per process, so that a sign of life is one small write.
const TABLE =
  "CREATE TABLE IF NOT EXISTS consumers (id TEXT PRIMARY KEY, queues TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID";
const OTHERS = "SELECT CAST(queues AS BLOB) FROM consumers WHERE id <> ? AND until > ?";

interface PresenceOptions {
  database: SqliteDatabase;
  log: Logger;
  /** A process that gives no sign of life for this long is counted no more. */
  leaseMs: number;
}

/**
 * Says to other processes which queues this one consumes, and knows of theirs. Nothing depends on it but what operators
 * read. A process that is killed is counted until its last sign of life is a lease old, and one whose disk is full is not
 * counted by others.
 */
export class Presence {
  private readonly id = randomUUID();
  private readonly queues: string[] = [];
  private beating: NodeJS.Timeout | undefined;

  private constructor(private readonly options: PresenceOptions) {}

  static async open(options: PresenceOptions): Promise<Presence> {
    await options.database.write((connection) => connection.exec(TABLE));
    return new Presence(options);
  }

  /** Counts a consumer of the queue until the returned function is called. */
  add(queue: string): () => Promise<void> {
    this.queues.push(queue);
    this.beating ??= setInterval(() => void this.tell(), this.options.leaseMs / 3).unref();
    void this.tell();
    let isCounted = true;
    return async () => {
      if (!isCounted) return;
      isCounted = false;
      this.queues.splice(this.queues.indexOf(queue), 1);
      if (this.queues.length === 0) this.stopBeating();
      await this.tell();
    };
  }

  /** Counts no consumer of this process any more. */
  async close(): Promise<void> {
    if (this.queues.length === 0) return;
    this.queues.length = 0;
    this.stopBeating();
    await this.tell();
  }

  private stopBeating(): void {
    clearInterval(this.beating);
    this.beating = undefined;
  }

  /** Consumers of a queue, in all processes. */
  count(queue: string): number {
    const others = this.options.database.all(OTHERS, [this.id, BigInt(Date.now())]);
    const all = [...this.queues, ...others.flatMap(([queues]) => String(queues).split(","))];
    return all.filter((each) => each === queue).length;
  }

  /** Never rejects: the next sign of life may succeed. */
  private async tell(): Promise<void> {
    const { database, log, leaseMs } = this.options;
    try {
      await database.write(
        (connection) => {
          const now = Date.now();
          const row = [this.id, this.queues.join(","), BigInt(now + leaseMs)];
          connection.run("DELETE FROM consumers WHERE until <= ? OR id = ?", [BigInt(now), this.id]);
          if (this.queues.length > 0) connection.run("INSERT INTO consumers VALUES (?, ?, ?)", row);
        },
        { synced: false },
      );
    } catch (error) {
      log.debug({ err: error }, "could not tell other processes which queues this one consumes");
    }
  }
}
