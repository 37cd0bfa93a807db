import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./file/connection.js";
import { isBusy, unavailable } from "./file/failures.js";

interface Write {
  /** Does the work inside the transaction and returns a callback for when it is durable. */
  perform(): () => void;
  reject(reason: unknown): void;
}

/** Maps driver errors to the failures of the ports, and returns others unchanged. */
export type Explain = (error: unknown) => unknown;

/** Bounds the time for which one transaction blocks the event loop. */
const BATCH_MAX = 512;
const RETRY_MS = 10;

/**
 * Groups the writes of one turn of the event loop into one transaction, because a commit waits for the disk whatever
 * its size. Writes are independent: one that throws is rolled back without affecting the others.
 */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #busyMs: number;
  readonly #explain: Explain;
  #waiting: Write[] = [];
  #draining: Promise<void> | undefined;

  /** Writes fail with AppError `unavailable` if other processes hold the write lock for `busyMs`. */
  constructor(connection: Connection, busyMs: number, explain: Explain) {
    this.#connection = connection;
    this.#busyMs = busyMs;
    this.#explain = explain;
  }

  /** Runs `work`, which must be synchronous, in a transaction; settles when the transaction is on disk. */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const perform = (): (() => void) => {
        const value = work();
        return () => resolve(value);
      };
      this.#waiting.push({ perform, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
  }

  async #drain(): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) {
      const refusal = await this.#begin();
      // Taken after the lock, so that writes that arrived while waiting for it are included.
      const batch = this.#waiting.splice(0, refusal === undefined ? BATCH_MAX : Infinity);
      if (refusal === undefined) this.#commit(batch);
      else for (const write of batch) write.reject(refusal.failure);
      await nextTurn();
    }
    this.#draining = undefined;
  }

  /** Waits without blocking the event loop, because the lock may be held by a stopped process. */
  async #begin(): Promise<{ failure: unknown } | undefined> {
    const giveUpAt = performance.now() + this.#busyMs;
    for (;;) {
      try {
        this.#connection.exec("BEGIN IMMEDIATE");
        return undefined;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) return { failure: this.#lost(error) };
      }
      await sleep(RETRY_MS);
    }
  }

  #commit(batch: readonly Write[]): void {
    const settle: (() => void)[] = [];
    try {
      for (const write of batch) settle.push(this.#perform(write));
      this.#connection.exec("COMMIT");
    } catch (error) {
      this.#rollBack();
      const failure = this.#lost(error);
      for (const write of batch) write.reject(failure);
      return;
    }
    for (const done of settle) done();
  }

  /** Throws only if the whole transaction is lost. */
  #perform(write: Write): () => void {
    this.#connection.run("SAVEPOINT one");
    try {
      const done = write.perform();
      this.#connection.run("RELEASE one");
      return done;
    } catch (error) {
      // On some failures, for example a full disk, SQLite may have rolled back the whole transaction.
      if (!this.#connection.inTransaction) throw error;
      this.#connection.exec("ROLLBACK TO one; RELEASE one");
      return () => write.reject(this.#explain(error));
    }
  }

  /** The failure of every write in a lost transaction, of which nothing is kept. */
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
