import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Collection, Db } from "mongodb";
import type { Logger } from "../../log.js";
import { isIdTaken, unavailable } from "./failures.js";
import type { MongoGate } from "./gate.js";

const LOCKS = "_locks";
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

/** An acquired lock. */
export interface MongoLock {
  /** Throws AppError `unavailable` if another process took over the lock because of missing heartbeats. */
  mustBeHeld(): void;
  release(): Promise<void>;
}

export interface LockOptions {
  gate: MongoGate;
  log: Logger;
  name: string;
}

/**
 * Waits for a lock that one process holds at a time. No clocks are compared: a waiting process measures how long the
 * holder's document has been unchanged, and takes it over with a write that succeeds only if it is still unchanged.
 */
export async function acquireLock(options: LockOptions): Promise<MongoLock> {
  const { gate, log, name } = options;
  const holder = randomUUID();
  let seen: LockDocument | undefined;
  let seenAt = 0;
  for (;;) {
    const found = await gate.run((database) => locksOf(database).findOne({ _id: name }));
    if (found === null) {
      if (await make(gate, { _id: name, holder, beat: 0 })) break;
    } else if (found.holder !== seen?.holder || found.beat !== seen.beat) {
      if (seen === undefined) log.info({ lock: name }, "waiting for another process that has the lock");
      seen = found;
      seenAt = performance.now();
    } else if (performance.now() - seenAt > DEAD_AFTER_MS && (await takeOver(gate, found, holder))) break;
    await sleep(POLL_MS);
  }
  return hold(options, holder);
}

/** Creates the lock; true if no other process held it. */
async function make(gate: MongoGate, lock: LockDocument): Promise<boolean> {
  return gate.run(async (database) => {
    try {
      await locksOf(database).insertOne(lock);
      return true;
    } catch (error) {
      if (isIdTaken(error)) return false;
      throw error;
    }
  });
}

/** Takes over the lock; true if its holder has still not renewed it. */
async function takeOver(gate: MongoGate, { _id, holder, beat }: LockDocument, heir: string): Promise<boolean> {
  const change = { $set: { holder: heir, beat: 0 } };
  const { modifiedCount } = await gate.run((database) => locksOf(database).updateOne({ _id, holder, beat }, change));
  return modifiedCount === 1;
}

function hold({ gate, log, name }: LockOptions, holder: string): MongoLock {
  let lost = false;
  const mine = { _id: name, holder };
  const timer = setInterval(() => {
    gate
      .run((database) => locksOf(database).updateOne(mine, { $inc: { beat: 1 } }))
      .then(({ matchedCount }) => {
        lost ||= matchedCount === 0;
      })
      .catch((error: unknown) => log.warn({ err: error, lock: name }, "a held lock could not be renewed"));
  }, BEAT_MS).unref();
  return {
    mustBeHeld: () => {
      if (lost) throw unavailable(new Error(`Another process has taken the lock ${name}.`));
    },
    release: async () => {
      clearInterval(timer);
      // If the lock cannot be released, others take it over once its heartbeat is missing.
      await gate
        .run((database) => locksOf(database).deleteOne(mine))
        .catch((error: unknown) => log.warn({ err: error, lock: name }, "a held lock could not be given back"));
    },
  };
}

function locksOf(database: Db): Collection<LockDocument> {
  return database.collection<LockDocument>(LOCKS);
}
