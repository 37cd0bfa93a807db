import { jobFailpoints } from "@hourglass/runtime";
import { OPERATION } from "../records/operation.js";

/** Every step of an operation's life at which a crash must neither lose it nor make it run twice. */
export const OPERATION_FAILPOINTS: readonly string[] = [
  ...jobFailpoints(OPERATION),
  "operation.after_attempt",
  "operation.after_claim",
  "operation.after_chunks",
  "operation.mid_delete",
  "worker.mid",
];
