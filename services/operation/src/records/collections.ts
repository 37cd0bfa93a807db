import type { Collection, Store } from "@hourglass/runtime";
import type { ContentPart, CreationAttempt, Leftover, OperationRecord, ResultPart, TurnRecord } from "./operation.js";

/** Everything this service stores. Nobody else reads or writes it. */
export interface Collections {
  operations: Collection<OperationRecord>;
  contentParts: Collection<ContentPart>;
  resultParts: Collection<ResultPart>;
  leftovers: Collection<Leftover>;
  attempts: Collection<CreationAttempt>;
  turns: Collection<TurnRecord>;
}

/** Opens the collections, creating what is missing. */
export async function openCollections(store: Store): Promise<Collections> {
  return {
    operations: await store.collection<OperationRecord>({
      name: "operations",
      indexes: [
        { fields: ["status", "line", "turn", "id"] },
        { fields: ["companyId", "id"] },
        { fields: ["companyId", "status", "id"] },
        { fields: ["idempotency"], unique: true },
      ],
    }),
    contentParts: await store.collection<ContentPart>({
      name: "operation_chunks",
      indexes: [{ fields: ["operationId"] }],
    }),
    resultParts: await store.collection<ResultPart>({
      name: "operation_results",
      indexes: [{ fields: ["operationId"] }],
    }),
    leftovers: await store.collection<Leftover>({
      name: "operation_leftovers",
      indexes: [{ fields: ["dueAt"] }, { fields: ["idempotency"] }],
    }),
    attempts: await store.collection<CreationAttempt>({
      name: "operation_attempts",
      indexes: [{ fields: ["idempotency"], unique: true }, { fields: ["state", "id"] }, { fields: ["dueAt"] }],
    }),
    turns: await store.collection<TurnRecord>({ name: "operation_turns" }),
  };
}
