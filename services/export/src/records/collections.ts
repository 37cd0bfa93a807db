import {
  type Collection,
  type CollectionDeclaration,
  declared,
  DUE_INDEX,
  JOB_HALT,
  JOB_INDEXES,
  ofCompany,
  ofMark,
  ofParent,
  type ServiceData,
  type Store,
  type StoredKey,
  turnsOf,
} from "@hourglass/runtime";
import { RENDERED_FORMATS } from "../render/index.js";
import { BLOB_FOLDER, blobKeyOf } from "./blob-key.js";
import { type DeletedKey, EXPORT, type ExportingCompany, type ExportRecord, type FileSet } from "./export.js";

/** All collections of this service. No other service reads or writes them. */
export interface Collections {
  exports: Collection<ExportRecord>;
  fileSets: Collection<FileSet>;
  deletedKeys: Collection<DeletedKey>;
  companies: Collection<ExportingCompany>;
  /** The key by which links are signed. */
  linkKeys: Collection<StoredKey>;
}

const EXPORTS: CollectionDeclaration<ExportRecord> = {
  name: "exports",
  indexes: [...JOB_INDEXES, DUE_INDEX],
  belongs: [ofCompany("companyId")],
  halt: JOB_HALT,
};

const FILE_SETS: CollectionDeclaration<FileSet> = {
  name: "export_file_sets",
  indexes: [DUE_INDEX],
  // Those of older releases name no company.
  belongs: [ofCompany("companyId"), ofParent(EXPORTS.name, "exportId")],
  blobsOf: ({ id }) => RENDERED_FORMATS.map((format) => blobKeyOf(id, format)),
};

const DELETED_KEYS: CollectionDeclaration<DeletedKey> = {
  name: "export_deleted_keys",
  indexes: [{ fields: ["idempotency"] }, DUE_INDEX],
  belongs: [ofMark("idempotency")],
};

const COMPANIES: CollectionDeclaration<ExportingCompany> = {
  name: "export_companies",
  indexes: [DUE_INDEX, { fields: ["failing"] }],
  belongs: [ofCompany("id")],
};

const LINK_KEYS: CollectionDeclaration<StoredKey> = {
  name: "export_link_keys",
  belongs: { because: "one key signs the links of all companies" },
};

/** All that this service keeps. */
export const EXPORT_DATA: ServiceData = {
  collections: [
    declared(FILE_SETS),
    declared(DELETED_KEYS),
    declared(COMPANIES),
    declared(LINK_KEYS),
    declared(turnsOf({ name: EXPORT })),
    declared(EXPORTS),
  ],
  blobFolders: [BLOB_FOLDER],
};

/** Opens the collections, creating what is missing. */
export async function openCollections(store: Store): Promise<Collections> {
  return {
    exports: await store.collection(EXPORTS),
    fileSets: await store.collection(FILE_SETS),
    deletedKeys: await store.collection(DELETED_KEYS),
    companies: await store.collection(COMPANIES),
    linkKeys: await store.collection(LINK_KEYS),
  };
}
