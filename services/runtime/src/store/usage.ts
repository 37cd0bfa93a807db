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
