import type { Db } from "mongodb";
import { isIdTaken, unavailable } from "./failures.js";
import type { MongoGate } from "./gate.js";

/** Names of the store's own collections begin with `_`, which is not allowed for services. */
export const COUNTERS = "_counters";
const TRIES = 5;

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
export class MongoCounters {
  readonly #gate: MongoGate;
  /** Callers waiting for the request in progress, by counter; no entry if there is no request. */
  readonly #waiting = new Map<string, Caller[]>();

  constructor(gate: MongoGate) {
    this.#gate = gate;
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
        const last = await this.#gate.run((database) => countUp(database, counter, callers.length));
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
async function countUp(database: Db, counter: string, by: number): Promise<number> {
  const counters = database.collection<Counter>(COUNTERS);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const change = { $inc: { value: by } };
    const counted = await counters.findOneAndUpdate({ _id: { $eq: counter } }, change, { returnDocument: "after" });
    if (counted !== null) return counted.value;
    await counters.insertOne({ _id: counter, value: 0 }).catch((error: unknown) => {
      if (!isIdTaken(error)) throw error;
    });
  }
  throw unavailable(new Error(`The counter ${counter} was made and is not there.`));
}
