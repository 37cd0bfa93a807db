import type { CollectionDeclaration } from "@hourglass/runtime";

/** The erasure of a company: how far it is, and once it is over, the record that it took place. Holds no content. */
export interface ErasureRecord {
  /** Id of the company. */
  id: number;
  /** ISO 8601. */
  begunAt: string;
  /** ISO 8601; null until everything is erased. */
  endedAt: string | null;
  /** Digest of the company's name, by which an interrupted erasure is found; null once it is over. */
  nameDigest: string | null;
  /** Erased so far: documents by collection. */
  documents: Record<string, number>;
  /** Erased so far: files, such as uploads and those of exports. */
  files: number;
  /** Names of what the company shared with others, which may tell what it looked for; empty once it is over. */
  shared: string[];
}

export const ERASURES: CollectionDeclaration<ErasureRecord> = {
  name: "company_erasures",
  indexes: [{ fields: ["nameDigest"] }],
  belongs: { because: "they prove that companies were erased, and hold nothing of them but their ids and numbers" },
};
