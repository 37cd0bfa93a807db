import type { Mongo, MongoOptions } from "./mongo.js";

export type { Mongo, MongoOptions } from "./mongo.js";

/**
 * Opens the store and the blobs in one MongoDB database, over one connection pool. Resolves without contacting the
 * server: while it is unavailable, every method fails as AppError `unavailable` within seconds, and works once it is
 * back. Throws ConfigError for an unusable address. The driver is loaded here and not at import, so that a process
 * without MongoDB does not load it.
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const mongo = await import("./mongo.js");
  return mongo.buildMongo(options);
}
