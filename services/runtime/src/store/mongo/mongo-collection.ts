import {
  type Collection as DriverCollection,
  type Db,
  type Document as BsonDocument,
  type IndexDescription,
  MongoServerError,
} from "mongodb";
import { rangesAfter, totalOrder } from "../paging.js";
import type { Change, Collection, Document, Filter, FindOptions, IndexSpec } from "../store.js";
import {
  checkedLimit,
  compileChange,
  compileFilter,
  compileSort,
  fromStored,
  storedField,
  toStored,
  toStoredValue,
} from "./bson.js";
import { BULK_MS, type MongoDatabase } from "./mongo-database.js";
import { isIdTaken, takenIn } from "./mongo-errors.js";

/** Documents per server response. */
const STREAM_BATCH = 100;
/** Documents that a stream reads with one cursor. */
const STREAM_PAGE = 5000;
const PUT_TRIES = 5;

export type Stored = BsonDocument & { _id: string | number };

/**
 * A MongoDB collection. An operation on one document is one command, which the server executes atomically; an operation
 * that may affect several is a transaction. Strings are compared byte by byte, MongoDB's default.
 */
export class MongoCollection<T extends Document> implements Collection<T> {
  readonly #database: MongoDatabase;
  readonly name: string;
  /** Fields of each unique index. */
  readonly uniques: readonly (readonly string[])[];

  constructor(database: MongoDatabase, name: string, uniques: readonly (readonly string[])[]) {
    this.#database = database;
    this.name = name;
    this.uniques = uniques;
  }

  async insert(document: T): Promise<void> {
    const stored = toStored(document);
    await this.#database.run((db) => this.#in(db).insertOne(stored as Stored));
  }

  async insertMany(documents: readonly T[]): Promise<void> {
    const [first, ...others] = documents;
    if (first === undefined) return;
    if (others.length === 0) return this.insert(first);
    const stored = documents.map((document) => toStored(document) as Stored);
    await this.#database.transaction((db, session) => this.#in(db).insertMany(stored, { session }));
  }

  /** One unordered bulk write, which continues after a refused document. */
  async insertNew(documents: readonly T[]): Promise<boolean[]> {
    if (documents.length === 0) return [];
    const stored = documents.map((document) => toStored(document) as Stored);
    const taken = await this.#database.run(
      (db) =>
        this.#in(db)
          .insertMany(stored, { ordered: false })
          .then(() => new Set<number>(), takenIn),
      BULK_MS,
    );
    return stored.map((_, index) => !taken.has(index));
  }

  async put(document: T): Promise<void> {
    const { _id, ...fields } = toStored(document) as Stored;
    for (let left = PUT_TRIES; ; left -= 1) {
      try {
        await this.#database.run((db) => this.#in(db).replaceOne({ _id: { $eq: _id } }, fields, { upsert: true }));
        return;
      } catch (error) {
        // Another caller inserted the id between the server's lookup and its insert; the retry replaces that document.
        if (left <= 1 || !(error instanceof Error) || !isIdTaken(error.cause)) throw error;
      }
    }
  }

  async get(id: T["id"]): Promise<T | undefined> {
    const filter = { _id: { $eq: toStoredValue(id) as T["id"] } };
    const found = await this.#database.run((db) => this.#in(db).findOne(filter, { maxTimeMS: this.#database.callMs }));
    return found === null ? undefined : (fromStored(found) as T);
  }

  async find(filter: Filter<T>, options: FindOptions<T> = {}): Promise<T[]> {
    const limit = checkedLimit(options.limit) ?? Infinity;
    const found: T[] = [];
    for (const where of pieces(filter, options)) {
      if (found.length >= limit) break;
      for (const document of await this.#read(where, options.sort, limit - found.length)) found.push(document);
    }
    return found;
  }

  /** Uses a new cursor for each page, because a cursor is lost with its replica or after ten idle minutes. */
  async *stream(filter: Filter<T>, options: FindOptions<T> = {}): AsyncGenerator<T> {
    let left = checkedLimit(options.limit) ?? Infinity;
    let after = options.after;
    while (left > 0) {
      const limit = Math.min(left, STREAM_PAGE);
      let read = 0;
      for (const where of pieces(filter, { ...options, ...(after === undefined ? {} : { after }) })) {
        for await (const document of this.#cursor(where, options.sort, limit - read)) {
          after = document;
          read += 1;
          yield document;
        }
        if (read === limit) break;
      }
      if (read < limit) return;
      left -= read;
    }
  }

  async count(filter: Filter<T>, limit?: number): Promise<number> {
    const where = compileFilter(filter);
    const most = checkedLimit(limit);
    if (most === 0) return 0;
    const options = { maxTimeMS: this.#database.callMs, ...(most !== undefined && { limit: most }) };
    return this.#database.run((db) => this.#in(db).countDocuments(where, options));
  }

  async update(
    filter: Filter<T>,
    change: Change<T>,
    options: Pick<FindOptions<T>, "sort"> = {},
  ): Promise<T | undefined> {
    const where = compileFilter(filter);
    // With a single id, no sort is needed, and without it the server uses its fast path.
    const sort = hasOneId(filter) ? {} : { sort: compileSort(options.sort) };
    const changes = compileChange(change);
    if (changes === undefined) return (await this.find(filter, { ...options, limit: 1 }))[0];
    const changed = await this.#database.run((db) =>
      this.#in(db).findOneAndUpdate(where, changes, { ...sort, returnDocument: "after" }),
    );
    return changed === null ? undefined : (fromStored(changed) as T);
  }

  async updateMany(filter: Filter<T>, change: Change<T>): Promise<number> {
    const where = compileFilter(filter);
    const changes = compileChange(change);
    if (changes === undefined) return this.count(filter);
    return this.#database.transaction(async (db, session) => {
      const { matchedCount } = await this.#in(db).updateMany(where, changes, { session });
      return matchedCount;
    });
  }

  async delete(filter: Filter<T>): Promise<number> {
    const where = compileFilter(filter);
    if (hasOneId(filter)) {
      const { deletedCount } = await this.#database.run((db) => this.#in(db).deleteOne(where));
      return deletedCount;
    }
    return this.#database.transaction(async (db, session) => {
      const { deletedCount } = await this.#in(db).deleteMany(where, { session });
      return deletedCount;
    });
  }

  /** Whether the collection is in this database. */
  isIn(database: MongoDatabase): boolean {
    return this.#database === database;
  }

  #in(db: Db): DriverCollection<Stored> {
    return db.collection<Stored>(this.name);
  }

  async *#cursor(where: BsonDocument, sort: FindOptions<T>["sort"], limit: number): AsyncGenerator<T> {
    const given = { sort: compileSort(sort), batchSize: STREAM_BATCH, limit };
    const cursor = await this.#database.run(async (db) => this.#in(db).find(where, given));
    try {
      for (;;) {
        const first = await this.#database.run(() => cursor.next(), BULK_MS);
        if (first === null) return;
        for (const stored of [first, ...cursor.readBufferedDocuments()]) yield fromStored(stored) as T;
      }
    } finally {
      // If the cursor cannot be closed, the server drops it after a timeout.
      await cursor.close().catch(() => undefined);
    }
  }

  async #read(where: BsonDocument, sort: FindOptions<T>["sort"], limit: number): Promise<T[]> {
    const bounds = Number.isFinite(limit) ? { limit } : {};
    const given = { sort: compileSort(sort), maxTimeMS: this.#database.callMs, ...bounds };
    const found = await this.#database.run((db) => this.#in(db).find(where, given).toArray());
    return found.map((stored) => fromStored(stored) as T);
  }
}

/** Filters that are queried one after the other, so that an index serves each of them. */
function pieces<T extends Document>(filter: Filter<T>, { sort, after }: FindOptions<T>): BsonDocument[] {
  const where = compileFilter(filter);
  if (after === undefined) return [where];
  return rangesAfter(totalOrder(sort), after).map((range) => ({ $and: [where, compileFilter(range)] }));
}

function hasOneId<T extends Document>({ id }: Filter<T>): boolean {
  return typeof id === "string" || typeof id === "number";
}

const COLLECTION = /^[a-z][a-z0-9_]*$/;

/** Collections of the store itself. */
export const OWN = {
  counters: "_counters",
  budgets: "_budgets",
  migrations: "_migrations",
  locks: "_locks",
  notes: "_notes",
} as const;

/** Name of a collection; the check reserves names that begin with `_` for the store. */
export function collectionName(name: string): string {
  if (!isCollectionName(name)) throw new TypeError(`Not a name for a collection: ${JSON.stringify(name)}`);
  return name;
}

/** Whether a collection of the database can be one of a service. */
export function isCollectionName(name: string): boolean {
  return COLLECTION.test(name);
}

const NAMESPACE_EXISTS = 48;
/** Scope of a unique index: documents in which one of its fields is null or missing are excluded. */
const NOT_NULL = { $type: ["string", "number", "bool"] };

/** Creates a missing collection and missing indexes; AppError `conflict` if documents violate a unique index. */
export async function ensureCollection<T>(
  database: MongoDatabase,
  name: string,
  specs: readonly IndexSpec<T>[],
): Promise<void> {
  const present = await database.run(async (db) => {
    await createCollection(db, name);
    return (await db.collection(name).indexes()).map((index) => index.name);
  });
  const missing = describeIndexes(specs).filter((index) => !present.includes(index.name));
  if (missing.length > 0) await database.patiently((db) => db.collection(name).createIndexes(missing));
}

async function createCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

function describeIndexes<T>(specs: readonly IndexSpec<T>[]): IndexDescription[] {
  const described = specs.flatMap(({ fields, unique = false }) => {
    const names = fields.map(storedField);
    return unique ? [uniqueIndex(names), orderIndex(names)] : [orderIndex(names)];
  });
  return [...new Map(described.map((index) => [index.name, index])).values()];
}

/** With the id as last field, the index also serves the order of ties. */
function orderIndex(fields: readonly string[]): IndexDescription {
  const names = fields.includes("_id") ? fields : [...fields, "_id"];
  return { name: `order(${names.join(",")})`, key: rising(names) };
}

/** Only enforces uniqueness: the server does not recognize that a query for a text is within a partial index. */
function uniqueIndex(fields: readonly string[]): IndexDescription {
  const partialFilterExpression = Object.fromEntries(fields.map((field) => [field, NOT_NULL]));
  return { name: `unique(${fields.join(",")})`, key: rising(fields), unique: true, partialFilterExpression };
}

function rising(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1 as const]));
}
