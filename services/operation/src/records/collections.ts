import {
  type Belonging,
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
  turnsOf,
} from "@hourglass/runtime";
import {
  type CleanupNote,
  type ContentPart,
  type CreationAttempt,
  OPERATION,
  type OperationRecord,
  type ResultPart,
} from "./operation.js";

/** All collections of this service. No other service reads or writes them. */
export interface Collections {
  operations: Collection<OperationRecord>;
  contentParts: Collection<ContentPart>;
  resultParts: Collection<ResultPart>;
  cleanupNotes: Collection<CleanupNote>;
  attempts: Collection<CreationAttempt>;
}

const OPERATIONS: CollectionDeclaration<OperationRecord> = {
  name: "operations",
  // By its end, for those that are kept for a limited time.
  indexes: [...JOB_INDEXES, { fields: ["finishedAt"] }],
  belongs: [ofCompany("companyId")],
  halt: JOB_HALT,
};

const CLEANUP_NOTES: CollectionDeclaration<CleanupNote> = {
  name: "operation_leftovers",
  indexes: [DUE_INDEX, { fields: ["idempotency"] }],
  // Notes of older releases do not name the company, but perhaps a key of it.
  belongs: [ofCompany("companyId"), ofMark("idempotency"), ofParent(OPERATIONS.name, "id")],
};

/** What a crash has left without its operation is found by the note on it. */
function ofOperations<T extends ContentPart | ResultPart>(): Belonging<T>[] {
  return [ofParent<T>(OPERATIONS.name, "operationId"), ofParent<T>(CLEANUP_NOTES.name, "operationId")];
}

const CONTENT_PARTS: CollectionDeclaration<ContentPart> = {
  name: "operation_chunks",
  indexes: [{ fields: ["operationId"] }],
  belongs: ofOperations(),
};

const RESULT_PARTS: CollectionDeclaration<ResultPart> = {
  name: "operation_results",
  indexes: [{ fields: ["operationId"] }],
  belongs: ofOperations(),
};

const ATTEMPTS: CollectionDeclaration<CreationAttempt> = {
  name: "operation_attempts",
  indexes: [{ fields: ["idempotency"], unique: true }, { fields: ["state", "id"] }, DUE_INDEX],
  belongs: [ofCompany("companyId"), ofMark("idempotency")],
};

/** All that this service keeps. */
export const OPERATION_DATA: ServiceData = {
  collections: [
    declared(CONTENT_PARTS),
    declared(RESULT_PARTS),
    declared(ATTEMPTS),
    declared(CLEANUP_NOTES),
    declared(turnsOf({ name: OPERATION })),
    declared(OPERATIONS),
  ],
};

/** Opens the collections, creating what is missing. */
export async function openCollections(store: Store): Promise<Collections> {
  return {
    operations: await store.collection(OPERATIONS),
    contentParts: await store.collection(CONTENT_PARTS),
    resultParts: await store.collection(RESULT_PARTS),
    cleanupNotes: await store.collection(CLEANUP_NOTES),
    attempts: await store.collection(ATTEMPTS),
  };
}
