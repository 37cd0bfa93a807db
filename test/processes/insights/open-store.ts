import { createLogger, openSqliteStore, openMongo, type Store } from "@hourglass/runtime";
import type { TestStorage } from "../../support/test-storage.js";

/** A store that is opened beside a running product. */
export interface OpenedStore {
  store: Store;
  close(): Promise<void>;
}

/** Opens the records of a product under test. */
export async function openStore({ env, dataDir }: TestStorage): Promise<OpenedStore> {
  const log = createLogger("silent");
  const url = env["MONGODB_URL"];
  if (url !== undefined) return openMongo({ url, log });
  const store = await openSqliteStore({ dataDir, log });
  return { store, close: () => store.close() };
}
