import { type ClientSession, type Collection, type Db, type Document as BsonDocument, ObjectId } from "mongodb";
import { failpoint } from "../../process/failpoint.js";
import { type Committed, type Document, type Step, type StepAction, StepFailed, type Update } from "../store.js";
import { compileChange, compileFilter, compileSort, FENCE, fromStored, storedField, toStored } from "./bson.js";
import { MongoCollection, type Stored } from "./mongo-collection.js";
import type { MongoDatabase } from "./mongo-database.js";
import { isTaken } from "./mongo-errors.js";

/** Number of attempts if another transaction takes a value after this one found it free. */
const TAKEN_TRIES = 5;

/** Passed after each step, and so between two steps or, at the last one, before the transaction is committed. */
const STEP_FAILPOINT = "store.commit_step";
const COMMITTED_FAILPOINT = "store.after_commit";

/** Runs the steps in one transaction. Throws TypeError for a collection of another store. */
export async function commitSteps<const S extends readonly Step[]>(
  database: MongoDatabase,
  steps: S,
): Promise<Committed<S>> {
  const targets = steps.map(({ collection }) => targetOf(database, collection));
  if (steps.length === 0) return { done: true, results: [] } as unknown as Committed<S>;
  const work = async (db: Db, session: ClientSession): Promise<unknown[]> => {
    const results: unknown[] = [];
    for (const [index, { action }] of steps.entries()) {
      const target = targets[index];
      if (target === undefined) continue;
      const { fits, result } = await performStep({ target, db, session }, action);
      if (!fits) throw new StepFailed(index);
      results.push(result);
      failpoint(STEP_FAILPOINT);
    }
    return results;
  };
  for (let left = TAKEN_TRIES; ; left -= 1) {
    try {
      const results = await database.transaction(work);
      failpoint(COMMITTED_FAILPOINT);
      return { done: true, results } as unknown as Committed<S>;
    } catch (error) {
      if (error instanceof StepFailed) return { done: false, failedStep: error.step };
      const mayPass = steps.some(({ action }) => action.kind === "insertNew" || action.kind === "put");
      if (left <= 1 || !mayPass || !(error instanceof Error) || !isTaken(error.cause)) throw error;
    }
  }
}

function targetOf(database: MongoDatabase, collection: object): MongoCollection<Document> {
  if (collection instanceof MongoCollection && collection.isIn(database))
    return collection as MongoCollection<Document>;
  throw new TypeError("A step names a collection of another store.");
}

/** Where a step is performed. */
interface StepPlace {
  target: MongoCollection<Document>;
  db: Db;
  session: ClientSession;
}

/** Whether the condition of the step held, and its result. */
interface StepOutcome {
  fits: boolean;
  result?: unknown;
}

/** Does one step inside a transaction. */
async function performStep(place: StepPlace, action: StepAction): Promise<StepOutcome> {
  const { session } = place;
  const collection = place.db.collection<Stored>(place.target.name);
  switch (action.kind) {
    case "insert": {
      const stored = action.documents.map((document) => toStored(document) as Stored);
      if (stored.length > 0) await collection.insertMany(stored, { session });
      return { fits: true };
    }
    case "insertNew":
      return { fits: true, result: await insertNew(collection, place, action.documents) };
    case "put": {
      const { _id, ...fields } = toStored(action.document) as Stored;
      await collection.replaceOne({ _id: { $eq: _id } }, fields, { upsert: true, session });
      return { fits: true };
    }
    case "update":
      return update(collection, session, action);
    case "updateEach":
      return { fits: true, result: await updateEach(collection, session, action.updates) };
    case "check": {
      const fenced = await collection.updateOne(compileFilter(action.filter), { $set: fence() }, { session });
      return { fits: fenced.matchedCount === 1 };
    }
    case "delete": {
      const { deletedCount } = await collection.deleteMany(compileFilter(action.filter), { session });
      return { fits: true, result: deletedCount };
    }
  }
}

const fence = (): BsonDocument => ({ [FENCE]: new ObjectId() });

async function update(
  collection: Collection<Stored>,
  session: ClientSession,
  { filter, change, options }: StepAction & { kind: "update" },
): Promise<StepOutcome> {
  const changes = compileChange(change) ?? {};
  const fenced = Array.isArray(changes)
    ? [...changes, { $set: fence() }]
    : { $set: { ...(changes.$set as BsonDocument | undefined), ...fence() } };
  const sort = compileSort(options.sort);
  const found = await collection.findOneAndUpdate(compileFilter(filter), fenced, {
    sort,
    session,
    returnDocument: "after",
  });
  return found === null ? { fits: false } : { fits: true, result: fromStored(found) };
}

async function updateEach(
  collection: Collection<Stored>,
  session: ClientSession,
  updates: readonly Update<Document>[],
): Promise<number> {
  const operations = updates.map(({ filter, change }) => ({
    updateOne: { filter: compileFilter(filter), update: compileChange(change) ?? { $set: fence() } },
  }));
  if (operations.length === 0) return 0;
  return (await collection.bulkWrite(operations, { session })).matchedCount;
}

/**
 * Looks up taken values first, because a refused insert would abort the transaction. If another transaction takes a
 * value after the lookup, this transaction is aborted and repeated.
 */
async function insertNew(
  collection: Collection<Stored>,
  { target, session }: StepPlace,
  documents: readonly Document[],
): Promise<boolean[]> {
  const stored = documents.map((document) => toStored(document) as Stored);
  if (stored.length === 0) return [];
  const keys = [["_id"], ...target.uniques.map((fields) => fields.map(storedField))];
  const taken = new Set<string>();
  const projection = Object.fromEntries(keys.flat().map((field) => [field, 1]));
  const holders = keys.map((fields) => holdersOf(fields, stored)).filter((filter) => filter !== undefined);
  for await (const found of collection.find({ $or: holders }, { projection, session })) {
    for (const value of valuesOf(keys, found)) taken.add(value);
  }
  const isNew = stored.map((document) => {
    const values = valuesOf(keys, document);
    if (values.some((value) => taken.has(value))) return false;
    for (const value of values) taken.add(value);
    return true;
  });
  const fresh = stored.filter((_, index) => isNew[index]);
  if (fresh.length > 0) await collection.insertMany(fresh, { session });
  return isNew;
}

/** Filter for documents that have the same values in all fields as one of these; incomplete documents are ignored. */
function holdersOf(fields: readonly string[], documents: readonly Stored[]): BsonDocument | undefined {
  const complete = documents.filter((document) => fields.every((field) => isHeld(document[field])));
  const [field] = fields;
  if (complete.length === 0 || field === undefined) return undefined;
  if (fields.length === 1) return { [field]: { $in: complete.map((document): unknown => document[field]) } };
  return {
    $or: complete.map((document) =>
      Object.fromEntries(fields.map((name) => [name, { $eq: document[name] as unknown }])),
    ),
  };
}

function valuesOf(keys: readonly (readonly string[])[], document: BsonDocument): string[] {
  return keys.flatMap((fields, index) =>
    fields.every((field) => isHeld(document[field]))
      ? [`${index} ${JSON.stringify(fields.map((field): unknown => document[field]))}`]
      : [],
  );
}

function isHeld(value: unknown): boolean {
  return value !== null && value !== undefined;
}
