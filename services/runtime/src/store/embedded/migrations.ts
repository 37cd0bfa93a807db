import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../log.js";
import { mustBeNumbered } from "../migration-order.js";
import type { Migration, Store } from "../store.js";
import { Connection } from "./file/connection.js";
import { makePrivate, type EmbeddedDatabase } from "./database.js";
import { isBusy, toStoreFailure, unavailable } from "./file/failures.js";

export interface MigrateDeps {
  store: Store;
  database: EmbeddedDatabase;
  dataDir: string;
  log: Logger;
}

/** Applies pending migrations; waits while another process does so. */
export async function applyMigrations(deps: MigrateDeps, migrations: readonly Migration[]): Promise<void> {
  mustBeNumbered(migrations);
  const unlock = await lock(deps);
  try {
    for (const migration of migrations) await applyOnce(deps, migration);
  } finally {
    unlock();
  }
}

async function applyOnce({ store, database, log }: MigrateDeps, migration: Migration): Promise<void> {
  const { owner, version } = migration;
  const applied = database.get("SELECT 1 FROM migrations WHERE owner = ? AND version = ?", [owner, version]);
  if (applied !== undefined) return;
  await migration.up(store);
  const values = [owner, version, new Date().toISOString()];
  await database.write((connection) => connection.run("INSERT INTO migrations VALUES (?, ?, ?)", values));
  log.info({ owner, version }, "migrated");
}

/**
 * A lock on a separate file: a migration writes in several transactions, so the database itself cannot be locked. The
 * operating system releases it when the process ends for any reason.
 */
async function lock({ dataDir, log }: MigrateDeps): Promise<() => void> {
  const file = join(dataDir, "migrate.lock");
  await makePrivate(file).catch((error: unknown) => {
    throw unavailable(error);
  });
  const connection = new Connection(file, 0);
  let isLogged = false;
  for (;;) {
    try {
      connection.exec("BEGIN EXCLUSIVE");
      return () => {
        connection.exec("ROLLBACK");
        connection.close();
      };
    } catch (error) {
      if (!isBusy(error)) {
        connection.close();
        throw toStoreFailure(error);
      }
    }
    if (!isLogged) log.info("waiting for another process that migrates the data");
    isLogged = true;
    await sleep(50);
  }
}
