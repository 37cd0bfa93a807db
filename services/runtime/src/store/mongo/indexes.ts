import { MongoServerError, type Db, type IndexDescription } from "mongodb";
import type { IndexSpec } from "../store.js";
import type { MongoGate } from "./gate.js";
import { storedField } from "./query.js";

const NAMESPACE_EXISTS = 48;
/** Scope of a unique index: documents in which one of its fields is null or missing are excluded. */
const NOT_NULL = { $type: ["string", "number", "bool"] };

/** Creates a missing collection and missing indexes; AppError `conflict` if documents violate a unique index. */
export async function ensureCollection<T>(
  gate: MongoGate,
  name: string,
  specs: readonly IndexSpec<T>[],
): Promise<void> {
  const present = await gate.run(async (database) => {
    await createCollection(database, name);
    return (await database.collection(name).indexes()).map((index) => index.name);
  });
  const missing = describeIndexes(specs).filter((index) => !present.includes(index.name));
  if (missing.length > 0) await gate.patiently((database) => database.collection(name).createIndexes(missing));
}

async function createCollection(database: Db, name: string): Promise<void> {
  try {
    await database.createCollection(name);
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
