import { integer } from "./variable-kinds.js";

/** Limits that one service enforces and the gateway knows of. Both name these schemas among their own variables. */
export const SHARED_LIMITS = {
  /** Bytes of an uploaded file at most; enforced by media. */
  MAX_UPLOAD_BYTES: integer(1, 1_099_511_627_776, 104_857_600),
  /** Enforced by auth; 0: no limit. */
  SIGN_IN_ATTEMPTS_PER_MINUTE: integer(0, 10_000_000, 10),
  /** Operations of one company that may wait to be analysed; more are answered 429. Enforced by operation; 0: no limit. */
  MAX_UNFINISHED_OPERATIONS: integer(0, 10_000_000, 10_000),
} as const;
