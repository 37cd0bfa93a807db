import { randomUUID } from "node:crypto";
import type { Collection, Db } from "mongodb";
import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import { isIdTaken } from "../store/mongo/mongo-errors.js";
import type { MongoDatabase } from "../store/mongo/mongo-database.js";
import { mustBeKey, type Blobs, type ByteRange, type ListedBlob } from "./blobs.js";
import { GridFsFiles } from "./gridfs-files.js";

/** Blobs read with one command of a list. */
const LISTED_PAGE = 100;
const SWEEP_INTERVAL_MS = 10 * 60_000;
/** An upload is dead two hours after its last renewal; a replaced file has no reader after one. In milliseconds. */
const LEFTOVER_AGES = { incoming: 2 * 60 * 60_000, replaced: 60 * 60_000 };
/** Interval for the renewal of an upload's entry, in milliseconds. */
const RENEWAL_MS = 10 * 60_000;

/** The file of a key's blob. Writing this document makes the whole blob visible. */
interface Pointer {
  /** The key. */
  _id: string;
  file: string;
  /** Bytes. */
  size: number;
}

/**
 * Blobs as immutable GridFS files, and one document per key that names the file. A file is written under a new id and
 * recorded as a leftover first, so that files left by a crash are found and removed.
 */
export class GridFsBlobs implements Blobs {
  readonly #database: MongoDatabase;
  readonly #log: Logger;
  readonly #files: GridFsFiles;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: MongoDatabase, log: Logger) {
    this.#database = database;
    this.#log = log;
    this.#files = new GridFsFiles(database);
  }

  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    mustBeKey(key);
    this.#sweepFromNowOn();
    const id = randomUUID();
    const note = (): Promise<void> => noteLeftover(this.#database, { _id: id, key, state: "incoming" });
    await note();
    const size = await this.#upload({ id, name: key }, bytes, note);
    await this.#point({ _id: key, file: id, size });
    // A failure is harmless: the next sweep sees that the key refers to the file.
    await forgetUpload(this.#database, id).catch(() => undefined);
    return size;
  }

  async *get(key: string, range: ByteRange = { start: 0 }): AsyncIterable<Uint8Array> {
    mustBeKey(key);
    const pointer = await this.#find(key);
    if (pointer === undefined) throw new AppError("not-found", "There is no such file.");
    const { file, size } = pointer;
    yield* this.#files.read(file, range.start, Math.min(range.end ?? size, size));
  }

  async size(key: string): Promise<number | undefined> {
    mustBeKey(key);
    return (await this.#find(key))?.size;
  }

  /** Page by page, because a cursor is lost with its replica or after ten idle minutes. */
  async *list(): AsyncGenerator<ListedBlob> {
    for (let after = ""; ;) {
      const where = { _id: { $gt: after } };
      const page = await this.#database.run((db) =>
        pointersOf(db).find(where).sort({ _id: 1 }).limit(LISTED_PAGE).toArray(),
      );
      for (const { _id, size } of page) yield { key: _id, size };
      if (page.length < LISTED_PAGE) return;
      after = page.at(-1)?._id ?? after;
    }
  }

  async delete(key: string): Promise<void> {
    mustBeKey(key);
    for (;;) {
      const pointer = await this.#find(key);
      if (pointer === undefined) return;
      await noteLeftover(this.#database, { _id: pointer.file, key, state: "replaced" });
      const { file } = pointer;
      const { deletedCount } = await this.#database.run((db) => pointersOf(db).deleteOne({ _id: key, file }));
      if (deletedCount === 1) return;
    }
  }

  async erase(key: string): Promise<void> {
    await this.delete(key);
    await this.#removeUnused(await replacedFiles(this.#database, key));
  }

  async eraseDeleted(): Promise<void> {
    await this.#removeUnused(await replacedFiles(this.#database));
  }

  async ping(): Promise<void> {
    await this.#database.run((db) => db.command({ ping: 1 }));
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#database.close();
  }

  /** Runs in every process that writes blobs: removes the leftovers of earlier processes at once, then periodically. */
  #sweepFromNowOn(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS).unref();
    void this.#sweep();
  }

  async #sweep(): Promise<void> {
    try {
      while ((await this.#removeDue()) > 0);
    } catch (error) {
      this.#log.warn({ err: error }, "old files could not be removed, which is tried again in some minutes");
    }
  }

  /** Removes unused files left by crashes, failed uploads and replacements; returns how many entries it checked. */
  async #removeDue(): Promise<number> {
    const due = await dueLeftovers(this.#database, LEFTOVER_AGES);
    await this.#removeUnused(due);
    return due.length;
  }

  async #removeUnused(entries: readonly Leftover[]): Promise<void> {
    for (const entry of entries) {
      const pointer = await this.#find(entry.key);
      // A file that a key no longer refers to is never referred to again.
      if (pointer?.file !== entry._id) await this.#files.remove(entry._id);
      await forgetLeftover(this.#database, entry);
    }
  }

  async #upload(
    file: { id: string; name: string },
    bytes: AsyncIterable<Uint8Array>,
    note: () => Promise<void>,
  ): Promise<number> {
    let notedAt = performance.now();
    const renew = async (): Promise<void> => {
      if (performance.now() - notedAt < RENEWAL_MS) return;
      await note();
      notedAt = performance.now();
    };
    try {
      return await this.#files.write(file, bytes, renew);
    } catch (error) {
      const clean = this.#files.remove(file.id).then(() => forgetUpload(this.#database, file.id));
      await clean.catch(() => undefined); // the original error matters more; the sweep removes leftovers
      throw error;
    }
  }

  /** Points the key to the file. The previous file is recorded as a leftover first, in case of a crash. */
  async #point(pointer: Pointer): Promise<void> {
    const { _id, file, size } = pointer;
    for (;;) {
      const present = await this.#find(_id);
      if (present === undefined) {
        if (await this.#insert(pointer)) return;
        continue;
      }
      await noteLeftover(this.#database, { _id: present.file, key: _id, state: "replaced" });
      const { matchedCount } = await this.#database.run((db) =>
        pointersOf(db).updateOne({ _id, file: present.file }, { $set: { file, size } }),
      );
      if (matchedCount === 1) return;
    }
  }

  /** False if another put was faster. */
  #insert(pointer: Pointer): Promise<boolean> {
    return this.#database.run(async (db) => {
      try {
        await pointersOf(db).insertOne(pointer);
        return true;
      } catch (error) {
        if (isIdTaken(error)) return false;
        throw error;
      }
    });
  }

  async #find(key: string): Promise<Pointer | undefined> {
    return (await this.#database.run((db) => pointersOf(db).findOne({ _id: key }))) ?? undefined;
  }
}

function pointersOf(db: Db): Collection<Pointer> {
  return db.collection<Pointer>("blobs.keys");
}

/** A file being uploaded, or one without a key. Every file has an entry unless a key certainly refers to it. */
interface Leftover {
  /** Id of the file. */
  _id: string;
  key: string;
  state: "incoming" | "replaced";
  /** On the server's clock, because the clocks of processes may differ. */
  at: Date;
}

/** Sets and renews the entry of a file. */
async function noteLeftover(database: MongoDatabase, entry: Omit<Leftover, "at">): Promise<void> {
  const { _id, key, state } = entry;
  const change = { $set: { key, state }, $currentDate: { at: true as const } };
  await database.run(async (db) => {
    try {
      await leftoversOf(db).updateOne({ _id }, change, { upsert: true });
    } catch (error) {
      if (!isIdTaken(error)) throw error; // another process has just recorded it
    }
  });
}

/** Removes the entry of a file that a key now refers to, unless another process has replaced the file meanwhile. */
async function forgetUpload(database: MongoDatabase, id: string): Promise<void> {
  await database.run((db) => leftoversOf(db).deleteOne({ _id: id, state: "incoming" }));
}

/** Removes an entry, unless it was renewed since it was read. */
async function forgetLeftover(database: MongoDatabase, { _id, at }: Leftover): Promise<void> {
  await database.run((db) => leftoversOf(db).deleteOne({ _id, at }));
}

/** Entries older than the maximum age of their state, in milliseconds; at most 100, oldest first. */
async function dueLeftovers(database: MongoDatabase, ages: Record<Leftover["state"], number>): Promise<Leftover[]> {
  return database.run(async (db) => {
    const { localTime } = await db.admin().command({ hello: 1 });
    const now = (localTime as Date).getTime();
    const due = Object.entries(ages).map(([state, age]) => ({ state, at: { $lt: new Date(now - age) } }));
    const where = { $or: due as { state: Leftover["state"]; at: { $lt: Date } }[] };
    return leftoversOf(db).find(where).sort({ at: 1 }).limit(100).toArray();
  });
}

/** Entries of the files that the key, or any, referred to before. */
async function replacedFiles(database: MongoDatabase, key?: string): Promise<Leftover[]> {
  const where = { state: "replaced", ...(key === undefined ? {} : { key }) } as const;
  return database.run((db) => leftoversOf(db).find(where).toArray());
}

function leftoversOf(db: Db): Collection<Leftover> {
  return db.collection<Leftover>("blobs.leftovers");
}
