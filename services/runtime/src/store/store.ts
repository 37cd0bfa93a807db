/** A value that JSON can hold exactly. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What a collection holds. `id` is its primary key. Interfaces fit, as long as every field is JSON. */
export interface Document {
  id: string | number;
}

/** Conditions on one field; several hold together. A missing field counts as null. */
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
 * Conditions on top-level fields; all must hold. `{ status: "ready" }` is short for `{ status: { eq: "ready" } }`. A
 * condition that is undefined is refused with a TypeError, lest a slip match everything.
 */
export type Filter<T> = {
  [K in keyof T]?: (T[K] & (string | number | boolean | null)) | Condition<T[K] & (string | number | boolean | null)>;
};

/** One atomic change of one document. Fields not named stay. */
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
}

export interface IndexSpec<T> {
  /** Fields in order; a leading run of them serves equality, the next one ranges and sorts. */
  fields: readonly (keyof T & string)[];
  /** Two documents may not agree in all fields; documents in which one of them is null or missing are exempt. */
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
  /** AppError `conflict` when the id or a unique index is taken. */
  insert(document: T): Promise<void>;
  /** All or none. */
  insertMany(documents: readonly T[]): Promise<void>;
  /** Inserts, or replaces the document of the same id. */
  put(document: T): Promise<void>;
  get(id: T["id"]): Promise<T | undefined>;
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<T[]>;
  /** Like find, without holding all in memory. What is written meanwhile may or may not be seen. */
  stream(filter: Filter<T>, options?: FindOptions<T>): AsyncIterable<T>;
  count(filter: Filter<T>): Promise<number>;
  /**
   * Changes the first document (by `sort`) that fits, and returns it as it is afterwards; nothing when none fits. Of
   * callers that race with a condition only one of them can meet, exactly one gets the document.
   */
  update(filter: Filter<T>, change: Change<T>, options?: Pick<FindOptions<T>, "sort">): Promise<T | undefined>;
  /** Changes all that fit; returns how many. */
  updateMany(filter: Filter<T>, change: Change<T>): Promise<number>;
  /** Deletes all that fit; returns how many. */
  delete(filter: Filter<T>): Promise<number>;
}

/** A numbered, idempotent change of stored data, declared by the service that owns it and applied once. */
export interface Migration {
  /** Name of the owning service. */
  owner: string;
  /** 1, 2, 3 … per owner. */
  version: number;
  up(store: Store): Promise<void>;
}

/**
 * State of all services. Failures of the store itself are AppError `unavailable`. Several processes may use one store
 * at a time.
 */
export interface Store {
  /** Opens the collection, creating it and its indexes when missing. */
  collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>>;
  /** Next value of a named counter: 1, 2, 3 …, never the same twice; a value may be skipped. */
  nextId(counter: string): Promise<number>;
  /** Applies the migrations not applied yet, in order, in one process at a time. */
  migrate(migrations: readonly Migration[]): Promise<void>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
