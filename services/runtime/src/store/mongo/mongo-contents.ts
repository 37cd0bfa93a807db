import { randomUUID } from "node:crypto";
import type { Collection as DriverCollection, Db, Document as BsonDocument } from "mongodb";
import {
  type Books,
  type CollectionUsage,
  type CopyMark,
  mustBeWhole,
  sortBooks,
  type StoreContents,
  type StoreUsage,
} from "../contents.js";
import type { Collection, CollectionSpec, Document } from "../store.js";
import { collectionName, ensureCollection, isCollectionName, MongoCollection, OWN } from "./mongo-collection.js";
import type { MongoDatabase } from "./mongo-database.js";
import { isIdTaken } from "./mongo-errors.js";

const IDENTITY = "identity";
const MARK = "copy";

type Entry = BsonDocument & { _id: string };

/** The contents of a MongoDB database. Collections with names that no service can have are not part of them. */
export class MongoContents implements StoreContents {
  constructor(private readonly database: MongoDatabase) {}

  async names(): Promise<string[]> {
    const found = await this.database.run((db) => db.listCollections({}, { nameOnly: true }).toArray());
    return found
      .map(({ name }) => name)
      .filter(isCollectionName)
      .sort();
  }

  async collection<T extends Document>(spec: Pick<CollectionSpec<T>, "name">): Promise<Collection<T>> {
    const name = collectionName(spec.name);
    await ensureCollection(this.database, name, []);
    return new MongoCollection<T>(this.database, name, []);
  }

  async measure(): Promise<StoreUsage> {
    const collections: CollectionUsage[] = [];
    for (const name of await this.names()) {
      const { count, size, totalIndexSize } = await this.database.run((db) => db.command({ collStats: name }));
      const bytes = Number(size ?? 0) + Number(totalIndexSize ?? 0);
      collections.push({ name, documents: Number(count ?? 0), bytes });
    }
    const { storageSize, indexSize } = await this.database.run((db) => db.command({ dbStats: 1 }));
    return { collections, totalBytes: Number(storageSize ?? 0) + Number(indexSize ?? 0), freeBytes: 0 };
  }

  purge(): Promise<string> {
    return Promise.resolve("MongoDB overwrites what was deleted only when it uses the space of its files again.");
  }

  async readBooks(): Promise<Books> {
    const read = (name: string) => this.database.run((db) => entriesOf(db, name).find({}).toArray());
    const [counters, budgets, migrations] = [
      await read(OWN.counters),
      await read(OWN.budgets),
      await read(OWN.migrations),
    ];
    return sortBooks({
      counters: counters.map(({ _id, value }) => ({ name: _id, value: Number(value) })),
      budgets: budgets.map(({ _id, window, spent }) => ({ name: _id, window: String(window), spent: Number(spent) })),
      migrations: migrations.map(({ _id, at }) => {
        const [owner = "", version = ""] = _id.split(" ");
        return { owner, version: Number(version), at: (at as Date).toISOString() };
      }),
    });
  }

  async writeBooks({ counters, budgets, migrations }: Books): Promise<void> {
    await this.#replace(
      OWN.counters,
      counters.map(({ name, value }) => ({ _id: name, value })),
    );
    await this.#replace(
      OWN.budgets,
      budgets.map(({ name, window, spent }) => ({ _id: name, window, spent })),
    );
    await this.#replace(
      OWN.migrations,
      migrations.map(({ owner, version, at }) => ({ _id: `${owner} ${version}`, at: new Date(at) })),
    );
  }

  async identity(): Promise<string> {
    return this.database.run(async (db) => {
      const notes = entriesOf(db, OWN.notes);
      await notes.insertOne({ _id: IDENTITY, text: randomUUID() }).catch((error: unknown) => {
        if (!isIdTaken(error)) throw error;
      });
      return String((await notes.findOne({ _id: IDENTITY }))?.["text"]);
    });
  }

  readMark(): Promise<CopyMark | undefined> {
    return readMark(this.database);
  }

  async writeMark(mark: CopyMark): Promise<void> {
    await this.#put(OWN.notes, { _id: MARK, ...mark });
  }

  async #replace(name: string, entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) await this.#put(name, entry);
    const kept = entries.map(({ _id }) => _id);
    await this.database.run((db) => entriesOf(db, name).deleteMany({ _id: { $nin: kept } }));
  }

  async #put(name: string, { _id, ...fields }: Entry): Promise<void> {
    await this.database.run((db) => entriesOf(db, name).replaceOne({ _id }, fields, { upsert: true }));
  }
}

/** Throws AppError `unavailable` while the database holds a part of a copy. */
export async function mustHoldNoPart(database: MongoDatabase): Promise<void> {
  mustBeWhole(await readMark(database));
}

async function readMark(database: MongoDatabase): Promise<CopyMark | undefined> {
  const found = await database.run((db) => entriesOf(db, OWN.notes).findOne({ _id: MARK }));
  if (found === null) return undefined;
  const { _id, ...mark } = found;
  return mark as unknown as CopyMark;
}

function entriesOf(db: Db, name: string): DriverCollection<Entry> {
  return db.collection<Entry>(name);
}
