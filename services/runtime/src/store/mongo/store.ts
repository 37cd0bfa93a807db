import type { Db } from "mongodb";
import type { Logger } from "../../log/logger.js";
import type { Collection, CollectionSpec, Document, Migration, Store } from "../store.js";
import { MongoDocuments } from "./collection.js";
import { isIdTaken, unavailable } from "./failures.js";
import type { MongoGate } from "./gate.js";
import { ensureCollection } from "./indexes.js";
import { applyMigrations } from "./migrations.js";
import { collectionName } from "./query.js";

/** The store's own collections begin with `_`, which no service's may. */
const COUNTERS = "_counters";
const COUNTER_TRIES = 5;

interface Counter {
  _id: string;
  value: number;
}

/** The store in MongoDB. It holds nothing in memory: any number of processes may use one database. */
export class MongoStore implements Store {
  readonly #gate: MongoGate;
  readonly #log: Logger;

  constructor(gate: MongoGate, log: Logger) {
    this.#gate = gate;
    this.#log = log;
  }

  async collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>> {
    const name = collectionName(spec.name);
    await ensureCollection(this.#gate, name, spec.indexes ?? []);
    return new MongoDocuments<T>(this.#gate, name);
  }

  /** A value is skipped when its writing was acknowledged to nobody. */
  nextId(counter: string): Promise<number> {
    return this.#gate.run((database) => countUp(database, counter));
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
}

/** The counter is made first and counted up then: making it in the same command would be a race to make it. */
async function countUp(database: Db, counter: string): Promise<number> {
  const counters = database.collection<Counter>(COUNTERS);
  for (let tries = 0; tries < COUNTER_TRIES; tries += 1) {
    const change = { $inc: { value: 1 } };
    const counted = await counters.findOneAndUpdate({ _id: { $eq: counter } }, change, { returnDocument: "after" });
    if (counted !== null) return counted.value;
    await counters.insertOne({ _id: counter, value: 0 }).catch((error: unknown) => {
      if (!isIdTaken(error)) throw error;
    });
  }
  throw unavailable(new Error(`The counter ${counter} was made and is not there.`));
}
