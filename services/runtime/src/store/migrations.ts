import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import type { Migration, Store } from "./store.js";

/** The version of the stored data of each service. */
export type Versions = Readonly<Record<string, number>>;

/** The version of data that no migration has changed. */
const FIRST_VERSION = 1;

/**
 * The version that this release gives the stored data of each service; a store with a later one holds data of a newer
 * release. A service that changes the form of what is stored has a `Migration` to the next version, applies its migrations
 * by `Store.migrate` when it is built, and raises its number here.
 */
export const SCHEMA_VERSIONS: Versions = {
  auth: FIRST_VERSION,
  export: FIRST_VERSION,
  insight: FIRST_VERSION,
  media: FIRST_VERSION,
  operation: FIRST_VERSION,
};

/** The version of the data of a service in a store with these migrations. */
export function versionIn(applied: readonly Pick<Migration, "owner" | "version">[], owner: string): number {
  const versions = applied.filter((each) => each.owner === owner).map(({ version }) => version);
  return Math.max(FIRST_VERSION, ...versions);
}

/** Throws TypeError unless each owner's migrations are listed as 2, 3, 4 …: they are safe only in this order. */
export function mustBeNumbered(migrations: readonly Migration[]): void {
  const last = new Map<string, number>();
  for (const { owner, version } of migrations) {
    const expected = (last.get(owner) ?? FIRST_VERSION) + 1;
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
  const newer = applied.filter(({ owner, version }) => version > (knows[owner] ?? FIRST_VERSION));
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
