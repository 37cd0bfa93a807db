import type { Blobs } from "../blobs/blobs.js";
import { GridFsBlobs } from "../blobs/gridfs-blobs.js";
import type { Logger } from "../log.js";
import type { Store } from "../store/store.js";
import type { Versions } from "../store/migrations.js";
import type { StoreContents } from "../store/contents.js";
import { MongoContents } from "../store/mongo/mongo-contents.js";
import { DEFAULT_CALL_MS, MongoConnection, MongoDatabase } from "../store/mongo/mongo-database.js";
import { MongoStore } from "../store/mongo/mongo-store.js";

export interface MongoOptions {
  /**
   * `mongodb://` or `mongodb+srv://`; its path names the database, default `hourglass`. Options in the url override
   * those set here. The server must be a replica set, which may have one member, because transactions require it.
   */
  url: string;
  log: Logger;
  /** Time limit of a call for one document or one response, in milliseconds. Default 5000. */
  callMs?: number;
  /** The migrations that this release has; a store with others is refused. Default: all. */
  knows?: Versions;
}

/** A MongoDB database. The connection pool is closed when both the store and the blobs are closed. */
export interface Mongo {
  store: Store;
  blobs: Blobs;
  /** The store as a whole, usable until the store is closed. */
  contents: StoreContents;
  /** Closes both. */
  close(): Promise<void>;
}

/** Binds the adapters to one client. */
export function buildMongo({ url, log, callMs = DEFAULT_CALL_MS, knows }: MongoOptions): Mongo {
  const connection = new MongoConnection(url);
  const open = new Set<string>();
  const databaseFor = (part: string): MongoDatabase => {
    open.add(part);
    return new MongoDatabase(connection, callMs, async () => {
      open.delete(part);
      if (open.size === 0) await connection.close();
    });
  };
  const database = databaseFor("store");
  const store = new MongoStore(database, log, knows);
  const blobs = new GridFsBlobs(databaseFor("blobs"), log);
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), blobs.close()]);
  };
  return { store, blobs, contents: new MongoContents(database), close };
}
