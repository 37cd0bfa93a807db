import { randomUUID } from "node:crypto";
import type { Collection as MongoCollection, Db, Document as BsonDocument } from "mongodb";
import type { Collection, CollectionSpec, Document } from "../collection.js";
import { type Books, type CopyMark, mustBeWhole, sortBooks, type StoreContents } from "../contents.js";
import type { CollectionUsage, StoreUsage } from "../usage.js";
import { BUDGETS } from "./budgets.js";
import { MongoDocuments } from "./collection.js";
import { COUNTERS } from "./counters.js";
import { isIdTaken } from "./failures.js";
import type { MongoGate } from "./gate.js";
import { ensureCollection } from "./indexes.js";
import { APPLIED } from "./migrations.js";
import { collectionName, isCollectionName } from "./query.js";

/** Notes about the database itself. */
const NOTES = "_notes";
const IDENTITY = "identity";
const MARK = "copy";

type Entry = BsonDocument & { _id: string };

/** The contents of a MongoDB database. Collections with names that no service can have are not part of them. */
export class MongoContents implements StoreContents {
  constructor(private readonly gate: MongoGate) {}

  async names(): Promise<string[]> {
    const found = await this.gate.run((database) => database.listCollections({}, { nameOnly: true }).toArray());
    return found
      .map(({ name }) => name)
      .filter(isCollectionName)
      .sort();
  }

  async collection<T extends Document>(spec: Pick<CollectionSpec<T>, "name">): Promise<Collection<T>> {
    const name = collectionName(spec.name);
    await ensureCollection(this.gate, name, []);
    return new MongoDocuments<T>(this.gate, name, []);
  }

  async measure(): Promise<StoreUsage> {
    const collections: CollectionUsage[] = [];
    for (const name of await this.names()) {
      const { count, size, totalIndexSize } = await this.gate.run((database) => database.command({ collStats: name }));
      const bytes = Number(size ?? 0) + Number(totalIndexSize ?? 0);
      collections.push({ name, documents: Number(count ?? 0), bytes });
    }
    const { storageSize, indexSize } = await this.gate.run((database) => database.command({ dbStats: 1 }));
    return { collections, totalBytes: Number(storageSize ?? 0) + Number(indexSize ?? 0), freeBytes: 0 };
  }

  purge(): Promise<string> {
    return Promise.resolve("MongoDB overwrites what was deleted only when it uses the space of its files again.");
  }

  async readBooks(): Promise<Books> {
    const read = (name: string) => this.gate.run((database) => entriesOf(database, name).find({}).toArray());
    const [counters, budgets, migrations] = [await read(COUNTERS), await read(BUDGETS), await read(APPLIED)];
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
      COUNTERS,
      counters.map(({ name, value }) => ({ _id: name, value })),
    );
    await this.#replace(
      BUDGETS,
      budgets.map(({ name, window, spent }) => ({ _id: name, window, spent })),
    );
    await this.#replace(
      APPLIED,
      migrations.map(({ owner, version, at }) => ({ _id: `${owner} ${version}`, at: new Date(at) })),
    );
  }

  async identity(): Promise<string> {
    return this.gate.run(async (database) => {
      const notes = entriesOf(database, NOTES);
      await notes.insertOne({ _id: IDENTITY, text: randomUUID() }).catch((error: unknown) => {
        if (!isIdTaken(error)) throw error;
      });
      return String((await notes.findOne({ _id: IDENTITY }))?.["text"]);
    });
  }

  readMark(): Promise<CopyMark | undefined> {
    return readMark(this.gate);
  }

  async writeMark(mark: CopyMark): Promise<void> {
    await this.#put(NOTES, { _id: MARK, ...mark });
  }

  async #replace(name: string, entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) await this.#put(name, entry);
    const kept = entries.map(({ _id }) => _id);
    await this.gate.run((database) => entriesOf(database, name).deleteMany({ _id: { $nin: kept } }));
  }

  async #put(name: string, { _id, ...fields }: Entry): Promise<void> {
    await this.gate.run((database) => entriesOf(database, name).replaceOne({ _id }, fields, { upsert: true }));
  }
}

/** Throws AppError `unavailable` while the database holds a part of a copy. */
export async function mustHoldNoPart(gate: MongoGate): Promise<void> {
  mustBeWhole(await readMark(gate));
}

async function readMark(gate: MongoGate): Promise<CopyMark | undefined> {
  const found = await gate.run((database) => entriesOf(database, NOTES).findOne({ _id: MARK }));
  if (found === null) return undefined;
  const { _id, ...mark } = found;
  return mark as unknown as CopyMark;
}

function entriesOf(database: Db, name: string): MongoCollection<Entry> {
  return database.collection<Entry>(name);
}
