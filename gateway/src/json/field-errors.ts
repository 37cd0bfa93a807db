import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { AppError, findViolations, type FieldViolation } from "@hourglass/runtime";
import type { Violations } from "./reader.js";

/**
 * Returns what was read of a request, when its shape is right. Otherwise fails with AppError `invalid` and names all
 * that is wrong: the shape, and the rules in proto/ as far as they can be checked on the rest.
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
 * Names all that is wrong with a request whose shape is: `check` asks the service about the rest, which must be a call
 * that does nothing else. Failures that are not about the request go through.
 */
export async function refusal(shape: Violations, check: () => Promise<unknown>): Promise<AppError> {
  const found = await check().then(() => [], violationsOf);
  return AppError.invalid([...shape, ...found.filter(({ field }) => !isKnown(shape, field))]);
}

function violationsOf(error: unknown): FieldViolation[] {
  if (error instanceof AppError && error.violations.length > 0) return error.violations.map(toRestViolation);
  throw error;
}

/** Rewrites the paths and messages of a service's violations for a REST client; other failures stay as they are. */
export function toRestError(error: AppError): AppError {
  if (error.violations.length === 0) return error;
  const violations = error.violations.map(toRestViolation);
  // A service that has nothing better to say names the first field, by its proto path.
  const plain = error.message === AppError.invalid(error.violations).message;
  const message = plain ? AppError.invalid(violations).message : error.message;
  return new AppError(error.kind, message, {
    code: error.code,
    violations,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}

function isKnown(shape: Violations, field: string): boolean {
  return shape.some((known) => covers(known.field, field));
}

function covers(known: string, field: string): boolean {
  return field === known || field.startsWith(`${known}.`) || field.startsWith(`${known}[`);
}

/** A content is an object in proto/ and a plain value in JSON; all other names are the same. */
const CONTENT_PART = /^((?:query\.)?contents\[\d+\])\.(?:text|file_id|url|value)$/;

function toRestViolation({ field, message }: FieldViolation): FieldViolation {
  return { field: field.replace(CONTENT_PART, "$1"), message: toPlainMessage(message) };
}

/** What protovalidate says, and what a person who writes JSON would say. */
const PLAIN_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^value is required$|^exactly one field is required in oneof$/, "is required"],
  [/^must contain at least 1 item\(s\)$|^must be at least 1 characters$/, "must not be empty"],
  [/^must contain at least (\d+) item\(s\)$/, "must hold at least $1 items"],
  [/^must contain no more than (\d+) item\(s\)$/, "must hold at most $1 items"],
  [/^repeated value must contain unique items$/, "must not hold the same value twice"],
  [/^must be greater than 0 and less than 9007199254740992$/, "must be an id: a positive integer"],
  [/^must be greater than or equal to (\d+) and less than or equal to (\d+)$/, "must be from $1 to $2"],
  [/^must be less than or equal to (\d+)$/, "must be at most $1"],
  [/^value must be one of the defined enum values$|^must not be in list \[0\]$/, "must be one of the allowed values"],
];

function toPlainMessage(message: string): string {
  for (const [pattern, plain] of PLAIN_MESSAGES) {
    if (pattern.test(message)) return message.replace(pattern, plain);
  }
  return message;
}
