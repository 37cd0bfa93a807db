import { integer } from "./variable-kinds.js";

/** Limits that a service enforces and the gateway also needs. Both include these schemas in their variables. */
export const SHARED_LIMITS = {
  /** Maximum size of an uploaded file, in bytes; enforced by media. */
  MAX_UPLOAD_BYTES: integer(1, 1_099_511_627_776, 104_857_600),
  /** Enforced by auth; 0: no limit. */
  SIGN_IN_ATTEMPTS_PER_MINUTE: integer(0, 10_000_000, 10),
  /** Maximum of one company's unfinished operations; more are refused with 429. Enforced by operation; 0: no limit. */
  MAX_UNFINISHED_OPERATIONS: integer(0, 10_000_000, 10_000),
} as const;
