import { describe, expect, it } from "vitest";
import type { ErrorKind } from "./app-error.js";
import { toGrpcCode } from "./grpc-status.js";
import { toHttpStatus } from "./http-status.js";

/** Covers every ErrorKind: a missing kind does not compile. */
const EXPECTED: Record<ErrorKind, { http: number; grpc: number }> = {
  invalid: { http: 400, grpc: 3 },
  unauthenticated: { http: 401, grpc: 16 },
  forbidden: { http: 403, grpc: 7 },
  "not-found": { http: 404, grpc: 5 },
  conflict: { http: 400, grpc: 6 },
  precondition: { http: 409, grpc: 9 },
  "too-many": { http: 429, grpc: 8 },
  "too-large": { http: 413, grpc: 8 },
  unimplemented: { http: 501, grpc: 12 },
  unavailable: { http: 503, grpc: 14 },
  deadline: { http: 504, grpc: 4 },
  cancelled: { http: 503, grpc: 1 },
  internal: { http: 500, grpc: 13 },
};

describe("the status of a kind", () => {
  it.each(Object.entries(EXPECTED))("%s has one over HTTP and one over gRPC", (kind, { http, grpc }) => {
    expect(toHttpStatus(kind as ErrorKind)).toBe(http);
    expect(toGrpcCode(kind as ErrorKind)).toBe(grpc);
  });
});
