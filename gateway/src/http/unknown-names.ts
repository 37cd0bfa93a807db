import { AppError, nearest, VIOLATIONS_MAX } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import type * as z from "zod";
import type { Endpoint, Input, RouteContext } from "./route.js";

/** What the document says of names that no route knows. */
export const UNKNOWN_NAMES =
  "A query parameter that a route does not know is refused (400), and so is a field of a body that looks like a misspelled " +
  "optional one, such as `sneak_peak`. Other unknown fields are ignored.";

/**
 * The endpoint, which refuses names that it does not know, together with every other mistake: all parameters of the query
 * string, and fields of the body that look like an optional one, which would otherwise be left out without a word.
 */
export function knowingItsNames(endpoint: Endpoint): Endpoint {
  const { input } = endpoint;
  const parameters = Object.keys(input?.query?.shape ?? {});
  const checked: Input<unknown> = {
    ...input,
    read: (context, body) => {
      const unknown: Violations = [];
      if (context.parameters.size > 0) findUnknownParameters(parameters, context.parameters, unknown);
      if (input?.body !== undefined) findMisspelledFields(input.body, body, { prefix: "", found: unknown });
      return unknown.length === 0 ? input?.read(context, body, NONE) : refuse(input, { context, body, unknown });
    },
  };
  return { ...endpoint, input: checked };
}

const NONE: Violations = [];

interface Misnamed {
  readonly context: RouteContext;
  readonly body: unknown;
  readonly unknown: Violations;
}

/** Fails with AppError `invalid`, which names the unknown names and what else the input finds wrong; or with another failure. */
async function refuse(input: Input<unknown> | undefined, { context, body, unknown }: Misnamed): Promise<never> {
  try {
    await input?.read(context, body, unknown);
  } catch (error) {
    const others = error instanceof AppError ? error.violations : [];
    if (others.length === 0) throw error;
    throw AppError.invalid([
      ...unknown,
      ...others.filter(({ field }) => !unknown.some((each) => each.field === field)),
    ]);
  }
  throw AppError.invalid(unknown);
}

/** A longer name is shown by its beginning. */
const SHOWN_CHARACTERS = 100;

function findUnknownParameters(known: readonly string[], given: URLSearchParams, found: Violations): void {
  for (const name of new Set(given.keys())) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known, lettersIn(name));
    found.push({
      field: shown(name),
      message: meant === undefined ? noParameter(known) : `Did you mean ${meant}? ${NO_PARAMETER}`,
    });
    if (found.length > VIOLATIONS_MAX) return;
  }
}

const NO_PARAMETER = "There is no such parameter.";

function noParameter(known: readonly string[]): string {
  return known.length === 0
    ? "This route takes no parameters."
    : `${NO_PARAMETER} This route takes ${known.join(", ")}.`;
}

function shown(name: string): string {
  return name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;
}

/** In how many letters a misspelled name differs. */
function lettersIn(name: string): number {
  return name.length < 5 ? 1 : 2;
}

interface Search {
  /** Path of the object, with a dot at its end. */
  readonly prefix: string;
  readonly found: Violations;
}

/** Only so many unknown fields of an object are compared with the known ones: it may have a million. */
const COMPARED_MAX = 50;

function findMisspelledFields(schema: z.core.$ZodType, json: unknown, { prefix, found }: Search): void {
  const { shape, optional } = namesOf(schema, json);
  if (shape === undefined || !isObject(json)) return;
  let compared = 0;
  for (const name of Object.keys(json)) {
    const property = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (property !== undefined) findInValue(property, json[name], { prefix: prefix + name, found });
    else if (++compared <= COMPARED_MAX) {
      const meant = nearest(name, optional, lettersIn(name));
      if (meant !== undefined)
        found.push({ field: prefix + shown(name), message: `Did you mean ${meant}? There is no such field.` });
    }
    if (found.length > VIOLATIONS_MAX) return;
  }
}

/** The same for the objects of a list. */
function findInValue(schema: z.core.$ZodType, value: unknown, { prefix, found }: Search): void {
  const inner = unwrapped(schema);
  const { def } = (inner as z.core.$ZodTypes)._zod;
  if (def.type !== "array") {
    findMisspelledFields(inner, value, { prefix: `${prefix}.`, found });
    return;
  }
  if (!Array.isArray(value) || !holdsObjects(def.element)) return;
  for (const [index, item] of value.entries()) {
    findInValue(def.element, item, { prefix: `${prefix}[${index}]`, found });
    if (found.length > VIOLATIONS_MAX) return;
  }
}

function holdsObjects(schema: z.core.$ZodType): boolean {
  return ["object", "union", "array"].includes((unwrapped(schema) as z.core.$ZodTypes)._zod.def.type);
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

interface Names {
  /** Undefined if it is no object with named fields. */
  readonly shape?: Shape;
  readonly optional: readonly string[];
}

const NO_NAMES: Names = { optional: [] };

/** The fields of an object; of one that is a choice, those of all its forms that may have the value. */
function namesOf(schema: z.core.$ZodType, json: unknown): Names {
  const inner = unwrapped(schema);
  const { def } = (inner as z.core.$ZodTypes)._zod;
  if (def.type === "object") return namesOfObject(inner, def.shape);
  if (def.type !== "union") return NO_NAMES;
  const forms = def.options.map((option) => namesOf(option, json)).filter(({ shape }) => shape !== undefined);
  if (forms.length === 0) return NO_NAMES;
  return {
    shape: Object.assign({}, ...forms.map(({ shape }) => shape)) as Shape,
    optional: forms.flatMap(({ optional }) => optional),
  };
}

const KNOWN = new WeakMap<z.core.$ZodType, Names>();

function namesOfObject(schema: z.core.$ZodType, shape: Shape): Names {
  const known = KNOWN.get(schema);
  if (known !== undefined) return known;
  const optional = Object.keys(shape).filter((name) => shape[name]?._zod.optin === "optional");
  const names = { shape, optional };
  KNOWN.set(schema, names);
  return names;
}

/** A schema without what says that its value may be absent or null. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "optional" || def.type === "nullable" || def.type === "default"
    ? unwrapped(def.innerType)
    : schema;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
