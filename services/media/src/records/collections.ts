import { type Collection, DUE_INDEX, type Store } from "@hourglass/runtime";
import type { FileRecord } from "./file-record.js";

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

/** Opens the collection, creating what is missing. */
export function openReleases(store: Store): Promise<Releases> {
  return store.collection<ReleaseRecord>({ name: "file_releases", indexes: [DUE_INDEX] });
}

/** Opens the collection, creating what is missing. */
export function openFiles(store: Store): Promise<Files> {
  return store.collection<FileRecord>({
    name: "files",
    indexes: [
      DUE_INDEX,
      { fields: ["operationId", "state"] },
      { fields: ["companyId", "state", "id"] },
      { fields: ["idempotency"], unique: true },
    ],
  });
}
