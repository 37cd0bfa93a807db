import type { Change, Collection, Document, Filter, FindOptions } from "./collection.js";

declare const RESULT: unique symbol;

/** One write of a commit, on a collection of the same store. `R` is what it returns. */
export interface Step<R = unknown> {
  readonly collection: object;
  readonly action: StepAction;
  readonly [RESULT]?: { of: R };
}

/** A change of the first document that fits. */
export interface Update<T extends Document> {
  filter: Filter<T>;
  change: Change<T>;
}

/** What a step does, as the adapters see it. */
export type StepAction =
  | { kind: "insert"; documents: readonly Document[] }
  | { kind: "insertNew"; documents: readonly Document[] }
  | { kind: "put"; document: Document }
  | ({ kind: "update"; options: Pick<FindOptions<Document>, "sort"> } & Update<Document>)
  | { kind: "updateEach"; updates: readonly Update<Document>[] }
  | { kind: "check"; filter: Filter<Document> }
  | { kind: "delete"; filter: Filter<Document> };

/** How a commit ended: with what each step returned, or undone because the condition of a step failed. */
export type Committed<S extends readonly Step[]> =
  { done: true; results: { -readonly [I in keyof S]: ResultOf<S[I]> } } | { done: false; failedStep: number };

type ResultOf<S> = S extends Step<infer R> ? R : never;

/** Inserts documents. AppError `conflict` when an id or a unique value is taken. */
export function insertStep<T extends Document>(collection: Collection<T>, ...documents: T[]): Step<void> {
  return step(collection, { kind: "insert", documents });
}

/** Inserts what is new, as Collection.insertNew does; returns which documents were inserted. */
export function insertNewStep<T extends Document>(collection: Collection<T>, documents: readonly T[]): Step<boolean[]> {
  return step(collection, { kind: "insertNew", documents });
}

/** Inserts the document, or replaces that of the same id. */
export function putStep<T extends Document>(collection: Collection<T>, document: T): Step<void> {
  return step(collection, { kind: "put", document });
}

/** Changes the first document that fits, and returns it as it is afterwards. Its condition fails when none fits. */
export function updateStep<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  change: Change<T>,
  options: Pick<FindOptions<T>, "sort"> = {},
): Step<T> {
  return step(collection, { kind: "update", filter, change, options });
}

/** Does many updates of one document each; returns how many found one. An update that finds none is no failure. */
export function updateEachStep<T extends Document>(
  collection: Collection<T>,
  updates: readonly Update<T>[],
): Step<number> {
  return step(collection, { kind: "updateEach", updates });
}

/**
 * Requires that a document fits, and that no other write changes it before the commit is done: the fence of a lease or an
 * epoch in a record that the commit does not change otherwise. Its condition fails when none fits.
 */
export function checkStep<T extends Document>(collection: Collection<T>, filter: Filter<T>): Step<void> {
  return step(collection, { kind: "check", filter });
}

/** Deletes all that fit; returns how many. */
export function deleteStep<T extends Document>(collection: Collection<T>, filter: Filter<T>): Step<number> {
  return step(collection, { kind: "delete", filter });
}

/** Adapters take the fields of a document as they come, so its type ends here. */
function step<R>(collection: object, action: object): Step<R> {
  return { collection, action: action as StepAction };
}
