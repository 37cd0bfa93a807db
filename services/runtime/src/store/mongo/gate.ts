import type { ClientSession, Db } from "mongodb";
import type { MongoConnection } from "./connection.js";
import { toMongoFailure, unavailable } from "./failures.js";

/** Default time limit of a call, in milliseconds; after it the caller gets a failure instead of waiting. */
export const DEFAULT_CALL_MS = 5000;
/** Time limit for work on any number of documents, in milliseconds. */
export const BULK_MS = 30_000;

/**
 * The access of one adapter to the server. It refuses work once it is closed, ends the wait of a caller at the time
 * limit, and maps driver errors to the failures of the ports.
 */
export class MongoGate {
  /** Time limit of a call, in milliseconds. */
  readonly callMs: number;
  readonly #connection: MongoConnection;
  readonly #release: () => Promise<void>;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  /** `release` is called once, when the last work has ended. */
  constructor(connection: MongoConnection, callMs: number, release: () => Promise<void>) {
    this.callMs = callMs;
    this.#connection = connection;
    this.#release = release;
  }

  /**
   * Runs work that takes at most `limitMs`. After `unavailable`, it is unknown whether a write was done or will still
   * be done. The driver retries a write of one document once if the connection breaks, and the server recognizes the
   * retry.
   */
  run<R>(work: (database: Db) => Promise<R>, limitMs = this.callMs): Promise<R> {
    const attempt = async (): Promise<R> => work(this.#connection.databaseOf(await this.#connection.connected()));
    return this.#track(() => within(limitMs, attempt()));
  }

  /**
   * Runs work in a transaction, and repeats it on conflicts with other writes. Documents written in the transaction of
   * a killed process stay locked until the server aborts it: 60 s after it began by default, 30 s in our compose file.
   */
  transaction<R>(work: (database: Db, session: ClientSession) => Promise<R>): Promise<R> {
    const until = performance.now() + BULK_MS;
    const attempt = async (): Promise<R> => {
      const client = await this.#connection.connected();
      const database = this.#connection.databaseOf(client);
      return client.withSession((session) =>
        session.withTransaction(async () => {
          // The driver retries for two minutes, which is longer than any caller waits.
          if (performance.now() > until) throw unavailable(new Error("Other writes got in the way for too long."));
          return work(database, session);
        }),
      );
    };
    return this.#track(() => within(BULK_MS, attempt()));
  }

  /** Runs long work, for which neither a request nor `close` waits. */
  patiently<R>(work: (database: Db) => Promise<R>): Promise<R> {
    return this.#guard(() => this.#connection.patiently(work));
  }

  /** Waits for the work in progress, and refuses new work. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled([...this.#underWay]).then(() => this.#release());
    return this.#closing;
  }

  async #track<R>(start: () => Promise<R>): Promise<R> {
    const running = this.#guard(start);
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  async #guard<R>(start: () => Promise<R>): Promise<R> {
    if (this.#closing !== undefined) throw unavailable(new Error("It is closed."));
    try {
      return await start();
    } catch (error) {
      throw toMongoFailure(error);
    }
  }
}

async function within<R>(limitMs: number, work: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`MongoDB did not answer within ${limitMs} ms.`))), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
