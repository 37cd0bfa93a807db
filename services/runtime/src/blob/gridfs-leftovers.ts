import type { Collection, Db } from "mongodb";
import { isIdTaken } from "../store/mongo/failures.js";
import type { MongoGate } from "../store/mongo/gate.js";

/** A file being uploaded, or one without a key. Every file has an entry unless a key certainly refers to it. */
export interface Leftover {
  /** Id of the file. */
  _id: string;
  key: string;
  state: "incoming" | "replaced";
  /** On the server's clock, because the clocks of processes may differ. */
  at: Date;
}

/** Sets and renews the entry of a file. */
export async function noteLeftover(gate: MongoGate, entry: Omit<Leftover, "at">): Promise<void> {
  const { _id, key, state } = entry;
  const change = { $set: { key, state }, $currentDate: { at: true as const } };
  await gate.run(async (database) => {
    try {
      await leftoversOf(database).updateOne({ _id }, change, { upsert: true });
    } catch (error) {
      if (!isIdTaken(error)) throw error; // another process has just recorded it
    }
  });
}

/** Removes the entry of a file that a key now refers to, unless another process has replaced the file meanwhile. */
export async function forgetUpload(gate: MongoGate, id: string): Promise<void> {
  await gate.run((database) => leftoversOf(database).deleteOne({ _id: id, state: "incoming" }));
}

/** Removes an entry, unless it was renewed since it was read. */
export async function forgetLeftover(gate: MongoGate, { _id, at }: Leftover): Promise<void> {
  await gate.run((database) => leftoversOf(database).deleteOne({ _id, at }));
}

/** Entries older than the maximum age of their state, in milliseconds; at most 100, oldest first. */
export async function dueLeftovers(gate: MongoGate, ages: Record<Leftover["state"], number>): Promise<Leftover[]> {
  return gate.run(async (database) => {
    const { localTime } = await database.admin().command({ hello: 1 });
    const now = (localTime as Date).getTime();
    const due = Object.entries(ages).map(([state, age]) => ({ state, at: { $lt: new Date(now - age) } }));
    const where = { $or: due as { state: Leftover["state"]; at: { $lt: Date } }[] };
    return leftoversOf(database).find(where).sort({ at: 1 }).limit(100).toArray();
  });
}

/** Entries of the files that the key, or any, referred to before. */
export async function replacedFiles(gate: MongoGate, key?: string): Promise<Leftover[]> {
  const where = { state: "replaced", ...(key === undefined ? {} : { key }) } as const;
  return gate.run((database) => leftoversOf(database).find(where).toArray());
}

function leftoversOf(database: Db): Collection<Leftover> {
  return database.collection<Leftover>("blobs.leftovers");
}
