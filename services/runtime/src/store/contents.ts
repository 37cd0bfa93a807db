import { AppError } from "../errors/app-error.js";
import type { Collection, CollectionSpec, Document } from "./store.js";

/** What a store keeps beside its documents. */
export interface Books {
  /** The last value issued by each counter. */
  counters: { name: string; value: number }[];
  /** The latest window of each budget, and the units spent in it. */
  budgets: { name: string; window: string; spent: number }[];
  /** The applied migrations; `at` is ISO 8601. */
  migrations: { owner: string; version: number; at: string }[];
}

/** What one collection takes in the storage. */
export interface CollectionUsage {
  name: string;
  documents: number;
  /** With its indexes. */
  bytes: number;
}

/** What a store takes. */
export interface StoreUsage {
  /** Sorted by name. */
  collections: CollectionUsage[];
  /** All of it: of a file with its log and its free space, of MongoDB what the database has allocated. */
  totalBytes: number;
  /** Of that, free for new documents. */
  freeBytes: number;
}

/** Says that a store was or is being filled by a copy. */
export interface CopyMark {
  /** Identity of the source. */
  source: string;
  /** Name of the source for people. */
  sourceName: string;
  /** ISO 8601. */
  begunAt: string;
  /** ISO 8601; null until everything was copied and compared. Until then no server opens the store. */
  completedAt: string | null;
}

/** All that a store holds, whichever service owns it. */
export interface StoreContents {
  /** Names of the services' collections, sorted. */
  names(): Promise<string[]>;
  /** Opens a collection without the indexes of its service, even in a store whose copy is not complete. */
  collection<T extends Document>(spec: Pick<CollectionSpec<T>, "name">): Promise<Collection<T>>;
  /** Each list is sorted by name, or by owner and version. */
  readBooks(): Promise<Books>;
  /** Replaces the books; repeat it if it fails. */
  writeBooks(books: Books): Promise<void>;
  /** Measures the collections; that of a file reads all of it, in its own thread. */
  measure(): Promise<StoreUsage>;
  /**
   * Removes what deleted documents have left in the files of the store. Servers may be using it, but cannot write while a
   * file is rewritten, so one with more than `rewrittenBytesMax` of documents is not (default 64 MiB). Resolves with a
   * sentence for the operator about what may remain, undefined if nothing does.
   */
  purge(options?: { rewrittenBytesMax?: number }): Promise<string | undefined>;
  /** A random text that identifies this store, made by the first call. It is not part of the contents. */
  identity(): Promise<string>;
  readMark(): Promise<CopyMark | undefined>;
  writeMark(mark: CopyMark): Promise<void>;
}

/** Books with their lists in the order of the port. */
export function sortBooks({ counters, budgets, migrations }: Books): Books {
  const byName = (a: { name: string }, b: { name: string }) => compare(a.name, b.name);
  return {
    counters: counters.toSorted(byName),
    budgets: budgets.toSorted(byName),
    migrations: migrations.toSorted((a, b) => compare(a.owner, b.owner) || a.version - b.version),
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Throws AppError `unavailable` if the mark is that of a copy that is not complete. */
export function mustBeWhole(mark: CopyMark | undefined): void {
  if (mark?.completedAt !== null) return;
  throw new AppError(
    "unavailable",
    `The copy from ${mark.sourceName} into this data store is not complete. Run the same "admin -- copy" command again.`,
    { retryAfterMs: 10_000 },
  );
}
