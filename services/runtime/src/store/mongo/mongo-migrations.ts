import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Collection, Db, OptionalUnlessRequiredId } from "mongodb";
import type { Logger } from "../../log.js";
import { applyMigration, mustBeKnown, mustBeNumbered, type Versions } from "../migrations.js";
import { type Migration, type Store, storeUnavailable } from "../store.js";
import { OWN } from "./mongo-collection.js";
import type { MongoDatabase } from "./mongo-database.js";
import { isIdTaken } from "./mongo-errors.js";

/** An applied migration. */
interface Applied {
  /** Owner and version, for example `insight 2`. */
  _id: string;
  at: Date;
}

/** Applies pending migrations, in order; waits while another process does so. */
export async function applyMigrations(
  store: Store,
  migrations: readonly Migration[],
  { database, log }: { database: MongoDatabase; log: Logger },
): Promise<void> {
  mustBeNumbered(migrations);
  if ((await pending(database, migrations)).length === 0) return;
  const lock = await MongoLock.acquire("migrations", database, log);
  try {
    // Another process may have applied them meanwhile.
    for (const migration of await pending(database, migrations)) {
      lock.mustBeHeld();
      const record = async () => {
        lock.mustBeHeld();
        await database.run((db) => insertNew(appliedIn(db), { _id: idOf(migration), at: new Date() }));
      };
      await applyMigration(migration, { store, log, record });
    }
  } finally {
    await lock.release();
  }
}

/** Throws AppError `conflict` if a newer release has migrated the database. */
export async function mustBeOfKnownRelease(database: MongoDatabase, knows: Versions): Promise<void> {
  const found = await database.run((db) => appliedIn(db).find({}).sort({ _id: 1 }).toArray());
  const applied = found.map(({ _id }) => {
    const [owner = "", version = ""] = _id.split(" ");
    return { owner, version: Number(version) };
  });
  mustBeKnown(applied, { knows, place: "MongoDB" });
}

async function pending(database: MongoDatabase, migrations: readonly Migration[]): Promise<Migration[]> {
  const found = await database.run((db) => appliedIn(db).find({}).toArray());
  const applied = new Set(found.map(({ _id }) => _id));
  return migrations.filter((migration) => !applied.has(idOf(migration)));
}

function idOf({ owner, version }: Migration): string {
  return `${owner} ${version}`;
}

const appliedIn = (db: Db): Collection<Applied> => db.collection<Applied>(OWN.migrations);
const locksIn = (db: Db): Collection<LockDocument> => db.collection<LockDocument>(OWN.locks);

/** Inserts a document unless its id is taken; returns whether it was not. */
async function insertNew<T extends { _id: string }>(
  collection: Collection<T>,
  document: OptionalUnlessRequiredId<T>,
): Promise<boolean> {
  try {
    await collection.insertOne(document);
    return true;
  } catch (error) {
    if (isIdTaken(error)) return false;
    throw error;
  }
}

const BEAT_MS = 1000;
const POLL_MS = 200;
/** A holder without a heartbeat for this long is considered dead, in milliseconds. */
const DEAD_AFTER_MS = 10_000;

interface LockDocument {
  _id: string;
  holder: string;
  /** Grows as long as the holder lives. */
  beat: number;
}

/**
 * A lock that one process holds at a time. No clocks are compared: a waiting process measures how long the holder's
 * document has been unchanged, and takes it over with a write that succeeds only if it is still unchanged.
 */
class MongoLock {
  readonly #database: MongoDatabase;
  readonly #log: Logger;
  readonly #mine: Pick<LockDocument, "_id" | "holder">;
  readonly #beating: NodeJS.Timeout;
  #isLost = false;

  private constructor(mine: Pick<LockDocument, "_id" | "holder">, database: MongoDatabase, log: Logger) {
    this.#mine = mine;
    this.#database = database;
    this.#log = log;
    this.#beating = setInterval(() => void this.#beat(), BEAT_MS).unref();
  }

  /** Waits until the lock is free, or its holder is dead. */
  static async acquire(name: string, database: MongoDatabase, log: Logger): Promise<MongoLock> {
    const mine = { _id: name, holder: randomUUID() };
    let seen: LockDocument | undefined;
    let seenAt = 0;
    for (;;) {
      const found = await database.run((db) => locksIn(db).findOne({ _id: name }));
      if (found === null) {
        if (await database.run((db) => insertNew(locksIn(db), { ...mine, beat: 0 }))) break;
      } else if (found.holder !== seen?.holder || found.beat !== seen.beat) {
        if (seen === undefined) log.info({ lock: name }, "waiting for another process that has the lock");
        seen = found;
        seenAt = performance.now();
      } else if (performance.now() - seenAt > DEAD_AFTER_MS) {
        const takeOver = { $set: { holder: mine.holder, beat: 0 } };
        const { modifiedCount } = await database.run((db) => locksIn(db).updateOne(found, takeOver));
        if (modifiedCount === 1) break;
      }
      await sleep(POLL_MS);
    }
    return new MongoLock(mine, database, log);
  }

  /** Throws AppError `unavailable` if another process took over the lock because of missing heartbeats. */
  mustBeHeld(): void {
    if (this.#isLost) throw storeUnavailable(new Error(`Another process has taken the lock ${this.#mine._id}.`));
  }

  async release(): Promise<void> {
    clearInterval(this.#beating);
    try {
      await this.#database.run((db) => locksIn(db).deleteOne(this.#mine));
    } catch (error) {
      // Others take it over once its heartbeat is missing.
      this.#log.warn({ err: error, lock: this.#mine._id }, "a held lock could not be given back");
    }
  }

  async #beat(): Promise<void> {
    try {
      const beaten = await this.#database.run((db) => locksIn(db).updateOne(this.#mine, { $inc: { beat: 1 } }));
      this.#isLost ||= beaten.matchedCount === 0;
    } catch (error) {
      this.#log.warn({ err: error, lock: this.#mine._id }, "a held lock could not be renewed");
    }
  }
}
