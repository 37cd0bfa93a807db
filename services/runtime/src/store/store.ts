import type { Collection, CollectionSpec, Document } from "./collection.js";
import type { Committed, Step } from "./steps.js";

export type * from "./collection.js";

/** A numbered, idempotent change of stored data, declared by the service that owns it and applied once. */
export interface Migration {
  /** Name of the owning service. */
  owner: string;
  /** 1, 2, 3 … per owner. */
  version: number;
  up(store: Store): Promise<void>;
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
