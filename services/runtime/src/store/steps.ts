import type { Change, Collection, Document, Filter, FindOptions } from "./collection.js";

declare const RESULT: unique symbol;

/** One write of a commit, on a collection of the same store. `R` is its result type. */
export interface Step<R = unknown> {
  readonly collection: object;
  readonly action: StepAction;
  readonly [RESULT]?: { of: R };
}

/** A change of the first matching document. */
export interface Update<T extends Document> {
  filter: Filter<T>;
  change: Change<T>;
}

/** The action of a step, as seen by the adapters. */
export type StepAction =
  | { kind: "insert"; documents: readonly Document[] }
  | { kind: "insertNew"; documents: readonly Document[] }
  | { kind: "put"; document: Document }
  | ({ kind: "update"; options: Pick<FindOptions<Document>, "sort"> } & Update<Document>)
  | { kind: "updateEach"; updates: readonly Update<Document>[] }
  | { kind: "check"; filter: Filter<Document> }
  | { kind: "delete"; filter: Filter<Document> };

/** Result of a commit: the result of each step, or rolled back because the condition of a step failed. */
export type Committed<S extends readonly Step[]> =
  { done: true; results: { -readonly [I in keyof S]: ResultOf<S[I]> } } | { done: false; failedStep: number };

type ResultOf<S> = S extends Step<infer R> ? R : never;

/** Inserts documents. AppError `conflict` if an id or a unique value is taken. */
export function insertStep<T extends Document>(collection: Collection<T>, ...documents: T[]): Step<void> {
  return step(collection, { kind: "insert", documents });
}

/** Inserts new documents, like Collection.insertNew; returns which documents were inserted. */
export function insertNewStep<T extends Document>(collection: Collection<T>, documents: readonly T[]): Step<boolean[]> {
  return step(collection, { kind: "insertNew", documents });
}

/** Inserts the document, or replaces the one with the same id. */
export function putStep<T extends Document>(collection: Collection<T>, document: T): Step<void> {
  return step(collection, { kind: "put", document });
}

/** Changes the first matching document and returns it after the change. The condition fails if none matches. */
export function updateStep<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  change: Change<T>,
  options: Pick<FindOptions<T>, "sort"> = {},
): Step<T> {
  return step(collection, { kind: "update", filter, change, options });
}

/** Does many updates of one document each; returns how many found a document. Finding none is not a failure. */
export function updateEachStep<T extends Document>(
  collection: Collection<T>,
  updates: readonly Update<T>[],
): Step<number> {
  return step(collection, { kind: "updateEach", updates });
}

/**
 * Requires that a document matches and that no other write changes it before the commit is done. Used as the fence of a
 * lease or an epoch in a record that the commit does not change otherwise. The condition fails if no document matches.
 */
export function checkStep<T extends Document>(collection: Collection<T>, filter: Filter<T>): Step<void> {
  return step(collection, { kind: "check", filter });
}

/** Deletes all matching documents; returns how many. */
export function deleteStep<T extends Document>(collection: Collection<T>, filter: Filter<T>): Step<number> {
  return step(collection, { kind: "delete", filter });
}

/** Adapters do not use the types of a document's fields, so the document type is dropped here. */
function step<R>(collection: object, action: object): Step<R> {
  return { collection, action: action as StepAction };
}
