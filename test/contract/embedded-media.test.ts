import path from "node:path";
import { openEmbeddedQueue, openSqliteStore, openFileBlobs } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import { fileClaimsContract } from "./file-claims-contract.js";
import { fileLifeContract } from "./file-life-contract.js";
import type { FileStorage, FileWorld } from "./media-world.js";
import { freshFolder, silent } from "./support.js";

async function openWorld(): Promise<FileWorld> {
  const { folder, remove } = await freshFolder();
  const ends: (() => Promise<void>)[] = [];
  const again = async (): Promise<FileStorage> => {
    const store = await openSqliteStore({ dataDir: folder, log: silent });
    const queue = await openEmbeddedQueue({ database: store.database, log: silent, pollMs: 10 });
    ends.unshift(async () => {
      await queue.close();
      await store.close();
    });
    return { store, queue, blobs: await openFileBlobs({ folder: path.join(folder, "files") }) };
  };
  const close = async () => {
    for (const end of ends) await end();
    await remove();
  };
  return { storage: await again(), again, close };
}

fileClaimsContract("embedded", openWorld, { rounds: repeats(1000) });
fileLifeContract("embedded", openWorld);
