import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createLogger,
  openEmbeddedQueue,
  openMongo,
  openSqliteStore,
  type Queue,
  type Store,
} from "@hourglass/runtime";

/** A fresh store with an embedded queue, and what closes them. */
export interface TestStore {
  store: Store;
  queue: Queue;
  close: () => Promise<void>;
}

const log = createLogger("silent");
/** Callers that race on a slow machine wait for long. */
const PATIENT_MS = 25_000;

/** An embedded store; with TEST_STORAGE=servers, its own database on the server at TEST_MONGODB_URL. */
export function openTestStore(): Promise<TestStore> {
  return process.env["TEST_STORAGE"] === "servers" ? openOnServer() : openInFolder();
}

async function openInFolder(): Promise<TestStore> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-insight-"));
  const store = await openSqliteStore({ dataDir, log });
  const queue = await openEmbeddedQueue({ database: store.database, log });
  const close = async (): Promise<void> => {
    await queue.close();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { store, queue, close };
}

/** The server keeps the database: that of the tests is removed after them. */
async function openOnServer(): Promise<TestStore> {
  const url = new URL(process.env["TEST_MONGODB_URL"] ?? "");
  url.pathname = `/hourglass_test_${randomBytes(6).toString("hex")}`;
  const mongo = await openMongo({ url: url.href, log, callMs: PATIENT_MS });
  const { queue, close } = await openInFolder();
  return { store: mongo.store, queue, close: async () => void (await Promise.all([mongo.close(), close()])) };
}
