import { type Collection, DUE_INDEX, JOB_INDEXES, type Store } from "@hourglass/runtime";
import type { CleanupNote, ContentPart, CreationAttempt, OperationRecord, ResultPart } from "./operation.js";

/** All collections of this service. No other service reads or writes them. */
export interface Collections {
  operations: Collection<OperationRecord>;
  contentParts: Collection<ContentPart>;
  resultParts: Collection<ResultPart>;
  cleanupNotes: Collection<CleanupNote>;
  attempts: Collection<CreationAttempt>;
}

/** Opens the collections, creating what is missing. */
export async function openCollections(store: Store): Promise<Collections> {
  return {
    operations: await store.collection<OperationRecord>({
      name: "operations",
      // By its end, for those that are kept for a limited time.
      indexes: [...JOB_INDEXES, { fields: ["finishedAt"] }],
    }),
    contentParts: await store.collection<ContentPart>({
      name: "operation_chunks",
      indexes: [{ fields: ["operationId"] }],
    }),
    resultParts: await store.collection<ResultPart>({
      name: "operation_results",
      indexes: [{ fields: ["operationId"] }],
    }),
    cleanupNotes: await store.collection<CleanupNote>({
      name: "operation_leftovers",
      indexes: [DUE_INDEX, { fields: ["idempotency"] }],
    }),
    attempts: await store.collection<CreationAttempt>({
      name: "operation_attempts",
      indexes: [{ fields: ["idempotency"], unique: true }, { fields: ["state", "id"] }, DUE_INDEX],
    }),
  };
}
