import { AppError, nearest, VIOLATIONS_MAX } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import type * as z from "zod";
import { nameFor } from "./entry-parameters.js";
import { carriedBy, isClosed } from "../routes/schema.js";
import type { Endpoint, Input, RouteContext } from "./route.js";

/** What the document says of names that no route knows. */
export const UNKNOWN_NAMES =
  "A query parameter that a route does not know is refused (400), and so is one that is given twice and takes one value. " +
  "Unknown fields of bodies are refused as well. Only signing in and creating operations, insights and exports ignore other " +
  "fields, except those that look like an optional one, such as `sneak_peak`, or that belong elsewhere in the body.";

/**
 * The endpoint, which refuses names that it does not know, together with every other mistake. If it dropped them silently,
 * an answer could hold more, or a change allow more, than the caller meant.
 */
export function knowingItsNames(endpoint: Endpoint): Endpoint {
  const { input } = endpoint;
  const parameters = namesOf(input?.query);
  const body = input?.body && new BodyNames(input.body, input.refused);
  const checked: Input<unknown> = {
    ...input,
    read: (context, json) => {
      const unknown: Violations = [];
      if (context.parameters.size > 0) findWrongParameters(parameters, context.parameters, unknown);
      body?.findUnknown(json, unknown);
      return unknown.length === 0 ? input?.read(context, json, NONE) : refuse(input, { context, body: json, unknown });
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

function findWrongParameters(known: Names, given: URLSearchParams, found: Violations): void {
  const names = Object.keys(known.shape);
  for (const name of new Set(given.keys())) {
    const own = Object.hasOwn(known.shape, name) ? name : nameFor(name, names);
    const schema = own === undefined ? undefined : known.shape[own];
    if (schema === undefined) {
      const meant = meantBy(name, names, known);
      const remedy = meant === undefined ? noParameter(names) : `Did you mean ${meant}? ${NO_PARAMETER}`;
      found.push({ field: shown(name), message: remedy });
    } else if (typeOf(schema) !== "array" && given.getAll(name).length > 1) {
      found.push({ field: shown(name), message: "Give it once: it takes one value." });
    }
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

/** The name that an unknown one probably means: one that looks like it, or that the contract calls so. */
function meantBy(name: string, candidates: readonly string[], { keys }: Names): string | undefined {
  return keys.get(snakeCased(name)) ?? nearest(name, candidates, lettersIn(name));
}

/** In how many letters a misspelled name differs. */
function lettersIn(name: string): number {
  return name.length < 5 ? 1 : 2;
}

function snakeCased(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Only so many unknown fields of an object are compared with the known ones: it may have a million. */
const COMPARED_MAX = 50;

interface Search {
  /** Path of the object as the client wrote it, with a dot at its end. */
  readonly prefix: string;
  /** The same without indexes and the dot. */
  readonly place: string;
  readonly found: Violations;
}

/** The names of a body. */
class BodyNames {
  /** Objects within the body by their paths, the body itself by the empty one. */
  private readonly places = new Map<string, Names>();

  constructor(
    private readonly schema: z.core.$ZodType,
    private readonly refused: Readonly<Record<string, string>> = {},
  ) {
    this.addPlaces(schema, "");
  }

  findUnknown(json: unknown, found: Violations): void {
    this.findInObject(this.schema, json, { prefix: "", place: "", found });
  }

  private addPlaces(schema: z.core.$ZodType, place: string): void {
    const names = namesOf(schema);
    if (names === NO_NAMES) return;
    this.places.set(place, names);
    for (const [name, property] of Object.entries(names.shape)) this.addPlaces(property, pathOf(place, name));
  }

  private findInObject(schema: z.core.$ZodType, json: unknown, { prefix, place, found }: Search): void {
    const names = namesOf(schema);
    if (names === NO_NAMES || !isObject(json)) return;
    let compared = 0;
    for (const name of Object.keys(json)) {
      const property = Object.hasOwn(names.shape, name) ? names.shape[name] : undefined;
      if (property !== undefined) {
        this.findInValue(property, json[name], { prefix: prefix + name, place: pathOf(place, name), found });
      } else {
        const message = this.remedyFor(name, { names, place, isCompared: ++compared <= COMPARED_MAX });
        if (message !== undefined) found.push({ field: prefix + shown(name), message });
      }
      if (found.length > VIOLATIONS_MAX) return;
    }
  }

  /** The same for the objects of a list. */
  private findInValue(schema: z.core.$ZodType, value: unknown, { prefix, place, found }: Search): void {
    const inner = unwrapped(schema);
    const { def } = (inner as z.core.$ZodTypes)._zod;
    if (def.type !== "array") {
      this.findInObject(inner, value, { prefix: `${prefix}.`, place, found });
      return;
    }
    if (!Array.isArray(value) || !holdsObjects(def.element)) return;
    for (const [index, item] of value.entries()) {
      this.findInValue(def.element, item, { prefix: `${prefix}[${index}]`, place, found });
      if (found.length > VIOLATIONS_MAX) return;
    }
  }

  /** What to do about an unknown name; undefined if it is ignored. */
  private remedyFor(name: string, { names, place, isCompared }: Unknown): string | undefined {
    if (place === "" && Object.hasOwn(this.refused, name)) return this.refused[name];
    const elsewhere = this.placeOf(({ shape }) => Object.hasOwn(shape, name), place);
    if (elsewhere !== undefined) return giveElsewhere(name, { place, elsewhere });
    if (isCompared) {
      const meant = meantBy(name, names.isClosed ? Object.keys(names.shape) : names.optional, names);
      if (meant !== undefined) return `Did you mean ${meant}? ${NO_FIELD}`;
      const near = ({ optional }: Names) => nearest(name, optional, lettersIn(name));
      const other = this.placeOf((each) => near(each) !== undefined, place);
      const path = other === undefined ? undefined : near(this.places.get(other) ?? NO_NAMES);
      if (path !== undefined) return `Did you mean ${pathOf(other ?? "", path)}? ${NO_FIELD}`;
    }
    return names.isClosed ? `${NO_FIELD} Leave it out, or give one of these: ${listed(names)}.` : undefined;
  }

  private placeOf(has: (names: Names) => boolean, except: string): string | undefined {
    return [...this.places].find(([place, names]) => place !== except && has(names))?.[0];
  }
}

interface Unknown {
  readonly names: Names;
  readonly place: string;
  readonly isCompared: boolean;
}

const NO_FIELD = "There is no such field.";

function giveElsewhere(name: string, { place, elsewhere }: { place: string; elsewhere: string }): string {
  return elsewhere === ""
    ? `Give it beside ${place.split(".")[0]}: it does not belong in ${place}.`
    : giveWithin(elsewhere, name);
}

/** What to do about a field that belongs in an object beside it. */
export function giveWithin(place: string, name: string): string {
  return `Give it as ${pathOf(place, name)}: it belongs in ${place}.`;
}

function pathOf(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

function listed({ shape }: Names): string {
  return Object.keys(shape).join(", ");
}

function holdsObjects(schema: z.core.$ZodType): boolean {
  return ["object", "union", "array"].includes(typeOf(schema));
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

interface Names {
  readonly shape: Shape;
  readonly optional: readonly string[];
  /** The names by what the contract calls them. */
  readonly keys: ReadonlyMap<string, string>;
  /** Whether it has no other fields. */
  readonly isClosed: boolean;
}

/** Of what is no object with named fields. */
const NO_NAMES: Names = { shape: {}, optional: [], keys: new Map(), isClosed: false };

/** The fields of an object; of one that is a choice, those of all its forms. */
function namesOf(schema: z.core.$ZodType | undefined): Names {
  if (schema === undefined) return NO_NAMES;
  const inner = unwrapped(schema);
  const { def } = (inner as z.core.$ZodTypes)._zod;
  if (def.type === "object") return namesOfObject(inner, def.shape);
  if (def.type !== "union") return NO_NAMES;
  const forms = def.options.map(namesOf).filter((names) => names !== NO_NAMES);
  if (forms.length === 0) return NO_NAMES;
  return {
    shape: Object.assign({}, ...forms.map(({ shape }) => shape)) as Shape,
    optional: forms.flatMap(({ optional }) => optional),
    keys: new Map(forms.flatMap(({ keys }) => [...keys])),
    isClosed: forms.every(({ isClosed }) => isClosed),
  };
}

const KNOWN = new WeakMap<z.core.$ZodType, Names>();

function namesOfObject(schema: z.core.$ZodType, shape: Shape): Names {
  const known = KNOWN.get(schema);
  if (known !== undefined) return known;
  const names = {
    shape,
    optional: Object.keys(shape).filter((name) => shape[name]?._zod.optin === "optional"),
    keys: new Map((carriedBy(schema)?.members ?? []).map(({ key, path }) => [path.at(-1)?.name ?? key, key])),
    isClosed: isClosed(schema),
  };
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

function typeOf(schema: z.core.$ZodType): string {
  return (unwrapped(schema) as z.core.$ZodTypes)._zod.def.type;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
