import type { Collection, Store } from "@hourglass/runtime";
import type { FileRecord } from "./file-record.js";

/** What is kept about uploaded files. Nobody but this service reads or writes it. */
export type Files = Collection<FileRecord>;

/** Opens the collection, creating what is missing. */
export function openFiles(store: Store): Promise<Files> {
  return store.collection<FileRecord>({
    name: "files",
    indexes: [
      { fields: ["dueAt"] },
      { fields: ["operationId", "state"] },
      { fields: ["companyId", "state", "id"] },
      { fields: ["idempotency"], unique: true },
    ],
  });
}
