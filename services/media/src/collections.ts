import { type Collection, DUE_INDEX, type Store } from "@hourglass/runtime";
import type { FileRecord } from "./file-record.js";

/** What is kept about uploaded files. Nobody but this service reads or writes it. */
export type Files = Collection<FileRecord>;

/** Operations whose claims were released: a claim of theirs that comes late gets nothing. */
export interface ReleaseRecord {
  /** See `releaseIds`. */
  id: string;
  /** When no claim can come any more, in milliseconds since the epoch. */
  dueAt: number;
}

/**
 * Under which ids a release of the operation may be noted: of one company, as services call for one, and of whichever has it,
 * as jobs ask.
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
