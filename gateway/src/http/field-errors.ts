import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { AppError, correctionOf, findViolations, type FieldViolation } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";

/** The place that a field of the contract has in the requests of a route: `filter.start` is `start_date`. */
export type Rename = (field: string) => string;

export const sameName: Rename = (field) => field;

/**
 * Returns the request as read if its shape is valid. Otherwise fails with AppError `invalid` and names all errors:
 * those of the shape, and violations of the rules in proto/ as far as they can be checked on the rest.
 */
export function accepted<D extends DescMessage>(
  schema: D,
  init: MessageInitShape<D>,
  shape: Violations,
  rename: Rename,
): MessageInitShape<D> {
  if (shape.length === 0) return init;
  const rules = renamed(findViolations(schema, create(schema, init)), rename);
  throw AppError.invalid([...shape, ...rules.filter(({ field }) => !isKnown(shape, field))]);
}

/**
 * Names all errors of a request whose shape is invalid: `check` asks the service about the rest and must have no other
 * effect. Failures that do not concern the request are rethrown, except that of a record that does not exist: it is reported
 * once the request is right.
 */
export async function refusal(shape: Violations, rename: Rename, check: () => Promise<unknown>): Promise<AppError> {
  const found = renamed(await check().then(() => [], violationsOf), rename);
  return AppError.invalid([...shape, ...found.filter(({ field }) => !isKnown(shape, field))]);
}

/** What a failure says is wrong with a request. Rethrows one that does not concern the request, unless a record does not exist. */
export function violationsOf(error: unknown): FieldViolation[] {
  if (error instanceof AppError && error.violations.length > 0) return [...error.violations];
  if (error instanceof AppError && error.kind === "not-found") return [];
  throw error;
}

/** Rewrites the field paths of a service's violations for a REST client; other failures are unchanged. */
export function toRestError(error: AppError, rename: Rename): AppError {
  const [first] = error.violations;
  if (first === undefined) return error;
  const violations = renamed(error.violations, rename);
  const { message, code, retryAfterMs } = error;
  const start = correctionOf(first.field);
  const sentence = message.startsWith(start)
    ? correctionOf(toRestPath(first.field, rename)) + message.slice(start.length)
    : message;
  return new AppError(error.kind, sentence, {
    code,
    violations,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function isKnown(shape: Violations, field: string): boolean {
  return shape.some((known) => covers(known.field, field));
}

/** Whether a field is the known one, or a part of it. */
export function covers(known: string, field: string): boolean {
  return field === known || field.startsWith(`${known}.`) || field.startsWith(`${known}[`);
}

function renamed(violations: readonly FieldViolation[], rename: Rename): FieldViolation[] {
  return violations.map((each) => ({ ...each, field: toRestPath(each.field, rename) }));
}

/** A content is an object in proto/ and a plain value in JSON. */
const CONTENT_PART = /^((?:query\.)?contents\[\d+\])\.(?:text|file_id|url|value)$/;
/** REST clients send the key as a header. */
const IDEMPOTENCY_KEY = /^(?:metadata\.|header\.)?idempotency_key$/;
/** So it does with the tags of a condition. */
const IF_MATCH = /^if_match(?:\[\d+\])?$/;
/** Lists whose items a client cannot tell apart by their number, since it may repeat the parameter. */
const NAMES =
  /^(platform|columns|analysis|polarity|sentiment|intention|language|country|type|spam|author|topic|hashtag|domain|label)\[\d+\]$/;

/** The path of a field for a REST client; most names are the same in proto/ and in JSON. */
export function toRestPath(field: string, rename: Rename = sameName): string {
  return rename(field)
    .replace(CONTENT_PART, "$1")
    .replace(IDEMPOTENCY_KEY, "Idempotency-Key")
    .replace(IF_MATCH, "If-Match")
    .replace(NAMES, "$1");
}
