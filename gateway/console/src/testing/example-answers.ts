/** A JSON Schema of the OpenAPI document; only the keywords that changes of examples need. */
interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The part of the OpenAPI document that is read here. */
export interface ExampleDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>> }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** How an answer differs from the example. All of these are answers that a present or a later server may give. */
export const CHANGES = {
  "as documented": {},
  "with values of a later version": { value: (schema: Schema) => (schema.enum === undefined ? undefined : UNKNOWN) },
  "with kinds of a later version": { value: (schema: Schema) => (schema.const === undefined ? undefined : UNKNOWN) },
  "with what is required only": { isPoor: true },
  "with all that may be there": { isRich: true },
  "with nothing in any list": { isEmpty: true },
} as const satisfies Readonly<Record<string, Change>>;

/** A value of no list. */
export const UNKNOWN = "brand_new";

export interface Change {
  /** What stands for a value of this schema; undefined: what the example has. */
  readonly value?: (schema: Schema) => unknown;
  /** Optional properties are absent, and what may be null is. */
  readonly isPoor?: boolean;
  /** Optional properties are there, nothing is null, and each list has an entry. */
  readonly isRich?: boolean;
  readonly isEmpty?: boolean;
}

/** A server that answers with the examples of its document. */
export class ExampleAnswers {
  /** The routes that were asked, and the paths that no example answers. */
  readonly asked = new Set<string>();
  readonly unanswered = new Set<string>();

  constructor(
    private readonly document: ExampleDocument,
    private readonly change: Change = {},
  ) {}

  /** In place of the global one. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { method, url } = new Request(input, init);
    const { pathname: path } = new URL(url);
    this.asked.add(this.routeOf(path));
    const answer = this.answerTo(method, path);
    if (answer === undefined) {
      this.unanswered.add(`${method} ${path}`);
      return Response.json({ error: "There is no example.", code: "not_found" }, { status: 404 });
    }
    return Response.json(answer);
  };

  /** The example for a path; of several, the one whose place is the first number in the path. */
  answerTo(method: string, path: string): unknown {
    const media = this.mediaOf(method, this.routeOf(path));
    const { example, examples = {} } = media ?? {};
    const all = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
    if (media === undefined || all.length === 0) return undefined;
    const place = Number(/\/(\d+)/.exec(path)?.[1] ?? 1) - 1;
    return this.changed(all[place % all.length], media.schema, 0);
  }

  /** The routes of a method with examples of JSON. */
  documented(method: string): string[] {
    return Object.keys(this.document.paths).filter((route) => {
      const { example, examples } = this.mediaOf(method, route) ?? {};
      return example !== undefined || examples !== undefined;
    });
  }

  private mediaOf(method: string, route: string): Media | undefined {
    return this.document.paths[route]?.[method.toLowerCase()]?.responses["200"]?.content?.["application/json"];
  }

  private routeOf(path: string): string {
    const routes = Object.keys(this.document.paths).filter((route) =>
      new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    );
    // `/insight/platforms` is nearer than `/insight/{id}`.
    return routes.sort((one, other) => one.split("{").length - other.split("{").length)[0] ?? "";
  }

  private changed(value: unknown, of: Schema, depth: number): unknown {
    const schema = this.chosen(value, of);
    const { isRich = false, isPoor = false, isEmpty = false } = this.change;
    if (isPoor && depth > 0 && this.alternatives(of).some(({ type }) => type === "null")) return null;
    if (value === null || value === undefined) {
      const present = this.alternatives(of).find(({ type }) => type !== "null");
      return isRich && present !== undefined ? this.sample(present, depth) : value;
    }
    const replaced = this.change.value?.(schema);
    if (replaced !== undefined) return replaced;
    if (Array.isArray(value)) {
      if (isEmpty) return [];
      const { items = {} } = schema;
      const entries = isRich && value.length === 0 ? [undefined] : value;
      return entries.map((entry: unknown) => this.changed(entry, items, depth + 1));
    }
    if (typeof value !== "object" || schema.properties === undefined) return value;
    const { properties, required = [] } = schema;
    const names = Object.keys(isRich ? { ...value, ...properties } : value);
    const kept = names.filter((name) => !isPoor || required.includes(name));
    const old = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(kept.map((name) => [name, this.changed(old[name], properties[name] ?? {}, depth + 1)]));
  }

  /** Some value of a schema. */
  private sample(of: Schema, depth: number): unknown {
    const [schema = {}] = this.alternatives(of).filter(({ type }) => type !== "null");
    const { type, example, examples = [], items, properties, format, minimum } = schema;
    const given = example ?? examples[0] ?? schema.const ?? schema.enum?.[0];
    if (given !== undefined) return given;
    // Schemas that hold themselves end here.
    if (depth > 12) return type === "array" ? [] : null;
    if (type === "array") return [this.sample(items ?? {}, depth + 1)];
    if (type === "integer" || type === "number") return minimum ?? 1;
    if (type === "boolean") return true;
    if (type === "string") return format === "date-time" ? "2026-01-31T12:00:00.000Z" : "some text";
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, property]) => [name, this.sample(property, depth + 1)]),
    );
  }

  private resolved(schema: Schema): Schema {
    const { $ref } = schema;
    if ($ref === undefined) return schema;
    return this.resolved(this.document.components.schemas[$ref.replace("#/components/schemas/", "")] ?? {});
  }

  private alternatives(of: Schema): readonly Schema[] {
    const schema = this.resolved(of);
    return (schema.oneOf ?? schema.anyOf)?.flatMap((each) => this.alternatives(each)) ?? [schema];
  }

  /** The alternative that a value is of. */
  private chosen(value: unknown, of: Schema): Schema {
    const fitting = this.alternatives(of).filter((schema) => this.fits(value, schema));
    return fitting[0] ?? this.resolved(of);
  }

  private fits(value: unknown, { type, const: only, enum: some, properties = {}, required = [] }: Schema): boolean {
    if (only !== undefined || some !== undefined) return value === only || some?.includes(value) === true;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return (
        type === undefined ||
        type === (Array.isArray(value) ? "array" : value === null ? "null" : typeof value) ||
        (type === "integer" && typeof value === "number")
      );
    }
    const own = value as Readonly<Record<string, unknown>>;
    return (
      type === "object" &&
      required.every((name) => name in own) &&
      Object.entries(properties).every(([name, property]) => {
        const { const: kind } = this.resolved(property);
        return kind === undefined || own[name] === kind;
      })
    );
  }
}
