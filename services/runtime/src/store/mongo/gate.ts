import type { ClientSession, Db } from "mongodb";
import type { MongoConnection } from "./connection.js";
import { toMongoFailure, unavailable } from "./failures.js";

/** How long a call may take when nothing else is said, in milliseconds: who waits longer is better told so. */
export const DEFAULT_CALL_MS = 5000;
/** How long work on any number of documents may take, in milliseconds. */
export const BULK_MS = 30_000;

/**
 * The way of one adapter to the server. It refuses work once it is closed, ends the waiting of a caller when its time is
 * over, and puts what the driver throws into the words of the ports.
 */
export class MongoGate {
  /** How long a call may take, in milliseconds. */
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
   * Runs work that takes at most `limitMs`. Who is told `unavailable` does not know whether a write was done: it may have
   * been, or be done yet. The driver repeats a write of one document once by itself when the connection breaks, and the
   * server recognises the repetition.
   */
  run<R>(work: (database: Db) => Promise<R>, limitMs = this.callMs): Promise<R> {
    const attempt = async (): Promise<R> => work(this.#connection.databaseOf(await this.#connection.connected()));
    return this.#track(() => within(limitMs, attempt()));
  }

  /**
   * Runs work of which all is kept or nothing; it is run again when other writes get in its way. What a killed process has
   * written in one stays locked until the server ends the transaction, 60 s after its beginning by default.
   */
  transaction<R>(work: (database: Db, session: ClientSession) => Promise<R>): Promise<R> {
    const until = performance.now() + BULK_MS;
    const attempt = async (): Promise<R> => {
      const client = await this.#connection.connected();
      const database = this.#connection.databaseOf(client);
      return client.withSession((session) =>
        session.withTransaction(async () => {
          // The driver tries for two minutes, which is longer than anybody waits.
          if (performance.now() > until) throw unavailable(new Error("Other writes got in the way for too long."));
          return work(database, session);
        }),
      );
    };
    return this.#track(() => within(BULK_MS, attempt()));
  }

  /** Runs work that may take long, for which neither a request nor `close` waits. */
  patiently<R>(work: (database: Db) => Promise<R>): Promise<R> {
    return this.#guard(() => this.#connection.patiently(work));
  }

  /** Lets the work under way end, and refuses any other. */
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
