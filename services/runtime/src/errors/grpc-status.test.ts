import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema, ErrorInfoSchema } from "@hourglass/proto/google/rpc/error_details";
import { StatusSchema } from "@hourglass/proto/google/rpc/status";
import { describe, expect, it } from "vitest";
import { AppError, type ErrorKind, toHttpStatus } from "./app-error.js";
import { fromGrpcFailure, toGrpcFailure, toGrpcCode } from "./grpc-status.js";

const KINDS: readonly ErrorKind[] = [
  "invalid",
  "unauthenticated",
  "forbidden",
  "not-found",
  "conflict",
  "too-many",
  "too-large",
  "unimplemented",
  "unavailable",
  "deadline",
  "cancelled",
  "internal",
];

describe("a failure that travels over gRPC", () => {
  it.each(KINDS)("arrives as what it was: %s", (kind) => {
    const options = {
      code: "file_used" as const,
      violations: [
        { field: "contents[3].text", message: "Give at least one character." },
        { field: "query.keywords", message: "Close the quote.", start: 0, end: 7 },
      ],
      retryAfterMs: 1500,
    };
    const received = fromGrpcFailure(toGrpcFailure(new AppError(kind, "One sentence.", options)));
    expect(received).toMatchObject({ kind, message: "One sentence.", ...options });
  });

  it("leaves its cause behind", () => {
    const { message, details } = toGrpcFailure(AppError.from(new Error("password=hunter2 at 10.0.0.7")));
    expect(`${message} ${Buffer.from(details).toString("latin1")}`).not.toMatch(/hunter2|10\.0\.0\.7/);
  });

  it("carries the standard details that clients in other languages read", () => {
    const failure = toGrpcFailure(
      AppError.invalid([{ field: "type", message: "Give a known type." }], "unsupported_file"),
    );
    const status = fromBinary(StatusSchema, failure.details);
    const [info, badRequest] = status.details;
    expect(status).toMatchObject({ code: 3, message: "type: give a known type." });
    expect(info && anyUnpack(info, ErrorInfoSchema)).toMatchObject({ reason: "UNSUPPORTED_FILE", domain: "hourglass" });
    expect(badRequest && anyUnpack(badRequest, BadRequestSchema)).toMatchObject({
      fieldViolations: [{ field: "type", description: "Give a known type." }],
    });
  });

  it("stays below the 8 KiB that clients accept as trailers, however much is wrong", () => {
    const violations = Array.from({ length: 1000 }, (_, index) => ({
      field: `contents[${index}].text`,
      message: "Give at most 20,000 characters.",
    }));
    const failure = toGrpcFailure(AppError.invalid(violations));
    expect(Buffer.from(failure.details).toString("base64").length + failure.message.length).toBeLessThan(8000);
    const received = fromGrpcFailure(failure);
    expect(received.message).toContain("At least another 200 fields are wrong too, not all of which are listed");
    expect(received.violations.length).toBeGreaterThan(50);
  });

  it("survives quoted input that is no valid Unicode, and long sentences", () => {
    const { message } = toGrpcFailure(new AppError("invalid", `"\ud800" is wrong${"x".repeat(5000)}`));
    expect(() => encodeURI(message)).not.toThrow();
    expect(message.length).toBeLessThanOrEqual(500);
  });
});

describe("a failure that no service of ours wrote", () => {
  it.each([
    [14, "14 UNAVAILABLE: connect ECONNREFUSED 10.0.0.7:9001", "unavailable"],
    [1, "Call cancelled", "unavailable"],
    [4, "Deadline exceeded after 0.2s", "deadline"],
    [8, "Received message larger than max (70000000 vs. 67108864)", "too-large"],
    [8, "Bandwidth exhausted or memory limit exceeded", "too-many"],
    [12, "The server does not implement the method /x.Y/Z", "unimplemented"],
    [16, "jwt malformed", "unauthenticated"],
    [2, "stack of something", "internal"],
    [13, "Received RST_STREAM with code 2", "internal"],
    [999, "?", "internal"],
  ])("status %i (%s) is %s, in words of ours", (code, message, kind) => {
    const cause = new Error(message);
    const error = fromGrpcFailure({ code, message, cause });
    expect(error.kind).toBe(kind);
    expect(error.message).not.toContain(message);
    expect(error.cause).toBe(cause);
  });

  it("says when to try again if the peer is unavailable", () => {
    expect(fromGrpcFailure({ code: 14, message: "x" }).retryAfterMs).toBeGreaterThan(0);
  });

  it("is not taken for ours because of foreign or unreadable details", () => {
    const foreign = toBinary(
      StatusSchema,
      create(StatusSchema, {
        details: [anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason: "X", domain: "example.com" }))],
      }),
    );
    const details = [foreign, new Uint8Array([255, 255, 255]), new Uint8Array()];
    for (const each of details)
      expect(fromGrpcFailure({ code: 5, message: "m", details: each }).code).toBe("not_found");
  });
});

/** Covers every ErrorKind: a missing kind does not compile. */
const EXPECTED: Record<ErrorKind, { http: number; grpc: number; code: string }> = {
  invalid: { http: 400, grpc: 3, code: "invalid_request" },
  unauthenticated: { http: 401, grpc: 16, code: "unauthenticated" },
  forbidden: { http: 403, grpc: 7, code: "forbidden" },
  "not-found": { http: 404, grpc: 5, code: "not_found" },
  conflict: { http: 400, grpc: 6, code: "conflict" },
  precondition: { http: 409, grpc: 9, code: "precondition_failed" },
  "too-many": { http: 429, grpc: 8, code: "too_many_requests" },
  "too-large": { http: 413, grpc: 8, code: "too_large" },
  unimplemented: { http: 501, grpc: 12, code: "not_implemented" },
  unavailable: { http: 503, grpc: 14, code: "unavailable" },
  deadline: { http: 504, grpc: 4, code: "deadline_exceeded" },
  cancelled: { http: 503, grpc: 1, code: "cancelled" },
  internal: { http: 500, grpc: 13, code: "internal" },
};

describe("the status of a kind", () => {
  it.each(Object.entries(EXPECTED))(
    "%s has one over HTTP and one over gRPC, and a code",
    (kind, { http, grpc, code }) => {
      expect(toHttpStatus(kind as ErrorKind)).toBe(http);
      expect(toGrpcCode(kind as ErrorKind)).toBe(grpc);
      expect(new AppError(kind as ErrorKind, "It failed.").code).toBe(code);
    },
  );
});
