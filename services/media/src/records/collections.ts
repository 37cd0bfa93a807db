import { type Collection, type CollectionDeclaration, DUE_INDEX, ofCompany, type Store } from "@hourglass/runtime";
import { blobKeyOf, type FileRecord } from "./file-record.js";

/** The records of uploaded files. Only this service reads and writes them. */
export type Files = Collection<FileRecord>;

/** Operations whose claims were released: a later claim for one of them gets nothing. */
export interface ReleaseRecord {
  /** See `releaseIds`. */
  id: string;
  /** Time after which no claim can arrive any more, in milliseconds since the epoch. */
  dueAt: number;
}

/**
 * Ids under which a release of the operation is recorded: for one company, as services request it, and for any company,
 * as jobs request it.
 */
export function releaseIds(operationId: number, companyId: number): { ofCompany: string; ofAny: string } {
  return { ofCompany: `${operationId}:${companyId}`, ofAny: String(operationId) };
}

export type Releases = Collection<ReleaseRecord>;

/** Notes for any company name none; they are removed when they are due. */
export const RELEASES: CollectionDeclaration<ReleaseRecord> = {
  name: "file_releases",
  indexes: [DUE_INDEX],
  belongs: [{ of: "reading", belongs: ({ id }, companyId) => id.endsWith(`:${companyId}`) }],
};

/** Opens the collection, creating what is missing. */
export function openReleases(store: Store): Promise<Releases> {
  return store.collection(RELEASES);
}

export const FILES: CollectionDeclaration<FileRecord> = {
  name: "files",
  indexes: [
    DUE_INDEX,
    { fields: ["operationId", "state"] },
    { fields: ["companyId", "state", "id"] },
    { fields: ["idempotency"], unique: true },
  ],
  belongs: [ofCompany("companyId")],
  blobsOf: ({ id }) => [blobKeyOf(id)],
};

/** Opens the collection, creating what is missing. */
export function openFiles(store: Store): Promise<Files> {
  return store.collection(FILES);
}
