import type { Db } from "mongodb";
import { isIdTaken, unavailable } from "./failures.js";
import type { MongoGate } from "./gate.js";

/** The store's own collections begin with `_`, which no service's may. */
const COUNTERS = "_counters";
const TRIES = 5;

interface Counter {
  _id: string;
  /** The last number that was given. */
  value: number;
}

interface Caller {
  resolve(value: number): void;
  reject(error: unknown): void;
}

/**
 * Named counters. Callers of one process that come while a counter is being asked get their numbers together, with the
 * next question: otherwise many writes at once would get into each other's way at one document.
 */
export class MongoCounters {
  readonly #gate: MongoGate;
  /** Callers who wait for the answer under way, by counter; no entry when none is. */
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
        // Those who came meanwhile have waited as well, and the next question would fare no better.
        for (const caller of [...callers, ...(this.#waiting.get(counter) ?? [])]) caller.reject(error);
        break;
      }
    }
    this.#waiting.delete(counter);
  }
}

/** The counter is made first and counted up then: making it in the same command would be a race to make it. */
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
