import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogger } from "../log.js";
import { openSqliteStore, type SqliteStore } from "./sqlite/sqlite-store.js";
import { SharedKey, type StoredKey } from "./shared-key.js";
import type { Collection } from "./store.js";

const log = createLogger("silent");

describe("a key that processes share through the store", () => {
  let dataDir: string;
  let store: SqliteStore;
  let keys: Collection<StoredKey>;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-keys-"));
    store = await openSqliteStore({ dataDir, log });
    keys = await store.collection<StoredKey>({ name: "keys" });
  });
  afterEach(async () => {
    await store.close();
    await rm(dataDir, { recursive: true });
  });

  it("is the same for all that read it at once", async () => {
    const read = await Promise.all(Array.from({ length: 5 }, () => new SharedKey(keys, "links").read()));
    expect(new Set(read).size).toBe(1);
    expect(Buffer.from(read[0] ?? "", "base64url")).toHaveLength(32);
  });

  it("is another for each use", async () => {
    expect(await new SharedKey(keys, "links").read()).not.toBe(await new SharedKey(keys, "tombstones").read());
  });

  it("is read again after the store has failed", async () => {
    const key = new SharedKey(keys, "links");
    vi.spyOn(keys, "get").mockRejectedValueOnce(new Error("away"));
    await expect(key.read()).rejects.toThrow("away");
    expect(await key.read()).toBe(await new SharedKey(keys, "links").read());
  });
});
