import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { anyIs, anyPack, anyUnpack, durationFromMs, durationMs, type Any } from "@bufbuild/protobuf/wkt";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
  type BadRequest,
  type ErrorInfo,
  type RetryInfo,
} from "@hourglass/proto/google/rpc/error_details";
import { StatusSchema } from "@hourglass/proto/google/rpc/status";
import { type FieldPlaces, FieldPlacesSchema } from "@hourglass/proto/error/v1/field_places";
import { AppError, type ErrorKind, type FieldViolation } from "./app-error.js";
import type { ErrorCode } from "./error-codes.js";

/** A failure in gRPC form: status code, message, and a google.rpc.Status for `grpc-status-details-bin`. */
interface GrpcFailure {
  code: number;
  message: string;
  details: Uint8Array;
}

/** A failure received by a client; `details` is absent if it came from the transport and not from a service. */
interface ReceivedFailure {
  code: number;
  message: string;
  details?: Uint8Array | undefined;
  /** The original, kept for the log. */
  cause?: unknown;
}

/** The standard metadata key for error details. */
export const STATUS_DETAILS_KEY = "grpc-status-details-bin";

const DOMAIN = "hourglass";
const KIND_KEY = "kind";

/** Some clients refuse trailers above 8 KiB, which also contain the base64 overhead and the other trailers. */
const VIOLATIONS_BYTES_MAX = 4500;
const MESSAGE_LENGTH_MAX = 500;

const GRPC_CODES: Record<ErrorKind, number> = {
  cancelled: 1,
  invalid: 3,
  deadline: 4,
  "not-found": 5,
  conflict: 6,
  forbidden: 7,
  "too-many": 8,
  "too-large": 8,
  precondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
};

/** The gRPC status code of a kind. `too-many` and `too-large` share one and differ in the ErrorInfo detail. */
export function toGrpcCode(kind: ErrorKind): number {
  return GRPC_CODES[kind];
}

/** A failure in the terms of gRPC and Connect, before encoding. */
interface DescribedFailure {
  code: number;
  message: string;
  details: readonly FailureDetail[];
}

/** One of the standard details, `google.rpc.*`, or our own. */
type FailureDetail =
  | { desc: typeof ErrorInfoSchema; value: ErrorInfo }
  | { desc: typeof BadRequestSchema; value: BadRequest }
  | { desc: typeof FieldPlacesSchema; value: FieldPlaces }
  | { desc: typeof RetryInfoSchema; value: RetryInfo };

/** Converts a failure to ErrorInfo, BadRequest, RetryInfo and FieldPlaces. The cause is not included. */
export function describeFailure(error: AppError): DescribedFailure {
  const { kind } = error;
  const info = create(ErrorInfoSchema, {
    reason: error.code.toUpperCase(),
    domain: DOMAIN,
    metadata: { [KIND_KEY]: kind },
  });
  const details: FailureDetail[] = [{ desc: ErrorInfoSchema, value: info }];
  if (error.violations.length > 0) {
    const sent = fitting(error.violations);
    const fieldViolations = sent.map(({ field, message: description }) => ({
      field: sendable(field),
      description: sendable(description),
    }));
    details.push({ desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) });
    const places = sent.flatMap(({ start, end }, violation) =>
      start === undefined || end === undefined ? [] : [{ violation, start, end }],
    );
    if (places.length > 0) details.push({ desc: FieldPlacesSchema, value: create(FieldPlacesSchema, { places }) });
  }
  if (error.retryAfterMs !== undefined) {
    const retryDelay = durationFromMs(Math.max(0, Math.ceil(error.retryAfterMs)));
    details.push({ desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay }) });
  }
  return { code: toGrpcCode(kind), message: sendable(error.message), details };
}

/** The same, encoded for gRPC. */
export function toGrpcFailure(error: AppError): GrpcFailure {
  const { code, message, details } = describeFailure(error);
  const packed = details.map(({ desc, value }) => anyPack(desc as DescMessage, value));
  return { code, message, details: toBinary(StatusSchema, create(StatusSchema, { code, message, details: packed })) };
}

/**
 * Converts a received failure back to the original AppError. A failure without our details came from the transport or a
 * proxy; its text is replaced by a plain sentence.
 */
export function fromGrpcFailure(failure: ReceivedFailure): AppError {
  const details = decodeDetails(failure.details);
  const info = unpack(details, ErrorInfoSchema);
  if (info?.domain !== DOMAIN) return fromTransport(failure);
  const retryDelay = unpack(details, RetryInfoSchema)?.retryDelay;
  const violations = unpack(details, BadRequestSchema)?.fieldViolations ?? [];
  const places = unpack(details, FieldPlacesSchema)?.places ?? [];
  const placed = new Map(places.map(({ violation, start, end }) => [violation, { start, end }]));
  return new AppError(toKind(failure.code, info.metadata[KIND_KEY]), failure.message, {
    // A service of a newer release may know others, which pass through as they are.
    code: info.reason.toLowerCase() as ErrorCode,
    violations: violations.map(({ field, description }, index) => ({
      field,
      message: description,
      ...placed.get(index),
    })),
    ...(retryDelay === undefined ? {} : { retryAfterMs: durationMs(retryDelay) }),
    cause: failure.cause,
  });
}

function toKind(code: number, claimed: string | undefined): ErrorKind {
  const kinds = (Object.keys(GRPC_CODES) as ErrorKind[]).filter((kind) => GRPC_CODES[kind] === code);
  return kinds.find((kind) => kind === claimed) ?? kinds[0] ?? "internal";
}

/** Failures of the transport by gRPC code; all others are `internal`. */
const TRANSPORT_FAILURES: Readonly<Record<number, { kind: ErrorKind; message: string; retryAfterMs?: number }>> = {
  // Calls that we cancel ourselves never get here: the peer has shut down.
  1: { kind: "unavailable", message: "A part of the service is restarting. Try again shortly.", retryAfterMs: 1000 },
  3: { kind: "invalid", message: "The request is invalid. Check it against the service's description." },
  4: { kind: "deadline", message: "The service took too long to answer. Try again later." },
  5: { kind: "not-found", message: "There is no such record or method." },
  6: { kind: "conflict", message: "This exists already." },
  7: { kind: "forbidden", message: "You are not allowed to do this." },
  12: { kind: "unimplemented", message: "This is not available in this version of the server." },
  14: { kind: "unavailable", message: "A part of the service is unavailable. Try again shortly.", retryAfterMs: 1000 },
  16: { kind: "unauthenticated", message: "A valid access token is needed. Sign in to get one." },
};

function fromTransport({ code, message, cause }: ReceivedFailure): AppError {
  const known = code === 8 ? exhausted(message) : TRANSPORT_FAILURES[code];
  if (known === undefined) return AppError.from(cause ?? new Error(`gRPC status ${code}: ${message}`));
  const { kind, message: sentence, ...more } = known;
  return new AppError(kind, sentence, { ...more, cause });
}

/** RESOURCE_EXHAUSTED comes from both sides of grpc-js for large messages, and from HTTP/2 peers that throttle. */
function exhausted(message: string): (typeof TRANSPORT_FAILURES)[number] {
  if (/larger than|exceeds maximum/i.test(message))
    return { kind: "too-large", message: "The message is too large. Send less at once." };
  return { kind: "too-many", message: "Too many requests. Try again shortly.", retryAfterMs: 1000 };
}

function decodeDetails(bytes: Uint8Array | undefined): readonly Any[] {
  if (bytes === undefined) return [];
  try {
    return fromBinary(StatusSchema, bytes).details;
  } catch {
    // The details are not from one of our services; code and message of the status remain.
    return [];
  }
}

function unpack<D extends DescMessage>(details: readonly Any[], schema: D): MessageShape<D> | undefined {
  const any = details.find((detail) => anyIs(detail, schema));
  if (any === undefined) return undefined;
  try {
    return anyUnpack(any, schema);
  } catch {
    // As above: a detail that cannot be decoded is ignored.
    return undefined;
  }
}

/** The first violations, as many as fit; the error message gives their total number. */
function fitting(violations: readonly FieldViolation[]): FieldViolation[] {
  const fit: FieldViolation[] = [];
  let bytesLeft = VIOLATIONS_BYTES_MAX;
  for (const violation of violations) {
    // With the lengths of the texts, and a place.
    bytesLeft -= Buffer.byteLength(violation.field) + Buffer.byteLength(violation.message) + 20;
    if (bytesLeft < 0 && fit.length > 0) break;
    fit.push(violation);
  }
  return fit;
}

/** grpc-js percent-encodes the message and throws on a lone surrogate, which quoted input may contain. */
function sendable(text: string): string {
  const short = text.length > MESSAGE_LENGTH_MAX ? `${text.slice(0, MESSAGE_LENGTH_MAX - 1)}…` : text;
  return short.replace(/\p{Surrogate}/gu, "\ufffd");
}
