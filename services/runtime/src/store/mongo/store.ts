import type { Logger } from "../../log.js";
import { mustBeSpendable } from "../budget.js";
import type { Committed, Step } from "../steps.js";
import type { Budget, Collection, CollectionSpec, Document, Migration, Store } from "../store.js";
import { spendUnits } from "./budgets.js";
import { MongoDocuments } from "./collection.js";
import { commitSteps } from "./commit.js";
import { mustHoldNoPart } from "./contents.js";
import { MongoCounters } from "./counters.js";
import type { MongoGate } from "./gate.js";
import { ensureCollection } from "./indexes.js";
import { applyMigrations } from "./migrations.js";
import { collectionName } from "./query.js";

/** The store in MongoDB. It keeps no documents in memory: any number of processes may use one database. */
export class MongoStore implements Store {
  readonly #gate: MongoGate;
  readonly #log: Logger;
  readonly #counters: MongoCounters;
  /** Settled once the database is known to hold no part of a copy. */
  #whole: Promise<void> | undefined;

  constructor(gate: MongoGate, log: Logger) {
    this.#gate = gate;
    this.#log = log;
    this.#counters = new MongoCounters(gate);
  }

  async collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>> {
    const name = collectionName(spec.name);
    await this.#mustBeWhole();
    const indexes = spec.indexes ?? [];
    await ensureCollection(this.#gate, name, indexes);
    const uniques = indexes.filter(({ unique }) => unique === true).map(({ fields }) => fields);
    return new MongoDocuments<T>(this.#gate, name, uniques);
  }

  commit<const S extends readonly Step[]>(steps: S): Promise<Committed<S>> {
    return commitSteps(this.#gate, steps);
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
    return this.#gate.run((database) => spendUnits(database, budget, units));
  }

  migrate(migrations: readonly Migration[]): Promise<void> {
    return applyMigrations({ store: this, gate: this.#gate, log: this.#log }, migrations);
  }

  async ping(): Promise<void> {
    await this.#gate.run((database) => database.command({ ping: 1 }));
  }

  close(): Promise<void> {
    return this.#gate.close();
  }

  /** Checked by the first collection: every service opens its own before it reads or writes anything. */
  #mustBeWhole(): Promise<void> {
    this.#whole ??= mustHoldNoPart(this.#gate).catch((error: unknown) => {
      this.#whole = undefined;
      throw error;
    });
    return this.#whole;
  }
}
