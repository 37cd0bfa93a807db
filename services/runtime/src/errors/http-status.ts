import type { ErrorKind } from "./app-error.js";

const HTTP_STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  // The API specifies 400 for a reference that is already used, and 409 only for a record in another state.
  conflict: 400,
  precondition: 409,
  "too-many": 429,
  "too-large": 413,
  unimplemented: 501,
  unavailable: 503,
  deadline: 504,
  // A caller that cancelled does not read the response; a proxy that reads it may retry.
  cancelled: 503,
  internal: 500,
};

/** The HTTP status for a failure of this kind. */
export function toHttpStatus(kind: ErrorKind): number {
  return HTTP_STATUS[kind];
}
