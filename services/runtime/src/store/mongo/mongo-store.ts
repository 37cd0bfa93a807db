import type { Db } from "mongodb";
import type { Logger } from "../../log.js";
import {
  type Budget,
  type Collection,
  type CollectionSpec,
  type Committed,
  type Document,
  type Migration,
  mustBeSpendable,
  type Step,
  type Store,
  storeUnavailable,
} from "../store.js";
import { collectionName, ensureCollection, MongoCollection, OWN } from "./mongo-collection.js";
import { commitSteps } from "./mongo-commit.js";
import { mustHoldNoPart } from "./mongo-contents.js";
import type { MongoDatabase } from "./mongo-database.js";
import { isIdTaken } from "./mongo-errors.js";
import type { Versions } from "../migrations.js";
import { applyMigrations, mustBeOfKnownRelease } from "./mongo-migrations.js";

/** Attempts to change a document of the store's own after making it. */
const TRIES = 5;

/** The store in MongoDB. It keeps no documents in memory: any number of processes may use one database. */
export class MongoStore implements Store {
  readonly #database: MongoDatabase;
  readonly #log: Logger;
  readonly #knows: Versions | undefined;
  readonly #counters: MongoCounters;
  /** Settled once the database is known to hold no part of a copy, and no data of a newer release. */
  #usable: Promise<void> | undefined;

  /** `knows`: the versions of data that this release has; data of a later one is refused. Default: all are taken. */
  constructor(database: MongoDatabase, log: Logger, knows?: Versions) {
    this.#database = database;
    this.#log = log;
    this.#knows = knows;
    this.#counters = new MongoCounters(database);
  }

  async collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>> {
    const name = collectionName(spec.name);
    await this.#mustBeUsable();
    const indexes = spec.indexes ?? [];
    await ensureCollection(this.#database, name, indexes);
    const uniques = indexes.filter(({ unique }) => unique === true).map(({ fields }) => fields);
    return new MongoCollection<T>(this.#database, name, uniques);
  }

  commit<const S extends readonly Step[]>(steps: S): Promise<Committed<S>> {
    return commitSteps(this.#database, steps);
  }

  /** Telling would take a read of each collection. */
  versionOf(): undefined {
    return undefined;
  }

  /** A value is skipped if its write was not acknowledged to a caller. */
  nextId(counter: string): Promise<number> {
    return this.#counters.next(counter);
  }

  async insertNext<T extends Document & { id: number }>(
    collection: Collection<T>,
    counter: string,
    document: Omit<T, "id">,
  ): Promise<number> {
    const id = await this.nextId(counter);
    await collection.insert({ id, ...document } as T);
    return id;
  }

  spend(budget: Budget, units: number): Promise<number | undefined> {
    mustBeSpendable(budget, units);
    return this.#database.run((db) => spendUnits(db, budget, units));
  }

  migrate(migrations: readonly Migration[]): Promise<void> {
    return applyMigrations(this, migrations, { database: this.#database, log: this.#log });
  }

  async ping(): Promise<void> {
    await this.#database.run((db) => db.command({ ping: 1 }));
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Checked by the first collection: every service opens its own before it reads or writes anything. */
  #mustBeUsable(): Promise<void> {
    this.#usable ??= this.#checkUsable().catch((error: unknown) => {
      this.#usable = undefined;
      throw error;
    });
    return this.#usable;
  }

  async #checkUsable(): Promise<void> {
    await mustHoldNoPart(this.#database);
    if (this.#knows !== undefined) await mustBeOfKnownRelease(this.#database, this.#knows);
  }
}

interface Counter {
  _id: string;
  /** The last number issued. */
  value: number;
}

interface Caller {
  resolve(value: number): void;
  reject(error: unknown): void;
}

/**
 * Named counters. Callers of one process that arrive while a request for a counter is in progress share the next
 * request; otherwise many concurrent writes would conflict on one document.
 */
class MongoCounters {
  readonly #database: MongoDatabase;
  /** Callers waiting for the request in progress, by counter; no entry if there is no request. */
  readonly #waiting = new Map<string, Caller[]>();

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  next(counter: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(counter);
      waiting?.push({ resolve, reject });
      if (waiting === undefined) void this.#serve(counter, { resolve, reject });
    });
  }

  async #serve(counter: string, first: Caller): Promise<void> {
    for (let callers = [first]; callers.length > 0; callers = this.#waiting.get(counter) ?? []) {
      this.#waiting.set(counter, []);
      try {
        const last = await this.#database.run((db) => countUp(db, counter, callers.length));
        for (const [index, caller] of callers.entries()) caller.resolve(last - callers.length + 1 + index);
      } catch (error) {
        // Callers that arrived meanwhile have waited too, and the next request would also fail.
        for (const caller of [...callers, ...(this.#waiting.get(counter) ?? [])]) caller.reject(error);
        break;
      }
    }
    this.#waiting.delete(counter);
  }
}

/** Creates the counter before incrementing it: an upsert of concurrent callers would be a race. */
async function countUp(db: Db, counter: string, by: number): Promise<number> {
  const counters = db.collection<Counter>(OWN.counters);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const change = { $inc: { value: by } };
    const counted = await counters.findOneAndUpdate({ _id: { $eq: counter } }, change, { returnDocument: "after" });
    if (counted !== null) return counted.value;
    await counters.insertOne({ _id: counter, value: 0 }).catch((error: unknown) => {
      if (!isIdTaken(error)) throw error;
    });
  }
  throw storeUnavailable(new Error(`The counter ${counter} was made and is not there.`));
}

interface Spent {
  _id: string;
  window: string;
  spent: number;
}

/** Spends units. Each command checks and changes one document atomically, so concurrent callers cannot overspend. */
async function spendUnits(db: Db, { name, window, limit }: Budget, units: number): Promise<number | undefined> {
  const budgets = db.collection<Spent>(OWN.budgets);
  const id = { _id: { $eq: name } };
  for (let tries = 0; tries < TRIES; tries += 1) {
    await budgets.updateOne({ ...id, window: { $lt: window } }, { $set: { window, spent: 0 } });
    const affordable = { ...id, spent: { $lte: limit - units } };
    const after = await budgets.findOneAndUpdate(affordable, { $inc: { spent: units } }, { returnDocument: "after" });
    if (after !== null) return after.spent;
    if ((await budgets.findOne(id)) !== null) return undefined;
    await budgets.insertOne({ _id: name, window, spent: 0 }).catch((error: unknown) => {
      if (!isIdTaken(error)) throw error;
    });
  }
  throw storeUnavailable(new Error(`The budget ${name} was made and is not there.`));
}
