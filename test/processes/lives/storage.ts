import path from "node:path";
import {
  type Blobs,
  createLogger,
  openEmbeddedQueue,
  openFileBlobs,
  openMongo,
  openRabbitQueue,
  openSqliteStore,
  type Queue,
  type Store,
} from "@hourglass/runtime";

/** What a process that may be killed works on. */
export interface LifeStorage {
  store: Store;
  queue: Queue;
  blobs: Blobs;
  close(): Promise<void>;
}

/** What a killed process has taken from the embedded queue is free again soon. */
const LEASE_MS = 300;
const POLL_MS = 5;

/** Opens the storage that the variables of a TestStorage name. */
export async function openLifeStorage(env: Readonly<Record<string, string | undefined>>): Promise<LifeStorage> {
  const log = createLogger("silent");
  const { DATA_DIR: dataDir, MONGODB_URL: mongodb, AMQP_URL: amqp, AMQP_PREFIX: prefix = "" } = env;
  if (dataDir === undefined) throw new Error("DATA_DIR is not set");
  if (mongodb === undefined || amqp === undefined) {
    const store = await openSqliteStore({ dataDir, log });
    const queue = await openEmbeddedQueue({ database: store.database, log, leaseMs: LEASE_MS, pollMs: POLL_MS });
    const blobs = await openFileBlobs({ folder: path.join(dataDir, "files") });
    return { store, queue, blobs, close: () => closeAll(queue, store) };
  }
  const mongo = await openMongo({ url: mongodb, log });
  const queue = await openRabbitQueue({ url: amqp, prefix, log });
  return { store: mongo.store, queue, blobs: mongo.blobs, close: () => closeAll(queue, mongo) };
}

async function closeAll(...parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close();
}
