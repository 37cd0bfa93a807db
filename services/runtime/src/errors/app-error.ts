/**
 * The kinds of failure that callers can tell apart. `unavailable` and `deadline` may go away by themselves;
 * `internal` is ours; the others need another request.
 */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "too-many"
  | "too-large"
  | "unimplemented"
  | "unavailable"
  | "deadline"
  | "cancelled"
  | "internal";

/** One wrong field. `field` is the path a caller would write: `contents[3]`, `user.email`. */
export interface FieldViolation {
  field: string;
  message: string;
}

export interface AppErrorOptions {
  /** Machine-readable, snake_case, stable; defaults to one per kind. */
  code?: string;
  violations?: readonly FieldViolation[];
  /** When trying again may help, in milliseconds. */
  retryAfterMs?: number;
  /** Kept for the log, never sent. */
  cause?: unknown;
}

const DEFAULT_CODES: Record<ErrorKind, string> = {
  invalid: "invalid_request",
  unauthenticated: "unauthenticated",
  forbidden: "forbidden",
  "not-found": "not_found",
  conflict: "conflict",
  "too-many": "too_many_requests",
  "too-large": "too_large",
  unimplemented: "not_implemented",
  unavailable: "unavailable",
  deadline: "deadline_exceeded",
  cancelled: "cancelled",
  internal: "internal",
};

/** A failure that may be shown: `message` is one sentence for a person and tells no internals. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
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

  /** Returns `error` itself when it is an AppError; anything else becomes `internal` with `error` as cause. */
  static from(error: unknown): AppError {
    if (error instanceof AppError) return error;
    return new AppError("internal", "Something went wrong on our side. Try again later.", { cause: error });
  }

  /** A rejected request; the sentence names the first wrong field, `violations` all of them. */
  static invalid(violations: readonly FieldViolation[], code?: string): AppError {
    const first = violations[0];
    const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
    const message = first === undefined ? "The request is invalid." : `${first.field} ${first.message}${more}`;
    return new AppError("invalid", message, { violations, ...(code === undefined ? {} : { code }) });
  }
}
