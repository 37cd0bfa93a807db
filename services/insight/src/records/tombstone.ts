/** Marks an erased posting or author, so that no later poll or import stores it again. Holds no content. */
export interface Tombstone {
  /** Keyed digest of company, platform, and the id of the posting or author. */
  id: string;
  /** Milliseconds since the epoch. */
  erasedAt: number;
}
