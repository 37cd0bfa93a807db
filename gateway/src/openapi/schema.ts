/** A JSON Schema, or any other part of the document. */
export type Schema = Readonly<Record<string, unknown>>;

/** Refers to a schema by its name in the document. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object of the given properties, all of which are there unless they are named in `optional`. */
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
  return { type: "number", ...described(description), ...keywords };
}

export function boolean(description?: string): Schema {
  return { type: "boolean", ...described(description) };
}

/** A value of a simple type, or null. */
export function nullable(schema: Schema): Schema {
  return { ...schema, type: [schema.type, "null"] };
}

/** A value described by reference or combination, or null. */
export function orNull(schema: Schema): Schema {
  return { oneOf: [schema, { type: "null" }] };
}

export function oneOf(names: readonly string[], description?: string): Schema {
  return { type: "string", ...described(description), enum: names };
}

/** The id of a record. */
export function recordId(description: string): Schema {
  return integer(description, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
}

export function moment(description: string): Schema {
  return string(description, { format: "date-time" });
}

function described(description: string | undefined): Schema {
  return description === undefined ? {} : { description };
}
