import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { AppError, giveAtMost, giveOneOf } from "@hourglass/runtime";
import { GIVE, giveMissing, type Violations } from "@hourglass/runtime/json";
import type * as z from "zod";
import { entriesOf, parameterOf, prefixOf } from "../http/entry-parameters.js";
import { accepted, covers, refusal, toRestPath, type Rename } from "../http/field-errors.js";
import type { Input, RouteContext } from "../http/route.js";
import { elementOf, readerOf, unwrapped } from "./conversion.js";
import { carriedBy, isMissing, isOfWholeTexts, type AnyObject, type MessageObject } from "./schema.js";

type Json = Record<string, unknown>;

interface MessageParts<D extends DescMessage> {
  readonly query?: MessageObject<D>;
  /** As documented. */
  readonly body?: z.ZodType;
  /** The schema of a body, if the documented one is a choice. */
  readonly chosen?: (body: Json) => MessageObject<D>;
  readonly isKeyed?: boolean;
  readonly isConditional?: boolean;
  readonly refused?: Readonly<Record<string, string>>;
  /** Asks the service what is wrong with the rest of a request of the wrong shape, without any other effect. */
  readonly check?: (request: MessageInitShape<D>, context: RouteContext) => Promise<unknown>;
}

/** The input of a route that is a message of the contract, from the path, the query string, the body and the key. */
export function messageOf<D extends DescMessage>(desc: D, parts: MessageParts<D>): Input<MessageInitShape<D>> {
  const { query, body, isKeyed = false, isConditional = false, check } = parts;
  const chosen = parts.chosen ?? (body === undefined ? undefined : () => body as MessageObject<D>);
  const rename = renameOf(query, body);
  // Most reads have no query string: nothing of it needs to be examined.
  const mayBeEmpty = query?.safeParse({}).success === true;
  const isPlain = ({ parameters }: RouteContext) => mayBeEmpty && parameters.size === 0;
  const hasId = desc.fields.some(({ name }) => name === "id");
  return {
    ...parts,
    rename,
    read: (context, json, known) => {
      const violations: Violations = [...known];
      const request = {
        ...(hasId ? { id: context.pathId } : undefined),
        ...(query === undefined || isPlain(context)
          ? undefined
          : readObject(query, textsOf(query, context), violations)),
        ...(chosen === undefined ? undefined : readObject(chosen(json as Json), json as Json, violations)),
        ...(isKeyed ? { idempotencyKey: context.idempotencyKey } : undefined),
        ...(isConditional ? { ifMatch: context.ifMatch } : undefined),
      } as MessageInitShape<D>;
      if (violations.length === 0) return request;
      if (check === undefined) return accepted(desc, request, violations, rename);
      return refusal(violations, rename, () => check(request, context)).then((error) => Promise.reject(error));
    },
  };
}

/** What a client gives may stand elsewhere in the contract, such as a parameter in a filter. */
function renameOf(...given: readonly (z.core.$ZodType | undefined)[]): Rename {
  const places = given.flatMap((schema) => (schema === undefined ? [] : placesOf(schema)));
  return (field) => {
    const { place, key } = places.find(({ place: known }) => covers(known, field)) ?? { place: "", key: "" };
    const rest = field.slice(place.length);
    const prefix = prefixOf(key);
    return prefix === undefined ? key + rest : parameterOf(prefix, rest);
  };
}

/** The fields of the contract with what clients call them, parts of an object before the object. */
function placesOf(schema: z.core.$ZodType): { place: string; key: string }[] {
  return (carriedBy(schema)?.members ?? []).flatMap(({ key, path, schema: property }) => {
    const own = { place: path.map(({ name }) => name).join("."), key };
    const inside = placesOf(unwrapped(property).inner);
    if (own.place === "") return [];
    return [...inside.map((part) => ({ place: `${own.place}.${part.place}`, key: `${key}.${part.key}` })), own];
  });
}

/** What makes the message of an object, as far as it is right; `violations` gets what is wrong. */
export function readObject<D extends DescMessage>(
  schema: MessageObject<D>,
  json: Json,
  violations: Violations,
): MessageInitShape<D> {
  const own = { ...json };
  examine(schema, own, violations);
  return readerOf(schema)(own);
}

/** The input of a route that is its query string; `part`, if given, is the part of it that a message carries. */
export function valuesOf<Q extends AnyObject, D extends DescMessage>(
  query: Q,
  part?: { readonly desc: D; readonly query: MessageObject<D> },
): Input<z.output<Q>> {
  return {
    query,
    read: (context, _body, known) => {
      const violations: Violations = [...known];
      const texts = textsOf(query, context);
      const result = examine(query, texts, violations);
      if (violations.length === 0) return result as z.output<Q>;
      if (part === undefined) throw AppError.invalid(violations);
      const request = { id: context.pathId, ...readerOf(part.query)(texts) } as MessageInitShape<D>;
      accepted(part.desc, request, violations, renameOf(part.query));
      throw AppError.invalid(violations);
    },
  };
}

/**
 * The values of a query string by the types of its schema; those of a list may be repeated, and a comma separates values
 * as well. A text of another type stays a text.
 */
function textsOf({ shape }: AnyObject, { parameters }: RouteContext): Json {
  const values: Json = {};
  if (parameters.size === 0) return values;
  for (const [name, schema] of Object.entries(shape)) {
    const prefix = prefixOf(name);
    const entries = prefix === undefined ? undefined : entriesOf(parameters, prefix);
    if (entries !== undefined) values[name] = entries;
    if (prefix !== undefined) continue;
    const texts = parameters.getAll(name);
    const text = texts.at(-1);
    if (text === undefined) continue;
    const type = typeOf(schema);
    values[name] =
      type.name === "array" ? type.split(texts).map((item) => valued(item, type.ofItems)) : valued(text, type.name);
  }
  return values;
}

function atCommas(texts: readonly string[]): string[] {
  return listed(texts.flatMap((value) => value.split(",")));
}

/** Without repetitions, in the order of their first mention; the empty text, which is refused, only if there is no other. */
function listed(texts: readonly string[]): string[] {
  const values = texts.map((value) => value.trim());
  const given = values.filter((value) => value !== "");
  return given.length === 0 ? [""] : [...new Set(given)];
}

const DIGITS = /^\d{1,16}$/;

function valued(text: string, type: string): unknown {
  if (type === "number" && DIGITS.test(text)) return Number(text);
  return type === "boolean" && (text === "true" || text === "false") ? text === "true" : text;
}

function typeOf(schema: z.core.$ZodType): { name: string; ofItems: string; split: typeof listed } {
  const { inner } = unwrapped(schema);
  const { type } = inner._zod.def;
  const ofItems = type === "array" ? unwrapped(elementOf(inner)).inner._zod.def.type : "";
  return { name: type, ofItems, split: isOfWholeTexts(inner) ? listed : atCommas };
}

/** The value as its schema reads it, or undefined: then `violations` gets what is wrong, which is removed from the value. */
export function examine(schema: z.ZodType, value: Json, violations: Violations): unknown {
  const result = schema.safeParse(value, { error: (issue) => sentenceOf(issue, value) });
  if (result.success) return result.data;
  const { issues } = result.error;
  for (const { path, message } of issues) violations.push({ field: toRestPath(clientPath(path)), message });
  for (const { path } of issues) remove(value, path);
  return undefined;
}

/** As clients write it: `contents[3]`, `user.email`. */
function clientPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .slice(1);
}

/** What to do about an issue whose schema does not say it. */
function sentenceOf(issue: z.core.$ZodRawIssue, root: Json): string | undefined {
  const { input, path = [] } = issue;
  if (isMissing(issue)) return giveMissing(String(path.at(-1)), Object.keys(at(root, path.slice(0, -1)) as Json));
  if (issue.code === "invalid_type") return GIVE[issue.expected as keyof typeof GIVE];
  if (issue.code === "too_big") return giveAtMost(Number(issue.maximum), "item");
  return issue.code === "invalid_value" ? giveOneOf(issue.values.map(String), input) : undefined;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, step) => (inner as Record<PropertyKey, unknown>)[step], value);
}

function remove(value: Json, path: readonly PropertyKey[]): void {
  const last = path.at(-1);
  if (last === undefined) return;
  const parent = at(value, path.slice(0, -1));
  if (typeof parent === "object" && parent !== null) (parent as Record<PropertyKey, unknown>)[last] = undefined;
  else remove(value, path.slice(0, -1));
}
