import { openEmbeddedQueue, openSqliteStore } from "@hourglass/runtime";
import { fileClaimsContract } from "../../contract/file-claims-contract.js";
import { fileLifeContract } from "../../contract/file-life-contract.js";
import type { FileStorage, FileWorld } from "../../contract/media-world.js";
import { freshFolder, silent } from "../../contract/support.js";
import { freshMongo } from "./mongo-world.js";

/** Records and bytes in MongoDB; the queue has its own suites, so the embedded one is used here. */
async function openWorld(): Promise<FileWorld> {
  const mongo = await freshMongo();
  const { folder, remove } = await freshFolder();
  const local = await openSqliteStore({ dataDir: folder, log: silent });
  const queue = await openEmbeddedQueue({ database: local.database, log: silent, pollMs: 10 });
  const again = async (): Promise<FileStorage> => {
    const { store, blobs } = await mongo.again();
    return { store, blobs, queue };
  };
  const close = async () => {
    await queue.close();
    await local.close();
    await mongo.close();
    await remove();
  };
  return { storage: await again(), again, close };
}

fileClaimsContract("mongo", openWorld, { rounds: 30 });
fileLifeContract("mongo", openWorld);
