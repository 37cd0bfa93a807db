/** Marks an erased posting or author, so that no later poll or import stores it again. Holds no content. */
export interface Tombstone {
  /** Keyed digest of company, platform, and the id of the posting or author. */
  id: string;
  /** Absent in marks of older releases, which are those of nobody once their company is erased. */
  companyId?: number;
  /** Milliseconds since the epoch. */
  erasedAt: number;
}
