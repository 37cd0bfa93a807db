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

/**
 * One wrong field. `field` is the path a caller would write: `contents[3]`, `user.email`; `message` is a whole sentence
 * that says what to do about it.
 */
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

/** Names the first wrong field and its remedy, and how many more there are. */
function correction([first, ...others]: readonly FieldViolation[]): string {
  if (first === undefined) return "The request is invalid.";
  const more = others.length === 0 ? "" : ` ${othersToo(others.length)}`;
  return `${correctionOf(first.field)}${first.message}${more}`;
}

function othersToo(count: number): string {
  return count === 1
    ? "Another field is wrong too: see the details."
    : `Another ${count} fields are wrong too: see the details.`;
}

/** How a sentence about a wrong field begins. */
export function correctionOf(field: string): string {
  return `Correct ${field}: `;
}

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
    const options = { violations, ...(code === undefined ? {} : { code }) };
    return new AppError("invalid", correction(violations), options);
  }
}
