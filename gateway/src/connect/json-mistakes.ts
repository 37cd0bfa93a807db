import { getOption, ScalarType, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { named_by as namedBy } from "@hourglass/proto/options/v1/settings";
import { AppError, enumSpellings, giveOneOf, nearest, VIOLATIONS_MAX, type FieldViolation } from "@hourglass/runtime";
import { GIVE, GIVE_WHOLE_CHARACTERS, isWhole } from "@hourglass/runtime/json";
import { giveWithin } from "../http/unknown-names.js";

interface Search {
  /** Path of the message, with a dot at its end. */
  readonly prefix: string;
  readonly found: FieldViolation[];
}

/**
 * Fails with AppError if a request in JSON has fields that its messages do not have, or names that its enums do not have:
 * without them the request would be another one, such as a list without its filter.
 */
export function requireKnownNames(schema: DescMessage, json: unknown): void {
  if (hasUnknownNames(schema, json)) throw notOfType(schema, json);
}

/** The failure of a request in JSON that is no message of the type, with every value of another type. */
export function notOfType(schema: DescMessage, json: unknown): AppError {
  if (!isObject(json)) return new AppError("invalid", "The request is not an object: send a JSON object.");
  const found: FieldViolation[] = [];
  findWrongValues(schema, json, { prefix: "", found });
  if (found.length > 0) return AppError.invalid(found);
  return new AppError("invalid", `The request is not in the JSON mapping of ${schema.typeName}. Check its values.`);
}

function hasUnknownNames(schema: DescMessage, json: unknown): boolean {
  if (isOfGoogle(schema) || !isObject(json)) return false;
  const known = fieldsOf(schema);
  for (const name in json) if (!known.has(name)) return true;
  for (const field of schema.fields) {
    const { message, enum: desc } = field;
    if (message === undefined && desc === undefined) continue;
    for (const [, value] of valuesOf(field, json)) {
      if (message !== undefined && hasUnknownNames(message, value)) return true;
      if (desc !== undefined && typeof value === "string" && !isNameOf(desc, value)) return true;
    }
  }
  return false;
}

/** The values of a field, each item of a list and entry of a map, with their paths in the message. */
function* valuesOf(field: DescField, json: Readonly<Record<string, unknown>>): Generator<[string, unknown]> {
  for (const name of new Set([field.jsonName, field.name])) {
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    if (field.fieldKind === "list" && Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield [`${field.name}[${index}]`, item];
    } else if (field.fieldKind === "map" && isObject(value)) {
      for (const [key, item] of Object.entries(value)) yield [`${field.name}[${JSON.stringify(key)}]`, item];
    } else {
      yield [field.name, value];
    }
  }
}

function findWrongValues(
  schema: DescMessage,
  json: Readonly<Record<string, unknown>>,
  { prefix, found }: Search,
): void {
  const known = fieldsOf(schema);
  for (const name of Object.keys(json)) {
    if (found.length > VIOLATIONS_MAX) return;
    if (!known.has(name)) found.push({ field: prefix + shown(name), message: remedyForUnknown(schema, name) });
  }
  const chosen = new Map<string, DescField>();
  for (const field of schema.fields) {
    for (const [path, value] of valuesOf(field, json)) {
      if (found.length > VIOLATIONS_MAX) return;
      if (value === undefined || (value === null && path === field.name)) continue;
      if (field.oneof !== undefined && (chosen.get(field.oneof.name) ?? field) !== field) {
        found.push({ field: prefix + path, message: giveOnlyOne(field.oneof.fields) });
      }
      if (field.oneof !== undefined) chosen.set(field.oneof.name, field);
      const isPart = path !== field.name || field.fieldKind === "scalar" || field.fieldKind === "enum";
      const remedy = isPart || field.fieldKind === "message" ? remedyFor(field, value) : GIVE_SEVERAL[field.fieldKind];
      if (remedy !== undefined) found.push({ field: prefix + path, message: remedy });
      else if (field.message !== undefined && isObject(value) && !isOfGoogle(field.message)) {
        findWrongValues(field.message, value, { prefix: `${prefix}${path}.`, found });
      }
    }
  }
}

const NO_FIELD = "There is no such field.";

/** What to do about a field that a message does not have: REST calls a list in a filter by the name of one of its items. */
function remedyForUnknown(schema: DescMessage, name: string): string {
  const names = schema.fields.map((field) => field.name);
  const meant = names.find((each) => each === severalOf(name)) ?? nearest(name, names, name.length < 5 ? 1 : 2);
  if (meant !== undefined) return `Did you mean ${meant}? ${NO_FIELD}`;
  for (const { name: part, message } of schema.fields) {
    const inside = message?.fields.find((field) => field.name === name || field.name === severalOf(name));
    if (inside !== undefined) return giveWithin(part, inside.name);
  }
  return names.length === 0
    ? `${NO_FIELD} Leave it out.`
    : `${NO_FIELD} Leave it out, or ${lowerFirst(giveOneOf(names))}`;
}

function severalOf(name: string): string {
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const GIVE_SEVERAL = { list: GIVE.array, map: GIVE.object } as const;

function giveOnlyOne(fields: readonly DescField[]): string {
  return `Give only one of these: ${fields.map(({ name }) => name).join(", ")}.`;
}

/** What to do about a value of a field, or an item of it, that is of another type. */
function remedyFor({ message, enum: desc, scalar }: DescField, value: unknown): string | undefined {
  if (message !== undefined) {
    if (!isOfGoogle(message)) return isObject(value) ? undefined : GIVE.object;
    return message.typeName === "google.protobuf.Timestamp" && !isMoment(value)
      ? "Give a time such as 2026-01-31T12:00:00Z."
      : undefined;
  }
  if (desc !== undefined) {
    const isValue = typeof value === "string" ? isNameOf(desc, value) : Number.isInteger(value);
    return isValue ? undefined : giveName(desc, value);
  }
  return SCALARS[scalar].fits(value) ? undefined : SCALARS[scalar].remedy;
}

function isMoment(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}

interface Scalar {
  readonly remedy: string;
  fits(value: unknown): boolean;
}

const WHOLE = /^-?\d+$/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

const NUMBER: Scalar = {
  remedy: "Give a number.",
  fits: (value) =>
    typeof value === "number" || (typeof value === "string" && value !== "" && !Number.isNaN(Number(value))),
};
const BOOLEAN: Scalar = { remedy: GIVE.boolean, fits: (value) => typeof value === "boolean" };
const BYTES: Scalar = {
  remedy: "Give bytes in base64.",
  fits: (value) => typeof value === "string" && BASE64.test(value),
};

/** Numbers of 64 bits may be strings, and are those that JavaScript cannot hold. */
function wholeNumber(min: bigint, max: bigint): Scalar {
  return {
    remedy: `Give a whole number from ${min} to ${max}.`,
    fits: (value) => {
      if (typeof value !== "string") return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
      return WHOLE.test(value) && value.length <= 20 && BigInt(value) >= min && BigInt(value) <= max;
    },
  };
}

const INT32 = wholeNumber(-(2n ** 31n), 2n ** 31n - 1n);
const UINT32 = wholeNumber(0n, 2n ** 32n - 1n);
const INT64 = wholeNumber(-(2n ** 63n), 2n ** 63n - 1n);
const UINT64 = wholeNumber(0n, 2n ** 64n - 1n);

const SCALARS: Readonly<Record<ScalarType, Scalar>> = {
  [ScalarType.STRING]: {
    remedy: `${GIVE.string} ${GIVE_WHOLE_CHARACTERS}`,
    fits: (value) => typeof value === "string" && isWhole(value),
  },
  [ScalarType.BOOL]: BOOLEAN,
  [ScalarType.BYTES]: BYTES,
  [ScalarType.DOUBLE]: NUMBER,
  [ScalarType.FLOAT]: NUMBER,
  [ScalarType.INT32]: INT32,
  [ScalarType.SINT32]: INT32,
  [ScalarType.SFIXED32]: INT32,
  [ScalarType.UINT32]: UINT32,
  [ScalarType.FIXED32]: UINT32,
  [ScalarType.INT64]: INT64,
  [ScalarType.SINT64]: INT64,
  [ScalarType.SFIXED64]: INT64,
  [ScalarType.UINT64]: UINT64,
  [ScalarType.FIXED64]: UINT64,
};

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** The JSON of Google's own types has other forms. */
function isOfGoogle({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.");
}

const fields = new Map<DescMessage, ReadonlySet<string>>();

/** The names of the fields of a message in JSON. */
function fieldsOf(schema: DescMessage): ReadonlySet<string> {
  let names = fields.get(schema);
  if (names === undefined) {
    names = new Set(schema.fields.flatMap(({ name, jsonName }) => [name, jsonName]));
    fields.set(schema, names);
  }
  return names;
}

/** A longer name is shown by its beginning. */
const SHOWN_CHARACTERS = 100;

function shown(name: string): string {
  return name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
}

function isNameOf({ values }: DescEnum, name: string): boolean {
  return values.some((value) => value.name === name || value.jsonName === name);
}

/** Lists the names that every server knows. What is spelled as by REST is suggested too. */
function giveName(desc: DescEnum, given: unknown): string {
  const values = desc.values.filter((value) => value.number !== 0 && getOption(value, namedBy) === "");
  const spellings = enumSpellings(desc);
  const byName = new Map(
    values.flatMap(({ name, number }) => [[name, name] as const, [spellings.get(number) ?? name, name] as const]),
  );
  const meant = typeof given === "string" ? byName.get(nearest(given, [...byName.keys()]) ?? "") : undefined;
  return giveOneOf(
    values.map(({ name }) => name),
    meant,
  );
}
