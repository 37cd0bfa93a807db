import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { AppError, correctionOf, findViolations, type FieldViolation } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";

/**
 * Returns the request as read if its shape is valid. Otherwise fails with AppError `invalid` and names all errors:
 * those of the shape, and violations of the rules in proto/ as far as they can be checked on the rest.
 */
export function accepted<D extends DescMessage>(
  schema: D,
  init: MessageInitShape<D>,
  shape: Violations,
): MessageInitShape<D> {
  if (shape.length === 0) return init;
  const rules = findViolations(schema, create(schema, init)).map(toRestViolation);
  throw AppError.invalid([...shape, ...rules.filter(({ field }) => !isKnown(shape, field))]);
}

/**
 * Names all errors of a request whose shape is invalid: `check` asks the service about the rest and must have no other
 * effect. Failures that do not concern the request are rethrown, except that of a record that does not exist: it is reported
 * once the request is right.
 */
export async function refusal(shape: Violations, check: () => Promise<unknown>): Promise<AppError> {
  const found = await check().then(() => [], violationsOf);
  return AppError.invalid([...shape, ...found.filter(({ field }) => !isKnown(shape, field))]);
}

function violationsOf(error: unknown): FieldViolation[] {
  if (error instanceof AppError && error.violations.length > 0) return error.violations.map(toRestViolation);
  if (error instanceof AppError && error.kind === "not-found") return [];
  throw error;
}

/** Rewrites the field paths of a service's violations for a REST client; other failures are unchanged. */
export function toRestError(error: AppError): AppError {
  const [first] = error.violations;
  if (first === undefined) return error;
  const violations = error.violations.map(toRestViolation);
  const { message, code, retryAfterMs } = error;
  const start = correctionOf(first.field);
  const renamed = message.startsWith(start)
    ? correctionOf(toRestPath(first.field)) + message.slice(start.length)
    : message;
  return new AppError(error.kind, renamed, {
    code,
    violations,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function isKnown(shape: Violations, field: string): boolean {
  return shape.some((known) => covers(known.field, field));
}

function covers(known: string, field: string): boolean {
  return field === known || field.startsWith(`${known}.`) || field.startsWith(`${known}[`);
}

function toRestViolation({ field, message }: FieldViolation): FieldViolation {
  return { field: toRestPath(field), message };
}

/** A content is an object in proto/ and a plain value in JSON. */
const CONTENT_PART = /^((?:query\.)?contents\[\d+\])\.(?:text|file_id|url|value)$/;
/** REST clients send the key as a header. */
const IDEMPOTENCY_KEY = /^(?:metadata\.|header\.)?idempotency_key$/;
/** Filters and spans are query parameters of the same level as the others. */
const PLATFORM_FILTER = /^filter\.platforms(?:\[\d+\])?$/;
/** Lists whose items a client cannot tell apart by their number, since it may repeat the parameter. */
const NAMES = /^(platform|columns)\[\d+\]$/;
const FILTER = /^filter\./;
const DAY = /^(?:filter\.)?(start|end)$/;

/** The path of a field for a REST client; most names are the same in proto/ and in JSON. */
export function toRestPath(field: string): string {
  return field
    .replace(CONTENT_PART, "$1")
    .replace(IDEMPOTENCY_KEY, "Idempotency-Key")
    .replace(PLATFORM_FILTER, "platform")
    .replace(NAMES, "$1")
    .replace(DAY, "$1_date")
    .replace(FILTER, "");
}
