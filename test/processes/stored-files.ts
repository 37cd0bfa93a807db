import { readdir } from "node:fs/promises";
import path from "node:path";
import { MongoClient } from "mongodb";
import type { TestStorage } from "../support/test-storage.js";

/** The keys of all stored files. */
export async function storedFiles({ env, dataDir }: TestStorage): Promise<string[]> {
  const url = env["MONGODB_URL"];
  if (url === undefined) {
    const folder = path.join(dataDir, "files", "blobs");
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    return names.filter((name) => name.endsWith(".blob")).map((name) => name.slice(0, -".blob".length));
  }
  const client = new MongoClient(url);
  try {
    // What no key refers to any more is removed by the storage itself, within two hours.
    const keys = await client.db().collection<{ _id: string }>("blobs.keys").find().toArray();
    return keys.map(({ _id }) => _id);
  } finally {
    await client.close();
  }
}
