/** A JSON Schema of the OpenAPI document; only the keywords that the document uses. */
export interface Schema {
  $ref?: string;
  oneOf?: Schema[];
  anyOf?: Schema[];
  type?: string;
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** The part of the OpenAPI document that tests read. */
export interface ApiDocument {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { name?: string; in?: string; example?: string }[];
        requestBody?: { content: Record<string, Media> };
        responses: Record<string, { content?: Record<string, Media> }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

/** Validates values against the schemas of a document. */
export class Documented {
  constructor(private readonly document: ApiDocument) {}

  /** All deviations from the schema, by path; fields that the schema does not name are deviations, too. */
  differences(value: unknown, schema: Schema, path = "$"): string[] {
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives !== undefined) return this.fewest(value, alternatives, path);
    if (schema.$ref !== undefined) return this.differences(value, this.named(schema.$ref), path);
    if (!isOfType(value, schema.type)) return [`${path} is ${typeOf(value)}`];
    const wrong = LIMITS.filter((holds) => !holds(value, schema)).map(() => `${path} is ${JSON.stringify(value)}`);
    return [...wrong, ...this.differencesInside(value, schema, path)];
  }

  private named(reference: string): Schema {
    const found = this.document.components.schemas[reference.replace("#/components/schemas/", "")];
    if (found === undefined) throw new Error(`the document does not hold ${reference}`);
    return found;
  }

  private fewest(value: unknown, alternatives: readonly Schema[], path: string): string[] {
    const all = alternatives.map((schema) => this.differences(value, schema, path));
    return all.sort((a, b) => a.length - b.length)[0] ?? [];
  }

  private differencesInside(value: unknown, { items, properties, required = [] }: Schema, path: string): string[] {
    if (Array.isArray(value)) {
      return items === undefined ? [] : value.flatMap((item, at) => this.differences(item, items, `${path}[${at}]`));
    }
    if (properties === undefined || typeof value !== "object" || value === null) return [];
    const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`);
    const present = Object.entries(value).flatMap(([name, inner]) => {
      const schema = properties[name];
      const at = `${path}.${name}`;
      return schema === undefined ? [`${at} is not documented`] : this.differences(inner, schema, at);
    });
    return [...missing, ...present];
  }
}

const LIMITS: ((value: unknown, schema: Schema) => boolean)[] = [
  (value, schema) => schema.const === undefined || schema.const === value,
  (value, schema) => schema.enum?.includes(value) ?? true,
  (value, { pattern }) => typeof value !== "string" || pattern === undefined || new RegExp(pattern).test(value),
  (value, { maxLength = Infinity }) => typeof value !== "string" || [...value].length <= maxLength,
  (value, { minimum = -Infinity, maximum = Infinity }) =>
    typeof value !== "number" || (value >= minimum && value <= maximum),
  (value, { minItems = 0, maxItems = Infinity }) =>
    !Array.isArray(value) || (value.length >= minItems && value.length <= maxItems),
];

function isOfType(value: unknown, type: Schema["type"]): boolean {
  return type === undefined || type === typeOf(value) || (type === "integer" && Number.isInteger(value));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
