import { type Collection, DUE_INDEX, JOB_INDEXES, type Store, type StoredKey } from "@hourglass/runtime";
import type { DeletedKey, ExportingCompany, ExportRecord, FileSet } from "./export.js";

/** All collections of this service. No other service reads or writes them. */
export interface Collections {
  exports: Collection<ExportRecord>;
  fileSets: Collection<FileSet>;
  deletedKeys: Collection<DeletedKey>;
  companies: Collection<ExportingCompany>;
  /** The key by which links are signed. */
  linkKeys: Collection<StoredKey>;
}

/** Opens the collections, creating what is missing. */
export async function openCollections(store: Store): Promise<Collections> {
  return {
    exports: await store.collection<ExportRecord>({ name: "exports", indexes: [...JOB_INDEXES, DUE_INDEX] }),
    fileSets: await store.collection<FileSet>({ name: "export_file_sets", indexes: [DUE_INDEX] }),
    deletedKeys: await store.collection<DeletedKey>({
      name: "export_deleted_keys",
      indexes: [{ fields: ["idempotency"] }, DUE_INDEX],
    }),
    companies: await store.collection<ExportingCompany>({
      name: "export_companies",
      indexes: [DUE_INDEX, { fields: ["failing"] }],
    }),
    linkKeys: await store.collection<StoredKey>({ name: "export_link_keys" }),
  };
}
