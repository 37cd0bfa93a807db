import { AppError } from "../errors/app-error.js";

/** A value that JSON represents exactly. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A document of a collection. `id` is its primary key. Interfaces are allowed if every field is JSON. */
export interface Document {
  id: string | number;
}

/** Conditions on one field; all must hold. A missing field counts as null. */
export interface Condition<V> {
  eq?: V;
  ne?: V;
  in?: readonly V[];
  lt?: V;
  lte?: V;
  gt?: V;
  gte?: V;
}

/**
 * Conditions on top-level fields; all must hold. `{ status: "ready" }` is short for `{ status: { eq: "ready" } }`. An
 * undefined condition throws a TypeError, so that a mistake cannot match everything.
 */
export type Filter<T> = {
  [K in keyof T]?: (T[K] & (string | number | boolean | null)) | Condition<T[K] & (string | number | boolean | null)>;
};

/** One atomic change of one document. Fields that are not named keep their values. */
export interface Change<T> {
  /** A field given as undefined counts as not named; null is stored. */
  set?: Partial<Omit<T, "id">>;
  /** Adds to a number; a missing field counts as 0. */
  increment?: { [K in keyof T]?: number };
}

export interface FindOptions<T> {
  /** Fields in order of precedence, 1 ascending, -1 descending. Default: id ascending. */
  sort?: readonly (readonly [keyof T & string, 1 | -1])[];
  limit?: number;
  /**
   * Starts after the document with these values: all sort fields and the id of the last document read. That document
   * need not exist any more.
   */
  after?: Partial<T>;
}

export interface IndexSpec<T> {
  /** Fields in order: a prefix serves equality conditions, the next field serves ranges and sorting. */
  fields: readonly (keyof T & string)[];
  /** No two documents may have equal values in all fields; documents with a null or missing field are exempt. */
  unique?: boolean;
}

/** Declared by the service that owns the collection; opened once per process. */
export interface CollectionSpec<T extends Document> {
  /** Lower-case words joined by `_`. */
  name: string;
  indexes?: readonly IndexSpec<T>[];
}

/** Documents of one kind. Each method is atomic; writes are durable when their promise resolves. */
export interface Collection<T extends Document> {
  /** AppError `conflict` if the id or a unique value is taken. */
  insert(document: T): Promise<void>;
  /** All or none. */
  insertMany(documents: readonly T[]): Promise<void>;
  /**
   * Inserts each document whose id and unique values are free, and skips the others. Returns, in the order of the
   * documents, which were inserted. Of conflicting documents the first is inserted.
   */
  insertNew(documents: readonly T[]): Promise<boolean[]>;
  /** Inserts the document, or replaces the one with the same id. */
  put(document: T): Promise<void>;
  get(id: T["id"]): Promise<T | undefined>;
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<T[]>;
  /**
   * Like find, in constant memory: it reads page by page, each after the last document of the previous one. An index
   * that serves the filter and the sort keeps a page cheap. Concurrent writes may or may not be seen; if a sort field
   * changes, a document may be returned twice.
   */
  stream(filter: Filter<T>, options?: FindOptions<T>): AsyncIterable<T>;
  /** At most `limit`, after which no more documents are read. */
  count(filter: Filter<T>, limit?: number): Promise<number>;
  /**
   * Changes the first matching document (by `sort`) and returns it after the change; undefined if none matches. Of
   * concurrent callers with a condition that only one of them can meet, exactly one gets the document.
   */
  update(filter: Filter<T>, change: Change<T>, options?: Pick<FindOptions<T>, "sort">): Promise<T | undefined>;
  /** Changes all matching documents; returns how many. */
  updateMany(filter: Filter<T>, change: Change<T>): Promise<number>;
  /** Deletes all matching documents; returns how many. */
  delete(filter: Filter<T>): Promise<number>;
}

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

/** Thrown inside a commit when the condition of a step fails, so that the steps before it are rolled back. */
export class StepFailed extends Error {
  constructor(readonly step: number) {
    super(`Step ${step} found no document.`);
  }
}

/** A numbered, idempotent change of stored data, declared by the service that owns it and applied once. */
export interface Migration {
  /** Name of the owning service. */
  owner: string;
  /** The version that it gives the owner's data: 2, 3, 4 …, since what nothing has changed is version 1. */
  version: number;
  /** Tells of records as it has done them: how many more. */
  up(store: Store, progress: (records: number) => void): Promise<void>;
}

/** An amount that may be spent once in each window of time. */
export interface Budget {
  /** Key of the budget in this store; the amount spent is kept for the latest window only. */
  name: string;
  /**
   * Name of the window, for example `2026-11-22`; names of later windows sort higher. A spender whose clock is behind
   * spends from the latest window.
   */
  window: string;
  /** Units per window. */
  limit: number;
}

/**
 * State of all services. Failures of the store itself are AppError `unavailable`. Several processes may use one store
 * at a time.
 */
export interface Store {
  /** Opens the collection, and creates it and its indexes if missing. */
  collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>>;
  /**
   * Does all steps, in order, or none, durably. A step whose condition fails rolls back the others; so does a taken id
   * or unique value, with AppError `conflict`. If it fails as `unavailable`, the steps may have been done.
   */
  commit<const S extends readonly Step[]>(steps: S): Promise<Committed<S>>;
  /**
   * A text that is another one after each write to one of the collections, whichever process wrote; perhaps also after
   * others. With a company, writes to documents that say in `companyId` that they are another company's may leave it the
   * same. Undefined if the store cannot tell. What is read after it is at least as new.
   */
  versionOf(collections: readonly object[], companyId?: number): string | undefined;
  /** Next value of a named counter: 1, 2, 3 …, never the same twice; a value may be skipped. */
  nextId(counter: string): Promise<number>;
  /**
   * Inserts a document under the next value of a counter, which it returns: in one commit, if the store can. AppError
   * `conflict` if a unique value is taken.
   */
  insertNext<T extends Document & { id: number }>(
    collection: Collection<T>,
    counter: string,
    document: Omit<T, "id">,
  ): Promise<number>;
  /**
   * Spends `units` of a budget and returns the total spent; if that would exceed the limit, spends none and returns
   * undefined. Of concurrent callers, no more succeed than the limit allows.
   */
  spend(budget: Budget, units: number): Promise<number | undefined>;
  /** Applies the pending migrations, in order, in one process at a time. */
  migrate(migrations: readonly Migration[]): Promise<void>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Throws RangeError unless units and limit are non-negative integers. */
export function mustBeSpendable({ limit }: Budget, units: number): void {
  for (const amount of [limit, units]) {
    if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`Not a number of units: ${amount}`);
  }
}

const STORE_FULL = "store_full";

/** The store does not answer, or has failed; of a write it is unknown whether it was done. */
export function storeUnavailable(cause: unknown): AppError {
  return new AppError("unavailable", "The data store is not available. Try again later.", {
    retryAfterMs: 1000,
    cause,
  });
}

/** The failure of a write for which there is no storage space; nothing of it is kept. */
export function storeFull(cause: unknown): AppError {
  return new AppError("unavailable", "The data store is full. Try again once there is room.", {
    code: STORE_FULL,
    retryAfterMs: 10_000,
    cause,
  });
}

/** Whether a store failed because no storage space is left. */
export function isStoreFull(error: unknown): boolean {
  return error instanceof AppError && error.code === STORE_FULL;
}
