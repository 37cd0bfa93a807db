import { type ClientSession, type Db, MongoClient, type MongoClientOptions } from "mongodb";
import { ConfigError } from "../../config/variables.js";
import { storeUnavailable } from "../store.js";
import { toMongoFailure } from "./mongo-errors.js";

/** Default time limit of a call, in milliseconds; after it the caller gets a failure instead of waiting. */
export const DEFAULT_CALL_MS = 5000;
/** Time limit for work on any number of documents, in milliseconds. */
export const BULK_MS = 30_000;

/**
 * The access of one adapter to the server. It refuses work once it is closed, ends the wait of a caller at the time
 * limit, and maps driver errors to the failures of the ports.
 */
export class MongoDatabase {
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
          if (performance.now() > until) throw storeUnavailable(new Error("Other writes got in the way for too long."));
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
    if (this.#closing !== undefined) throw storeUnavailable(new Error("It is closed."));
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
    timer = setTimeout(
      () => reject(storeUnavailable(new Error(`MongoDB did not answer within ${limitMs} ms.`))),
      limitMs,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

const DEFAULT_DATABASE = "hourglass";

/** Time limit of the driver to find a server that accepts writes, and to connect to it, in milliseconds. */
const SELECTION_MS = 3000;

/**
 * Defaults, which options in the address override. A write is acknowledged when it is in the journals of a majority, so
 * no election rolls it back; a read sees only such writes.
 */
const DEFAULTS = {
  appName: "hourglass",
  readConcernLevel: "majority",
  readPreference: "primary",
  retryReads: true,
  retryWrites: true,
  serverSelectionTimeoutMS: SELECTION_MS,
  connectTimeoutMS: SELECTION_MS,
  // With the two above, an unresponsive server is detected within seconds, and its connections are closed.
  heartbeatFrequencyMS: 5000,
  // Last resort: limits every command, so that a hanging one does not occupy its connection.
  socketTimeoutMS: 30_000,
  waitQueueTimeoutMS: 3000,
  maxPoolSize: 50,
  maxIdleTimeMS: 300_000,
} satisfies MongoClientOptions;

/** The time limit keeps an unavailable majority from holding a connection forever. */
const WRITE_CONCERN = { w: "majority", journal: true, wtimeoutMS: 5000 } satisfies MongoClientOptions["writeConcern"];

/** The client of one process: it connects on first use, and reconnects after an outage. */
export class MongoConnection {
  readonly #url: string;
  readonly #name: string;
  readonly #client: MongoClient;
  #connected: Promise<MongoClient> | undefined;

  /** Throws ConfigError if the address is invalid. */
  constructor(url: string) {
    this.#url = url;
    this.#client = createClient(url);
    this.#name = databaseNamedIn(url);
  }

  /**
   * The connected client. Only the first connection is made here: the driver gives up permanently on a client whose
   * first attempt failed, but reconnects by itself after later outages.
   */
  connected(): Promise<MongoClient> {
    this.#connected ??= this.#client.connect().catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }

  /** The database named in the address. */
  databaseOf(client: MongoClient): Db {
    return client.db(this.#name);
  }

  /** Runs work on a separate client without command timeouts, for example to build an index of a large collection. */
  async patiently<R>(work: (database: Db) => Promise<R>): Promise<R> {
    const client = createClient(this.#url, { socketTimeoutMS: 0, maxPoolSize: 1 });
    try {
      return await work(this.databaseOf(client));
    } finally {
      await client.close();
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** The path between hosts and options. For an address without it, the driver itself would use `test`. */
function databaseNamedIn(url: string): string {
  const named = /^[^:]+:\/\/[^/?]*\/([^?]+)/.exec(url)?.[1];
  return named === undefined ? DEFAULT_DATABASE : decodeURIComponent(named);
}

function createClient(url: string, overriding: MongoClientOptions = {}): MongoClient {
  const given = new Set([...new URLSearchParams(url.split("?")[1] ?? "").keys()].map((name) => name.toLowerCase()));
  const unlessGiven = <O extends object>(options: O): Partial<O> =>
    Object.fromEntries(Object.entries(options).filter(([name]) => !given.has(name.toLowerCase()))) as Partial<O>;
  try {
    return new MongoClient(url, { ...unlessGiven(DEFAULTS), writeConcern: unlessGiven(WRITE_CONCERN), ...overriding });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`Wrong configuration: MONGODB_URL cannot be used: ${reason}`, { cause: error });
  }
}
