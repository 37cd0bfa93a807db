import type { Logger } from "../../log.js";
import { mustBeNumbered } from "../migration-order.js";
import type { Migration, Store } from "../store.js";
import { isIdTaken } from "./failures.js";
import type { MongoGate } from "./gate.js";
import { acquireLock, type MongoLock } from "./lock.js";

/** One document per applied migration. */
export const APPLIED = "_migrations";

interface Applied {
  /** Owner and version, for example `insight 2`. */
  _id: string;
  at: Date;
}

export interface MigrateDeps {
  store: Store;
  gate: MongoGate;
  log: Logger;
}

/** Applies pending migrations, in order; waits while another process does so. */
export async function applyMigrations(deps: MigrateDeps, migrations: readonly Migration[]): Promise<void> {
  mustBeNumbered(migrations);
  if ((await pending(deps.gate, migrations)).length === 0) return;
  const lock = await acquireLock({ gate: deps.gate, log: deps.log, name: "migrations" });
  try {
    // Another process may have applied them meanwhile.
    for (const migration of await pending(deps.gate, migrations)) await apply(deps, migration, lock);
  } finally {
    await lock.release();
  }
}

async function apply({ store, gate, log }: MigrateDeps, migration: Migration, lock: MongoLock): Promise<void> {
  const { owner, version } = migration;
  lock.mustBeHeld();
  await migration.up(store);
  lock.mustBeHeld();
  await gate.run(async (database) => {
    const applied = { _id: idOf(migration), at: new Date() };
    await database
      .collection<Applied>(APPLIED)
      .insertOne(applied)
      .catch((error: unknown) => {
        if (!isIdTaken(error)) throw error;
      });
  });
  log.info({ owner, version }, "migrated");
}

async function pending(gate: MongoGate, migrations: readonly Migration[]): Promise<Migration[]> {
  const found = await gate.run((database) => database.collection<Applied>(APPLIED).find({}).toArray());
  const applied = new Set(found.map(({ _id }) => _id));
  return migrations.filter((migration) => !applied.has(idOf(migration)));
}

function idOf({ owner, version }: Migration): string {
  return `${owner} ${version}`;
}
