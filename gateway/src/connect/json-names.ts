import { getOption, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { named_by as namedBy } from "@hourglass/proto/options/v1/settings";
import { AppError, enumSpellings, giveOneOf, nearest, VIOLATIONS_MAX, type FieldViolation } from "@hourglass/runtime";
import { asConnectError } from "./failure.js";

/** Unknown fields are ignored, as by Connect itself; so would be unknown names of enums. */
export const JSON_OPTIONS = { ignoreUnknownFields: true };

/**
 * Fails with AppError if a request in JSON has names that its enums do not have: without them the request would be
 * another one, such as a list without its filter.
 */
export function requireKnownNames(schema: DescMessage, json: unknown): void {
  const violations: FieldViolation[] = [];
  findUnknownNames(schema, json, { prefix: "", violations });
  if (violations.length > 0) throw AppError.invalid(violations);
}

/**
 * Options with which Connect itself checks the messages that it reads: those of streams, and those in a URL. It has no
 * hook between the bytes and the message but the decoder of texts.
 */
export function jsonOptionsFor(schema: DescMessage): typeof JSON_OPTIONS {
  if (!holdsEnums(schema)) return JSON_OPTIONS;
  const decoder = new TextDecoder();
  const textDecoder = {
    decode: (bytes: Uint8Array): string => {
      const text = decoder.decode(bytes);
      try {
        requireKnownNames(schema, JSON.parse(text));
      } catch (error) {
        throw error instanceof AppError ? asConnectError(error) : error;
      }
      return text;
    },
  };
  return { ...JSON_OPTIONS, ...{ textDecoder } };
}

interface Search {
  /** Path of the message, with a dot at its end. */
  readonly prefix: string;
  readonly violations: FieldViolation[];
}

function findUnknownNames(schema: DescMessage, json: unknown, { prefix, violations }: Search): void {
  if (!holdsEnums(schema) || !isObject(json)) return;
  for (const field of schema.fields) {
    for (const [path, value] of valuesOf(field, json)) {
      if (violations.length > VIOLATIONS_MAX) return;
      if (field.message !== undefined) {
        findUnknownNames(field.message, value, { prefix: `${prefix}${path}.`, violations });
      } else if (field.enum !== undefined && typeof value === "string" && !isNameOf(field.enum, value)) {
        violations.push({ field: prefix + path, message: sentenceFor(field.enum, value) });
      }
    }
  }
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

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

const holders = new Map<DescMessage, boolean>();

/** Whether a message has fields of enums, or parts that have. The JSON of Google's own types has other forms. */
function holdsEnums(schema: DescMessage): boolean {
  let holds = holders.get(schema);
  if (holds === undefined) {
    holds = [...partsOf(schema)].some(({ fields }) => fields.some((field) => field.enum !== undefined));
    holders.set(schema, holds);
  }
  return holds;
}

/** A message type and all types of its parts. */
function partsOf(schema: DescMessage, found = new Set<DescMessage>()): Set<DescMessage> {
  if (found.has(schema) || schema.typeName.startsWith("google.protobuf.")) return found;
  found.add(schema);
  for (const { message } of schema.fields) if (message !== undefined) partsOf(message, found);
  return found;
}

function isNameOf({ values }: DescEnum, name: string): boolean {
  return values.some((value) => value.name === name || value.jsonName === name);
}

/** Lists the names that every server knows. What is spelled as by REST is suggested too. */
function sentenceFor(desc: DescEnum, given: string): string {
  const values = desc.values.filter((value) => value.number !== 0 && getOption(value, namedBy) === "");
  const spellings = enumSpellings(desc);
  const byName = new Map(
    values.flatMap(({ name, number }) => [[name, name] as const, [spellings.get(number) ?? name, name] as const]),
  );
  const meant = byName.get(nearest(given, [...byName.keys()]) ?? "");
  return giveOneOf(
    values.map(({ name }) => name),
    meant,
  );
}
