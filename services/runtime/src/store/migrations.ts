import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import type { Migration, Store } from "./store.js";

/** The newest migration of each owner. */
export type Versions = Readonly<Record<string, number>>;

/** The newest migration of each service in this release. A store with a later one holds data of a newer release. */
export const MIGRATIONS: Versions = { insight: 6, export: 1 };

/** Throws TypeError unless each owner's migrations are listed as 1, 2, 3 …: they are safe only in this order. */
export function mustBeNumbered(migrations: readonly Migration[]): void {
  const last = new Map<string, number>();
  for (const { owner, version } of migrations) {
    const expected = (last.get(owner) ?? 0) + 1;
    if (version !== expected) throw new TypeError(`Migration ${owner} ${version} is listed where ${expected} belongs.`);
    last.set(owner, version);
  }
}

/**
 * Throws AppError `conflict` if a store was migrated by a newer release, whose data this one would misread and write over.
 * `place` names the store for the operator.
 */
export function mustBeKnown(
  applied: readonly Pick<Migration, "owner" | "version">[],
  { knows, place }: { knows: Versions; place: string },
): void {
  const newer = applied.filter(({ owner, version }) => version > (knows[owner] ?? 0));
  if (newer.length === 0) return;
  const names = newer.map(({ owner, version }) => `${owner} ${version}`).join(", ");
  throw new AppError(
    "conflict",
    `The data in ${place} is that of a newer release, and nothing was changed: it has the migrations ${names}, which this ` +
      "release does not know. Start the newer release, or restore a backup from before the upgrade (docs/upgrade.md says how).",
  );
}

/** Interval of the lines about a migration that takes long. */
const TELL_EVERY_MS = 5000;

interface ApplyOptions {
  store: Store;
  log: Pick<Logger, "info">;
  record: () => Promise<void>;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/** Applies one migration, and then has it recorded as applied. The log says that it begins, how far it is, and that it ended. */
export async function applyMigration(
  migration: Migration,
  { store, log, record, now = () => performance.now() }: ApplyOptions,
): Promise<void> {
  const { owner, version } = migration;
  const startedAt = now();
  let told = startedAt;
  let done = 0;
  const progress = (records: number): void => {
    done += records;
    if (now() - told < TELL_EVERY_MS) return;
    told = now();
    log.info({ owner, version, done, ms: Math.round(told - startedAt) }, "migrating");
  };
  log.info({ owner, version }, "a migration of the data begins");
  await migration.up(store, progress);
  await record();
  log.info({ owner, version, done, ms: Math.round(now() - startedAt) }, "migrated");
}
