import type { ErrorCode } from "./error-codes.js";

/**
 * The kinds of failure that callers can distinguish. `unavailable` and `deadline` may be temporary; `precondition` is
 * about the current state of a record; `internal` is a bug in the server; the others need a different request.
 */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "precondition"
  | "too-many"
  | "too-large"
  | "unimplemented"
  | "unavailable"
  | "deadline"
  | "cancelled"
  | "internal";

/**
 * One invalid field. `field` is the path as a caller writes it: `contents[3]`, `user.email`; `message` is a whole
 * sentence that says how to correct it.
 */
export interface FieldViolation {
  field: string;
  message: string;
  /** Where in the text of the field the mistake stands, in UTF-16 code units; the end is exclusive. Absent: not known. */
  start?: number;
  end?: number;
}

export interface AppErrorOptions {
  /** For machines; each kind has a default. */
  code?: ErrorCode;
  violations?: readonly FieldViolation[];
  /** Delay after which a retry may help, in milliseconds. */
  retryAfterMs?: number;
  /** Kept for the log, never sent. */
  cause?: unknown;
}

const DEFAULT_CODES: Record<ErrorKind, ErrorCode> = {
  invalid: "invalid_request",
  unauthenticated: "unauthenticated",
  forbidden: "forbidden",
  "not-found": "not_found",
  conflict: "conflict",
  precondition: "precondition_failed",
  "too-many": "too_many_requests",
  "too-large": "too_large",
  unimplemented: "not_implemented",
  unavailable: "unavailable",
  deadline: "deadline_exceeded",
  cancelled: "cancelled",
  internal: "internal",
};

/** A failure lists no more invalid fields. Collecting them may stop once there is one more. */
export const VIOLATIONS_MAX = 200;

/** Only mistakes in keywords have a place in the text of their field. */
function codeOf(violations: readonly FieldViolation[]): ErrorCode {
  const isQuery = violations.length > 0 && violations.every(({ start }) => start !== undefined);
  return isQuery ? "invalid_query" : "invalid_request";
}

/** Names the first invalid field and its correction, and the number of further ones. */
function correction([first, ...others]: readonly FieldViolation[]): string {
  if (first === undefined) return "The request is invalid.";
  const more = others.length === 0 ? "" : ` ${othersToo(others.length)}`;
  return `${correctionOf(first.field)}${inSentence(first.message)}${more}`;
}

function othersToo(count: number): string {
  if (count >= VIOLATIONS_MAX) {
    return `At least another ${VIOLATIONS_MAX} fields are wrong too, not all of which are listed: see the details.`;
  }
  return count === 1
    ? "Another field is wrong too: see the details."
    : `Another ${count} fields are wrong too: see the details.`;
}

/** A sentence as it goes on behind a colon; a first word in capitals, such as JSON, keeps them. */
function inSentence(sentence: string): string {
  return /^[A-Z]([a-z]| )/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

/** Beginning of a sentence about an invalid field. */
export function correctionOf(field: string): string {
  return `${field}: `;
}

/** A failure that may be shown to users: `message` is one sentence and reveals no internals. */
export class AppError extends Error {
  /** Log lines name the class of an error; a bundler renames classes that refer to themselves. */
  static override readonly name = "AppError";

  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly violations: readonly FieldViolation[];
  readonly retryAfterMs: number | undefined;

  constructor(kind: ErrorKind, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.kind = kind;
    this.code = options.code ?? DEFAULT_CODES[kind];
    this.violations = options.violations ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Returns `error` itself if it is an AppError; anything else becomes `internal` with `error` as cause. */
  static from(error: unknown): AppError {
    if (error instanceof AppError) return error;
    return new AppError("internal", "Something went wrong on our side. Try again later.", { cause: error });
  }

  /** A rejected request; the message names the first invalid field, `violations` the first `VIOLATIONS_MAX`. */
  static invalid(violations: readonly FieldViolation[], code = codeOf(violations)): AppError {
    const options = { violations: violations.slice(0, VIOLATIONS_MAX), code };
    return new AppError("invalid", correction(violations), options);
  }
}

/** Whether something that the work needs cannot be used at the moment, which says nothing about the work. */
export function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.kind === "unavailable";
}

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

/** The message of the root cause of a failure: a log line of an outage contains it, because a stack is useless there. */
export function rootReason(error: Error): string {
  return error.cause instanceof Error ? rootReason(error.cause) : error.message;
}
