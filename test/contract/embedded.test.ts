import path from "node:path";
import { openEmbeddedQueue, openSqliteStore, openFileBlobs, type SqliteStore, type Queue } from "@hourglass/runtime";
import { blobsContract, type BlobsWorld } from "./blobs-contract.js";
import { queueContract } from "./queue-contract.js";
import type { MortalQueue, QueueWorld } from "./queue-world.js";
import { storeContract } from "./store-contract.js";
import type { StoreWorld } from "./store-world.js";
import { freshFolder, silent } from "./support.js";

/** Far below the defaults, so that tests are fast. */
const FAST = { leaseMs: 1000, pollMs: 10, backoffMs: 20 };

async function openStore(): Promise<StoreWorld> {
  const { folder, remove } = await freshFolder();
  const stores: SqliteStore[] = [];
  const again = async (): Promise<SqliteStore> => {
    const store = await openSqliteStore({ dataDir: path.join(folder, "data"), log: silent });
    stores.push(store);
    return store;
  };
  const close = async (): Promise<void> => {
    await Promise.all(stores.map((store) => store.close()));
    await remove();
  };
  const store = await again();
  return { store, contents: store.contents, again, close };
}

async function openQueue(): Promise<QueueWorld> {
  const { folder, remove } = await freshFolder();
  const opened: { queue: Queue; store: SqliteStore }[] = [];
  const again = async (): Promise<MortalQueue> => {
    const store = await openSqliteStore({ dataDir: folder, log: silent });
    const queue = await openEmbeddedQueue({ database: store.database, log: silent, ...FAST });
    opened.push({ queue, store });
    return { queue, die: () => store.close() };
  };
  const close = async (): Promise<void> => {
    // A dead instance cannot return its messages.
    await Promise.allSettled(opened.map(({ queue }) => queue.close()));
    await Promise.all(opened.map(({ store }) => store.close()));
    await remove();
  };
  return { queue: (await again()).queue, again, close, leaseMs: FAST.leaseMs };
}

async function openBlobs(): Promise<BlobsWorld> {
  const { folder, remove } = await freshFolder();
  const again = (): ReturnType<typeof openFileBlobs> => openFileBlobs({ folder: path.join(folder, "files") });
  return { blobs: await again(), again, close: remove };
}

storeContract("embedded", openStore);
queueContract("embedded", openQueue, { isLocal: true });
blobsContract("embedded", openBlobs);
