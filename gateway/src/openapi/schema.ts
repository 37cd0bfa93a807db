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
export const RECORD_ID: Schema = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

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
