import { type FileHandle, open } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isDiskFull } from "../../storage/disk-space-monitor.js";
import { isBusy, type SqliteConnection, unavailable } from "./sqlite-connection.js";

interface Write {
  /** Does the work inside the transaction and returns a callback for when it is committed. */
  perform(): () => void;
  reject(reason: unknown): void;
  /** Whether it ends when the log is on disk, or already when it is committed. */
  synced: boolean;
  /** Whether the statements that it has completed are undone if it throws. */
  undo: boolean;
}

export interface WriteOptions {
  /** Default: true. */
  synced?: boolean;
  /**
   * Whether work that throws is undone as a whole, by a savepoint, which takes a third of the time of an insert. If false,
   * SQLite undoes only the statement that failed: for work of one statement, and for work whose earlier statements may
   * remain. Default: true.
   */
  undo?: boolean;
}

/** Maps driver errors to the failures of the ports, and returns others unchanged. */
export type Explain = (error: unknown) => unknown;

/** A transaction takes no more writes after so much time, in milliseconds: nothing else runs meanwhile. */
const TURN_MS = 10;
const RETRY_MS = 10;

/** The log that holds the transactions. */
export interface Log {
  /** Makes all that are committed so far durable. Throws errors with the codes of the driver. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Groups the writes that arrive while the disk is busy into one transaction, because a sync takes its time whatever the
 * size. Writes are independent: one that throws is rolled back without affecting the others. SQLite itself does not
 * sync when it commits (`synchronous = NORMAL`), since it would stop the event loop meanwhile; a write resolves when
 * the log is on disk. After a power failure the log is valid up to some commit at or after the last one that resolved.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #log: Log;
  readonly #busyMs: number;
  readonly #explain: Explain;
  readonly #now: () => number;
  #waiting: Write[] = [];
  #draining: Promise<void> | undefined;
  /** Whether a sync failed: the system may have dropped pages of the log then, and would report later syncs as done. */
  #logHasGap = false;

  /** Writes fail with AppError `unavailable` if other processes hold the write lock for `busyMs`. */
  constructor(
    connection: SqliteConnection,
    log: Log,
    { busyMs, explain, now = () => performance.now() }: { busyMs: number; explain: Explain; now?: () => number },
  ) {
    this.#connection = connection;
    this.#log = log;
    this.#busyMs = busyMs;
    this.#explain = explain;
    this.#now = now;
  }

  /**
   * Runs `work`, which must be synchronous, in a transaction; settles when the transaction is on disk, or with `synced:
   * false` when it is committed: a power failure may then undo it, but only together with everything written later. A
   * write that fails because the log cannot be synced may be kept anyway.
   */
  write<T>(work: () => T, { synced = true, undo = true }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const perform = (): (() => void) => {
        const value = work();
        return () => resolve(value);
      };
      this.#waiting.push({ perform, reject, synced, undo });
      this.#draining ??= this.#drain();
    });
  }

  /** Finishes the waiting writes and closes the log; the connection stays open. */
  async close(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
    await this.#log.close();
  }

  async #drain(): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) {
      const refusal = await this.#begin();
      if (refusal === undefined) await this.#commit();
      else for (const write of this.#waiting.splice(0)) write.reject(refusal.failure);
      await nextTurn();
    }
    this.#draining = undefined;
  }

  /** Waits without blocking the event loop, because the lock may be held by a stopped process. */
  async #begin(): Promise<{ failure: unknown } | undefined> {
    const giveUpAt = this.#now() + this.#busyMs;
    for (;;) {
      try {
        this.#connection.exec("BEGIN IMMEDIATE");
        return undefined;
      } catch (error) {
        if (!isBusy(error) || this.#now() >= giveUpAt) return { failure: this.#lost(error) };
      }
      await sleep(RETRY_MS);
    }
  }

  /** Commits what waits once the lock is held, which includes what arrived meanwhile. */
  async #commit(): Promise<void> {
    const taken: Write[] = [];
    const committed: { write: Write; done: () => void }[] = [];
    const endsAt = this.#now() + TURN_MS;
    try {
      do {
        const write = this.#waiting[taken.length];
        if (write === undefined) break;
        taken.push(write);
        committed.push({ write, done: this.#perform(write) });
      } while (this.#now() < endsAt);
      this.#connection.exec("COMMIT");
    } catch (error) {
      this.#rollBack();
      this.#reject(taken, error);
      return;
    } finally {
      this.#waiting.splice(0, taken.length);
    }
    for (const { write, done } of committed) if (!write.synced) done();
    const waiting = committed.filter(({ write }) => write.synced);
    if (waiting.length === 0) return;
    try {
      await this.#sync();
    } catch (error) {
      this.#reject(
        waiting.map(({ write }) => write),
        error,
      );
      return;
    }
    for (const { done } of waiting) done();
  }

  #reject(batch: readonly Write[], error: unknown): void {
    const failure = this.#lost(error);
    for (const write of batch) write.reject(failure);
  }

  /** Throws if the committed transactions may not survive a power failure. */
  async #sync(): Promise<void> {
    if (this.#logHasGap) {
      // Writes everything into the database file and syncs that, so that the log is not needed.
      const [busy] = this.#connection.get("PRAGMA wal_checkpoint(TRUNCATE)") ?? [];
      if (busy !== 0) throw new Error("The log of the database cannot be emptied after a failed sync.");
      this.#logHasGap = false;
      return;
    }
    try {
      await this.#log.sync();
    } catch (error) {
      this.#logHasGap = true;
      throw error;
    }
  }

  /** Throws only if the whole transaction is lost. */
  #perform(write: Write): () => void {
    if (write.undo) this.#connection.run("SAVEPOINT one");
    try {
      const done = write.perform();
      if (write.undo) this.#connection.run("RELEASE one");
      return done;
    } catch (error) {
      // On some failures, for example a full disk, SQLite may have rolled back the whole transaction.
      if (!this.#connection.inTransaction) throw error;
      if (write.undo) this.#connection.exec("ROLLBACK TO one; RELEASE one");
      return () => write.reject(this.#explain(error));
    }
  }

  /** The failure of every write in a transaction that is rolled back or may not be on disk. */
  #lost(error: unknown): unknown {
    const failure = this.#explain(error);
    return failure === error ? unavailable(error) : failure;
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
    } catch {
      // Callers get the original failure; the next BEGIN reports an unusable connection.
    }
  }
}

/** What the driver would throw if SQLite itself had failed to sync the log. */
class SyncFailed extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super("The log of the database cannot be stored on the disk.", { cause });
    this.code = isDiskFull(cause) ? "SQLITE_FULL" : "SQLITE_IOERR_FSYNC";
  }
}

/** The log of a database file, which SQLite creates with the first commit and keeps while a connection is open. */
export class WriteAheadLog implements Log {
  readonly #file: string;
  #handle: Promise<FileHandle> | undefined;

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`;
  }

  /** Waits for the disk in a thread; what any process has written to the file is synced. */
  async sync(): Promise<void> {
    // SQLite holds no locks on this file, which closing it would drop. Some systems sync only files open for writing.
    this.#handle ??= open(this.#file, "r+");
    try {
      await (await this.#handle).datasync();
    } catch (error) {
      const failed = this.#handle;
      this.#handle = undefined;
      await failed.then((handle) => handle.close()).catch(() => undefined);
      throw new SyncFailed(error);
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.then((open) => open.close()).catch(() => undefined);
  }
}
