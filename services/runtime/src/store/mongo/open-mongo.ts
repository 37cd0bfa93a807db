import type { Mongo, MongoOptions } from "./mongo.js";

export type { Mongo, MongoOptions } from "./mongo.js";

/**
 * The store and the blobs in one MongoDB database, over one pool of connections. It resolves without asking the server:
 * while that is away every method fails as AppError `unavailable` within seconds, and works once it is back. Throws
 * ConfigError when the address cannot be used. The driver is loaded here and not at import: a process
 * without MongoDB does not pay for it.
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const mongo = await import("./mongo.js");
  return mongo.buildMongo(options);
}
