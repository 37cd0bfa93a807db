/** Every step of an operation's life at which a crash must neither lose it nor carry it out twice. */
export const OPERATION_FAILPOINTS = [
  "operation.after_attempt",
  "operation.after_claim",
  "operation.before_insert",
  "operation.after_chunks",
  "operation.after_insert",
  "operation.before_publish",
  "operation.before_confirm",
  "operation.after_publish",
  "operation.mid_delete",
  "worker.after_delivery",
  "worker.after_lease",
  "worker.mid",
  "worker.before_done",
  "worker.before_ack",
] as const;

export type OperationFailpoint = (typeof OPERATION_FAILPOINTS)[number];
