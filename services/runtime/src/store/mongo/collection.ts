import type { Collection as MongoCollection, Db, Document as BsonDocument } from "mongodb";
import { rangesAfter, totalOrder } from "../keyset.js";
import type { Change, Collection, Document, Filter, FindOptions } from "../store.js";
import { isIdTaken, takenIn } from "./failures.js";
import { BULK_MS, type MongoGate } from "./gate.js";
import { checkedLimit, compileChange, compileFilter, compileSort } from "./query.js";
import { fromStored, toStored, toStoredValue } from "./stored-form.js";

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
export class MongoDocuments<T extends Document> implements Collection<T> {
  readonly #gate: MongoGate;
  readonly name: string;
  /** Fields of each unique index. */
  readonly uniques: readonly (readonly string[])[];

  constructor(gate: MongoGate, name: string, uniques: readonly (readonly string[])[]) {
    this.#gate = gate;
    this.name = name;
    this.uniques = uniques;
  }

  async insert(document: T): Promise<void> {
    const stored = toStored(document);
    await this.#gate.run((database) => this.#in(database).insertOne(stored as Stored));
  }

  async insertMany(documents: readonly T[]): Promise<void> {
    const [first, ...others] = documents;
    if (first === undefined) return;
    if (others.length === 0) return this.insert(first);
    const stored = documents.map((document) => toStored(document) as Stored);
    await this.#gate.transaction((database, session) => this.#in(database).insertMany(stored, { session }));
  }

  /** One unordered bulk write, which continues after a refused document. */
  async insertNew(documents: readonly T[]): Promise<boolean[]> {
    if (documents.length === 0) return [];
    const stored = documents.map((document) => toStored(document) as Stored);
    const taken = await this.#gate.run(
      (database) =>
        this.#in(database)
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
        await this.#gate.run((database) =>
          this.#in(database).replaceOne({ _id: { $eq: _id } }, fields, { upsert: true }),
        );
        return;
      } catch (error) {
        // Another caller inserted the id between the server's lookup and its insert; the retry replaces that document.
        if (left <= 1 || !(error instanceof Error) || !isIdTaken(error.cause)) throw error;
      }
    }
  }

  async get(id: T["id"]): Promise<T | undefined> {
    const filter = { _id: { $eq: toStoredValue(id) as T["id"] } };
    const found = await this.#gate.run((database) =>
      this.#in(database).findOne(filter, { maxTimeMS: this.#gate.callMs }),
    );
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
    const options = { maxTimeMS: this.#gate.callMs, ...(most !== undefined && { limit: most }) };
    return this.#gate.run((database) => this.#in(database).countDocuments(where, options));
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
    const changed = await this.#gate.run((database) =>
      this.#in(database).findOneAndUpdate(where, changes, { ...sort, returnDocument: "after" }),
    );
    return changed === null ? undefined : (fromStored(changed) as T);
  }

  async updateMany(filter: Filter<T>, change: Change<T>): Promise<number> {
    const where = compileFilter(filter);
    const changes = compileChange(change);
    if (changes === undefined) return this.count(filter);
    return this.#gate.transaction(async (database, session) => {
      const { matchedCount } = await this.#in(database).updateMany(where, changes, { session });
      return matchedCount;
    });
  }

  async delete(filter: Filter<T>): Promise<number> {
    const where = compileFilter(filter);
    if (hasOneId(filter)) {
      const { deletedCount } = await this.#gate.run((database) => this.#in(database).deleteOne(where));
      return deletedCount;
    }
    return this.#gate.transaction(async (database, session) => {
      const { deletedCount } = await this.#in(database).deleteMany(where, { session });
      return deletedCount;
    });
  }

  /** Whether the collection is in the database of this gate. */
  isIn(gate: MongoGate): boolean {
    return this.#gate === gate;
  }

  #in(database: Db): MongoCollection<Stored> {
    return database.collection<Stored>(this.name);
  }

  async *#cursor(where: BsonDocument, sort: FindOptions<T>["sort"], limit: number): AsyncGenerator<T> {
    const given = { sort: compileSort(sort), batchSize: STREAM_BATCH, limit };
    const cursor = await this.#gate.run(async (database) => this.#in(database).find(where, given));
    try {
      for (;;) {
        const first = await this.#gate.run(() => cursor.next(), BULK_MS);
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
    const given = { sort: compileSort(sort), maxTimeMS: this.#gate.callMs, ...bounds };
    const found = await this.#gate.run((database) => this.#in(database).find(where, given).toArray());
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
