import { getExtension, getOption, type DescField, type DescMessage } from "@bufbuild/protobuf";
import {
  field as fieldOption,
  type FieldRules,
  type Int32Rules,
  type Int64Rules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { record_id as recordIdRule } from "@hourglass/proto/options/v1/rules";

/** A JSON Schema, or any other part of the document. */
export type Schema = Readonly<Record<string, unknown>>;

/** Refers to a schema by its name in the document. */
export function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with the given properties, all required except those named in `optional`. */
export function object(
  properties: Record<string, Schema>,
  extra: Schema & { optional?: readonly string[] } = {},
): Schema {
  const { optional = [], ...keywords } = extra;
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", ...keywords, properties, ...(required.length === 0 ? {} : { required }) };
}

export function array(items: Schema, keywords: Schema = {}): Schema {
  return { type: "array", ...keywords, items };
}

export function string(description?: string, keywords: Schema = {}): Schema {
  return { type: "string", ...described(description), ...keywords };
}

export function integer(description?: string, keywords: Schema = {}): Schema {
  return { type: "integer", ...described(description), ...keywords };
}

export function number(description?: string, keywords: Schema = {}): Schema {
  return { type: "number", format: "double", ...described(description), ...keywords };
}

export function boolean(description?: string): Schema {
  return { type: "boolean", ...described(description) };
}

/** A value of the schema, or null. A list of types would be equivalent, but client generators do not support it. */
export function nullable({ description, ...schema }: Schema): Schema {
  return { ...(description === undefined ? {} : { description }), anyOf: [schema, { type: "null" }] };
}

/** One of the named object schemas; `property` is the discriminator, whose value is constant in each. */
export function union(property: string, byValue: Readonly<Record<string, string>>, description?: string): Schema {
  const mapping = Object.fromEntries(Object.entries(byValue).map(([value, name]) => [value, ref(name).$ref]));
  const oneOf = Object.values(byValue).map(ref);
  return { ...described(description), oneOf, discriminator: { propertyName: property, mapping } };
}

/** A constant string. */
export function constant(value: string): Schema {
  return { type: "string", const: value };
}

export function enumeration(names: readonly string[], description?: string): Schema {
  return { type: "string", ...described(description), enum: names };
}

/** A page of a list: its entries, of the named schema, and the cursor of the next page. */
export function page(entries: string, name: string): Schema {
  const cursor = string("`cursor` of the next page; null on the last one.");
  return object({ [entries]: array(ref(name)), next_cursor: nullable(cursor) });
}

/** Keywords of the rule `record_id` of proto/. */
const RECORD_ID: Schema = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The id of a record. */
export function recordId(description: string): Schema {
  return integer(description, { format: "int64", ...RECORD_ID });
}

export function moment(description: string): Schema {
  return string(description, { format: "date-time" });
}

function described(description: string | undefined): Schema {
  return description === undefined ? {} : { description };
}

/** JSON Schema keywords for the rules of a field in proto/, so that its limits are defined only once. */
export function limitsOf(message: DescMessage, fieldName: string): Schema {
  return keywords(getOption(fieldOf(message, fieldName), fieldOption).type);
}

/** The same for the items of a repeated field. */
export function itemLimitsOf(message: DescMessage, fieldName: string): Schema {
  const { type } = getOption(fieldOf(message, fieldName), fieldOption);
  const items = type.case === "repeated" ? type.value.items : undefined;
  return items === undefined ? {} : keywords(items.type);
}

function fieldOf(message: DescMessage, name: string): DescField {
  const found = message.fields.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return found;
}

function keywords(type: FieldRules["type"]): Schema {
  switch (type.case) {
    case "string":
      // An unset limit is zero.
      return defined({
        minLength: orNone(type.value.minLen),
        maxLength: orNone(type.value.maxLen),
        pattern: type.value.pattern || (type.value.prefix === "" ? undefined : `^${type.value.prefix}`),
        format: type.value.wellKnown.case === "uri" ? "uri" : undefined,
      });
    case "repeated":
      return defined({
        minItems: orNone(type.value.minItems),
        maxItems: orNone(type.value.maxItems),
        uniqueItems: type.value.unique || undefined,
      });
    case "int64":
      return getExtension(type.value, recordIdRule) ? RECORD_ID : between(type.value);
    case "int32":
    case "uint32":
      return between(type.value);
    default:
      return {};
  }
}

function between({
  greaterThan: from,
  lessThan: to,
}: Pick<Int64Rules | Int32Rules, "greaterThan" | "lessThan">): Schema {
  return defined({
    minimum: from.case === undefined ? undefined : Number(from.value) + (from.case === "gt" ? 1 : 0),
    maximum: to.case === undefined ? undefined : Number(to.value) - (to.case === "lt" ? 1 : 0),
  });
}

function orNone(limit: bigint): number | undefined {
  return limit === 0n ? undefined : Number(limit);
}

function defined(schema: Record<string, unknown>): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
