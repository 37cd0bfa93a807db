import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger, openEmbeddedQueue, openEmbeddedStore, type Queue, type Store } from "@hourglass/runtime";

/** A store and a queue for one test. */
export interface TestStorage {
  store: Store;
  queue: Queue;
  close(): Promise<void>;
}

export async function openTestStorage(): Promise<TestStorage> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-operation-"));
  const log = createLogger("silent");
  const store = await openEmbeddedStore({ dataDir, log });
  const queue = await openEmbeddedQueue({ database: store.database, log });
  return {
    store,
    queue,
    close: async () => {
      await queue.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
