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
