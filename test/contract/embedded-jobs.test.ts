import { type SqliteStore, openEmbeddedQueue, openSqliteStore, type Queue } from "@hourglass/runtime";
import { jobsContract } from "./jobs-contract.js";
import type { JobsStorage, JobsWorld } from "./jobs-world.js";
import { freshFolder, silent } from "./support.js";

async function openWorld(): Promise<JobsWorld> {
  const { folder, remove } = await freshFolder();
  const opened: { store: SqliteStore; queue: Queue }[] = [];
  const again = async (): Promise<JobsStorage> => {
    const store = await openSqliteStore({ dataDir: folder, log: silent });
    const queue = await openEmbeddedQueue({ database: store.database, log: silent, pollMs: 10, backoffMs: 20 });
    opened.push({ store, queue });
    return { store, queue };
  };
  const close = async () => {
    await Promise.all(opened.map(({ queue }) => queue.close()));
    await Promise.all(opened.map(({ store }) => store.close()));
    await remove();
  };
  return { storage: await again(), again, close };
}

jobsContract("embedded", openWorld, { leaseMs: 600, dueRecords: 250, isLocal: true });
