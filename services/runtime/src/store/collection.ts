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
  /**
   * Reads on behind the document that has these values: all fields of the sort, and the id, of the last document read.
   * That document need not exist any more.
   */
  after?: Partial<T>;
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
  /**
   * Inserts each document whose id and unique values are free, and leaves the others out. Returns, in the order of the
   * documents, which were inserted. Of documents that exclude each other the first is inserted.
   */
  insertNew(documents: readonly T[]): Promise<boolean[]>;
  /** Inserts, or replaces the document of the same id. */
  put(document: T): Promise<void>;
  get(id: T["id"]): Promise<T | undefined>;
  find(filter: Filter<T>, options?: FindOptions<T>): Promise<T[]>;
  /**
   * Like find, in constant memory: it reads page by page, each behind the last document of the page before. An index that
   * serves the filter and the sort keeps a page cheap. What is written meanwhile may or may not be seen; a change of a
   * field of the sort may bring a document up again.
   */
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
