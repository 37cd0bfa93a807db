import type { Blobs } from "../blobs/blobs.js";
import { GridFsBlobs } from "../blobs/gridfs-blobs.js";
import type { Logger } from "../log.js";
import type { Store } from "../store/store.js";
import type { StoreContents } from "../store/contents.js";
import { MongoConnection } from "../store/mongo/connection.js";
import { MongoContents } from "../store/mongo/contents.js";
import { DEFAULT_CALL_MS, MongoGate } from "../store/mongo/gate.js";
import { MongoStore } from "../store/mongo/store.js";

export interface MongoOptions {
  /**
   * `mongodb://` or `mongodb+srv://`; its path names the database, default `hourglass`. Options in the url override
   * those set here. The server must be a replica set, which may have one member, because transactions require it.
   */
  url: string;
  log: Logger;
  /** Time limit of a call for one document or one response, in milliseconds. Default 5000. */
  callMs?: number;
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
export function buildMongo({ url, log, callMs = DEFAULT_CALL_MS }: MongoOptions): Mongo {
  const connection = new MongoConnection(url);
  const open = new Set<string>();
  const makeGate = (part: string): MongoGate => {
    open.add(part);
    return new MongoGate(connection, callMs, async () => {
      open.delete(part);
      if (open.size === 0) await connection.close();
    });
  };
  const gate = makeGate("store");
  const store = new MongoStore(gate, log);
  const blobs = new GridFsBlobs(makeGate("blobs"), log);
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), blobs.close()]);
  };
  return { store, blobs, contents: new MongoContents(gate), close };
}
