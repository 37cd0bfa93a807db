import { MongoClient, type Db, type MongoClientOptions } from "mongodb";
import { ConfigError } from "../../config/variables.js";

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
