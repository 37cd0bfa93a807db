import type { ErrorKind } from "./app-error.js";

const HTTP_STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  // The interface promises 400 for a reference that is already used; 409 is no status of it.
  conflict: 400,
  "too-many": 429,
  "too-large": 413,
  unimplemented: 501,
  unavailable: 503,
  deadline: 504,
  // Seen by nobody: the one who cancelled does not read the answer. A proxy that does may try again.
  cancelled: 503,
  internal: 500,
};

/** The HTTP status that answers a failure of this kind. */
export function toHttpStatus(kind: ErrorKind): number {
  return HTTP_STATUS[kind];
}
