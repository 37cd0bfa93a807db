import type { SqliteDatabase } from "../store/sqlite/sqlite-database.js";
import type { Row, SqliteConnection } from "../store/sqlite/sqlite-connection.js";
import type { DeadLetter } from "./queue.js";

/** A letter that was put back and is to be delivered again. */
export interface RevivedLetter {
  readonly id: number;
  readonly queue: string;
  readonly body: Uint8Array;
}

interface Burial {
  readonly queue: string;
  readonly body: Uint8Array;
  readonly attempts: number;
  readonly reason: string;
  /** The letter that the message was before it was put back. */
  readonly id: number | undefined;
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, body BLOB NOT NULL, attempts INTEGER NOT NULL,
    died_at TEXT NOT NULL, reason TEXT NOT NULL, revived INTEGER NOT NULL DEFAULT 0);
  CREATE INDEX IF NOT EXISTS dead_letters_of_queue ON dead_letters (queue, id) WHERE revived = 0;
  CREATE INDEX IF NOT EXISTS dead_letters_revived ON dead_letters (id) WHERE revived = 1`;

/** Dead letters of the embedded queue, which any process on the database lists, puts back and drops. */
export class DeadLetterTable {
  private constructor(private readonly database: SqliteDatabase) {}

  static async open(database: SqliteDatabase): Promise<DeadLetterTable> {
    await database.write((connection) => connection.exec(TABLE));
    return new DeadLetterTable(database);
  }

  /** Keeps a message as a dead letter, in the place of the letter that it was before. */
  async bury({ queue, body, attempts, reason, id }: Burial): Promise<void> {
    const values = [Buffer.from(body), BigInt(attempts), new Date().toISOString(), reason] as const;
    const again = "UPDATE dead_letters SET body = ?, attempts = ?, died_at = ?, reason = ?, revived = 0 WHERE id = ?";
    if (id !== undefined && (await this.write(again, [...values, BigInt(id)])) > 0) return;
    const first = "INSERT INTO dead_letters (queue, body, attempts, died_at, reason) VALUES (?, ?, ?, ?, ?)";
    await this.write(first, [queue, ...values]);
  }

  count(queue: string): number {
    const sql = "SELECT count(*) FROM dead_letters WHERE queue = ? AND revived = 0";
    return Number(this.database.get(sql, [queue])?.[0]);
  }

  /** Oldest first. */
  list(queue: string, limit: number): DeadLetter[] {
    // The driver ends a text at its first NUL, and a reason may contain one.
    const sql = `SELECT id, body, attempts, CAST(reason AS BLOB), died_at FROM dead_letters
      WHERE queue = ? AND revived = 0 ORDER BY died_at, id LIMIT ?`;
    return this.database.all(sql, [queue, BigInt(limit)]).map((row) => toDeadLetter(queue, row));
  }

  /** Has a letter delivered again; false if there is none with that id. */
  async revive(id: string): Promise<boolean> {
    const sql = "UPDATE dead_letters SET revived = 1 WHERE id = ? AND revived = 0";
    return (await this.write(sql, [rowId(id)], { synced: true })) > 0;
  }

  /** Letters that were put back and have not ended since. */
  revived(): RevivedLetter[] {
    const rows = this.database.all("SELECT id, queue, body FROM dead_letters WHERE revived = 1 ORDER BY id", []);
    return rows.map(([id, queue, body]) => ({
      id: Number(id),
      queue: String(queue),
      body: new Uint8Array(body as Buffer),
    }));
  }

  /** Removes a letter whose message is done. */
  async remove(id: number): Promise<void> {
    await this.write("DELETE FROM dead_letters WHERE id = ?", [BigInt(id)]);
  }

  /** Removes a letter unread; false if there is none with that id. */
  async drop(id: string): Promise<boolean> {
    const sql = "DELETE FROM dead_letters WHERE id = ? AND revived = 0";
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
