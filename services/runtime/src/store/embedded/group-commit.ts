import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.js";
import { isBusy, unavailable } from "./failures.js";

interface Write {
  /** Does the work inside the transaction and returns what to do once that is durable. */
  perform(): () => void;
  reject(reason: unknown): void;
}

/** Puts a failure of the driver into the words of the ports, and leaves others as they are. */
export type Explain = (error: unknown) => unknown;

/** Bounds the time that one transaction keeps the event loop. */
const BATCH_MAX = 512;
const RETRY_MS = 10;

/**
 * Gathers the writes of one turn of the event loop into one transaction, because a commit waits for the disk whatever
 * its size. Each write stands alone: one that throws is undone and leaves its neighbours.
 */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #busyMs: number;
  readonly #explain: Explain;
  #waiting: Write[] = [];
  #draining: Promise<void> | undefined;

  /** Gives up, AppError `unavailable`, when other processes hold the write lock for `busyMs`. */
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
      // Taken only now: what came while another process held the lock goes along.
      const batch = this.#waiting.splice(0, refusal === undefined ? BATCH_MAX : Infinity);
      if (refusal === undefined) this.#commit(batch);
      else for (const write of batch) write.reject(refusal.failure);
      await nextTurn();
    }
    this.#draining = undefined;
  }

  /** Waits without blocking the event loop: the lock may be with a process that is stopped. */
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

  /** Throws only when the whole transaction is lost. */
  #perform(write: Write): () => void {
    this.#connection.run("SAVEPOINT one");
    try {
      const done = write.perform();
      this.#connection.run("RELEASE one");
      return done;
    } catch (error) {
      // On a full disk and the like SQLite may have rolled back everything by itself.
      if (!this.#connection.inTransaction) throw error;
      this.#connection.exec("ROLLBACK TO one; RELEASE one");
      return () => write.reject(this.#explain(error));
    }
  }

  /** Whatever it is, nothing of the transaction is kept. */
  #lost(error: unknown): unknown {
    const failure = this.#explain(error);
    return failure === error ? unavailable(error) : failure;
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
    } catch {
      // The failure that led here is what callers need to know; the next BEGIN reports a connection that is beyond help.
    }
  }
}
