import { MongoClient, type Db, type MongoClientOptions } from "mongodb";
import { ConfigError } from "../../config/config-error.js";

const DEFAULT_DATABASE = "hourglass";

/** How long the driver looks for a server that takes writes, and tries to connect to one, in milliseconds. */
const SELECTION_MS = 3000;

/**
 * What holds unless the address says otherwise. A write is acknowledged when the journals of a majority have it, so no
 * election undoes it; a read sees only such writes.
 */
const DEFAULTS = {
  appName: "hourglass",
  readConcernLevel: "majority",
  readPreference: "primary",
  retryReads: true,
  retryWrites: true,
  serverSelectionTimeoutMS: SELECTION_MS,
  connectTimeoutMS: SELECTION_MS,
  // With the two above, a server that has fallen silent is noticed within some seconds, and its connections are closed.
  heartbeatFrequencyMS: 5000,
  // The last resort: no command may take longer, and no connection is lost to one that hangs.
  socketTimeoutMS: 30_000,
  waitQueueTimeoutMS: 3000,
  maxPoolSize: 50,
  maxIdleTimeMS: 300_000,
} satisfies MongoClientOptions;

/** A majority that is away must not hold a connection for ever. */
const WRITE_CONCERN = { w: "majority", journal: true, wtimeoutMS: 5000 } satisfies MongoClientOptions["writeConcern"];

/** The client of one process: it connects with the first use, and again after an outage. */
export class MongoConnection {
  readonly #url: string;
  readonly #name: string;
  readonly #client: MongoClient;
  #connected: Promise<MongoClient> | undefined;

  /** Throws ConfigError when the address is none. */
  constructor(url: string) {
    this.#url = url;
    this.#client = createClient(url);
    this.#name = databaseNamedIn(url);
  }

  /**
   * The client, connected. Only the first connection is made here: the driver gives up for good on a client whose first
   * attempt failed, while it sees to every later outage by itself.
   */
  connected(): Promise<MongoClient> {
    this.#connected ??= this.#client.connect().catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }

  /** The database that the address names. */
  databaseOf(client: MongoClient): Db {
    return client.db(this.#name);
  }

  /** Work on a client of its own whose commands may take as long as they need: an index of a large collection does. */
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

/** What stands between the hosts and the options. The driver itself takes `test` for an address without it. */
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
