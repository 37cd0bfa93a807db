import { getExtension, getOption, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import {
  field as fieldOption,
  type FieldRules,
  type Int32Rules,
  type Int64Rules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { record_id as recordIdRule } from "@hourglass/proto/options/v1/rules";
import {
  dayOf,
  GIVE,
  GIVE_WHOLE_CHARACTERS,
  ID_NEEDED,
  isWhole,
  momentOrDayOf,
  type Spelling,
} from "@hourglass/runtime/json";
import * as z from "zod";

/** Keywords of JSON Schema. */
export type Keywords = Readonly<Record<string, unknown>>;

/** What the rules of proto/ say of the field that a property of a request has in the contract. */
interface Limits {
  readonly own: Keywords;
  readonly ofItems: Keywords;
}

/** A schema, or what makes one that has the limits of its field. */
export type Property = z.ZodType | ((limits: Limits) => z.ZodType);

/** Gets the JSON of a property from a message. */
type Get = (message: never) => unknown;

/** A property whose field has another name in the contract, as a path such as `author.author_id`, or that is computed. */
interface Sourced {
  readonly source: string | Get;
  readonly property: Property;
}

export type Shape = Readonly<Record<string, Property | Sourced>>;

/** A property of an object that a message carries. */
export interface Member {
  readonly key: string;
  readonly schema: z.core.$ZodType;
  /** The fields that lead to its value; none if the message itself is the value. */
  readonly path: readonly DescField[];
  readonly get: Get | undefined;
}

interface Carried {
  readonly desc: DescMessage;
  readonly members: readonly Member[];
}

/** Any object of the interface. */
export type AnyObject = z.ZodObject<z.core.$ZodShape>;

/** An object that a message of the contract carries. */
export interface MessageObject<D extends DescMessage = DescMessage> extends AnyObject {
  /** Never set; names the type of the message. */
  readonly "~message"?: D;
}

const CARRIED = new WeakMap<z.core.$ZodType, Carried>();

/** The message that carries an object, with its properties in their order; undefined if none does. */
export function carriedBy(schema: z.core.$ZodType): Carried | undefined {
  const { parent } = schema._zod;
  return CARRIED.get(schema) ?? (parent && carriedBy(parent));
}

/** A named object of a body; `isOpen`: other fields are ignored instead of refused. */
type Named = Keywords & { readonly id: string; readonly isOpen?: boolean };

/** Parameters, or an object of a body: its properties have the limits that proto/ sets for the fields of their names. */
export function request<D extends DescMessage>(desc: D, shape: Shape, named?: Named): MessageObject<D> {
  if (named === undefined) return carried(desc, shape, { keywords: {}, limitsOf });
  const { isOpen = false, ...keywords } = named;
  return carried(desc, shape, { keywords: isOpen ? keywords : { ...keywords, ...CLOSED }, limitsOf });
}

/** Says in the document, and to what checks names, that an object has no other fields. */
const CLOSED: Keywords = { additionalProperties: false };

/** Whether an object of a body has no other fields. */
export function isClosed(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.["additionalProperties"] === false;
}

/** A named object that responses contain. */
export function response<D extends DescMessage>(
  id: string,
  desc: D,
  shape: Shape,
  description?: string,
): MessageObject<D> {
  return carried(desc, shape, { keywords: { id, ...described(description) }, limitsOf: () => NO_LIMITS });
}

function carried<D extends DescMessage>(
  desc: D,
  shape: Shape,
  { keywords, limitsOf }: { readonly keywords: Keywords; readonly limitsOf: (field: DescField) => Limits },
): MessageObject<D> {
  const members = Object.entries(shape).map(([key, entry]): Member => {
    const { source, property } = "source" in entry ? entry : { source: key, property: entry };
    const path = typeof source === "string" ? pathOf(desc, source) : [];
    const last = path.at(-1);
    const schema = made(property, last === undefined ? NO_LIMITS : limitsOf(last));
    return { key, schema, path, get: typeof source === "string" ? undefined : source };
  });
  const properties = Object.fromEntries(members.map(({ key, schema }) => [key, schema as z.ZodType]));
  const object = z.object(properties).meta(keywords);
  CARRIED.set(object, { desc, members });
  return object;
}

function pathOf(desc: DescMessage, source: string): DescField[] {
  if (source === "") return [];
  const [name = "", ...others] = source.split(".");
  const field = fieldOf(desc, name);
  return [field, ...(others.length === 0 ? [] : pathOf(field.message ?? desc, others.join(".")))];
}

/** An object that no message carries; its properties have no limits. */
export function object(
  id: string,
  shape: Readonly<Record<string, Property>>,
  description?: string,
  keywords: Keywords = {},
): AnyObject {
  const properties = Object.entries(shape).map(([key, property]) => [key, made(property)] as const);
  return z.object(Object.fromEntries(properties)).meta({ id, ...described(description), ...keywords });
}

/** One of some named objects; the value of `property`, which is constant in each, tells them apart. */
export function choice(
  id: string,
  property: string,
  options: readonly MessageObject[],
  description: string,
): z.ZodType {
  const named = options.map((option) => [valueOf(option.shape[property]), refOf(option)]);
  return z.discriminatedUnion(property, options as unknown as [z.ZodObject, ...z.ZodObject[]]).meta({
    id,
    description,
    discriminator: { propertyName: property, mapping: Object.fromEntries(named) as unknown },
  });
}

function valueOf(schema: z.core.$ZodType | undefined): string {
  return schema instanceof z.ZodLiteral ? String(schema.value) : "";
}

function refOf(schema: z.ZodType): string {
  return `#/components/schemas/${z.globalRegistry.get(schema)?.id}`;
}

/** A property from a field of another name, or from what `source` gets from the message. */
export function from(source: string | Get, property: Property): Sourced {
  return { source, property };
}

const NO_LIMITS: Limits = { own: {}, ofItems: {} };

function made(property: Property, limits = NO_LIMITS): z.ZodType {
  return typeof property === "function" ? property(limits) : property;
}

function described(description: string | undefined): Keywords {
  return description === undefined ? {} : { description };
}

/** Whether an issue is that a field is missing, for which null stands too; the reader says so of every schema. */
export function isMissing({ input, path = [] }: Pick<z.core.$ZodRawIssue, "input" | "path">): boolean {
  return (input === undefined || input === null) && typeof path.at(-1) === "string";
}

/** The error of a schema for a value that is there. */
function unlessMissing(remedy: string) {
  return (issue: z.core.$ZodRawIssue) => (isMissing(issue) ? undefined : remedy);
}

const WELL_FORMED = z.string().refine(isWhole, { error: GIVE_WHOLE_CHARACTERS });

/** A string of whole Unicode characters. */
export function text(description?: string, keywords: Keywords = {}): Property {
  return ({ own }) => WELL_FORMED.meta({ ...described(description), ...own, ...keywords });
}

/** Fields of the contract hold whole numbers of up to nine digits. */
const WHOLE_END = 1_000_000_000;

/** A whole number; what is none is answered with the bounds. */
export function integer(description?: string, keywords: Keywords = {}): Property {
  return ({ own }) => {
    const all = { ...own, ...keywords };
    const remedy = giveWholeNumber(all);
    return z
      .number({ error: unlessMissing(remedy) })
      .refine((value) => Number.isInteger(value) && value < WHOLE_END, { error: remedy })
      .meta({ type: "integer", ...described(description), ...all });
  };
}

function giveWholeNumber({ minimum, maximum }: Keywords): string {
  if (typeof minimum !== "number") return GIVE.number;
  return typeof maximum === "number"
    ? `Give a whole number from ${minimum} to ${maximum}.`
    : `Give a whole number that is at least ${minimum}.`;
}

/** How many there are. */
export function total(description: string): Property {
  return integer(description, { format: "int64", minimum: 0 });
}

export function number(description?: string, keywords: Keywords = {}): Property {
  return z.number().meta({ format: "double", ...described(description), ...keywords });
}

export function boolean(description?: string): Property {
  return z.boolean().meta(described(description));
}

/** A property with the limits of a field of another message, by whose rules its own field is checked. */
export function limitedAs(desc: DescMessage, name: string, property: Property): Property {
  return () => made(property, limitsOf(fieldOf(desc, name)));
}

/** Keywords of the rule `record_id` of proto/. */
export const RECORD_ID: Keywords = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The id of a record. */
export function recordId(description: string, remedy = ID_NEEDED): z.ZodType {
  return z
    .number({ error: unlessMissing(remedy) })
    .refine(isRecordId, { error: remedy })
    .meta({ type: "integer", description, format: "int64", ...RECORD_ID });
}

export function isRecordId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** A moment of a response. */
export function moment(description: string): Property {
  return z.string().meta({ description, format: "date-time" });
}

const DAY_NEEDED = "Give a calendar date such as 2026-01-31.";

/** A calendar date of a request; its first moment in UTC. */
export function day(description: string): Property {
  return z
    .string({ error: unlessMissing(DAY_NEEDED) })
    .refine((value) => dayOf(value) !== undefined, { error: DAY_NEEDED })
    .meta({ description, format: "date" });
}

const MOMENT_NEEDED = "Give a moment with its time zone, such as 2026-12-31T12:00:00Z, or a date.";

/** A moment of a request; of a date its first moment in UTC. */
export function momentOrDay(description: string): Property {
  return z
    .string({ error: unlessMissing(MOMENT_NEEDED) })
    .refine((value) => momentOrDayOf(value) !== undefined, { error: MOMENT_NEEDED })
    .meta({ description, anyOf: [{ format: "date-time" }, { format: "date" }] });
}

export function constant(value: string): Property {
  return z.literal(value);
}

export function enumeration(id: string, names: readonly string[], description?: string): z.ZodType<string, string> {
  return z.enum(names as [string, ...string[]]).meta({ id, ...described(description) });
}

const SPELLINGS = new Map<DescEnum, Spelling<number>>();

/** The names of a proto enum in JSON, as a schema that is named like the enum. */
export function spelled<E extends number>(
  spelling: Spelling<E>,
  description?: string,
  id = spelling.desc.name,
): z.ZodType<string, string> {
  SPELLINGS.set(spelling.desc, spelling as unknown as Spelling<number>);
  return enumeration(id, spelling.names, description);
}

/** How JSON spells the values of a field. */
export function spellingOf({ enum: desc, parent, name }: DescField): Spelling<number> | undefined {
  const spelling = desc && SPELLINGS.get(desc);
  if (desc !== undefined && spelling === undefined) throw new Error(`No schema spells ${parent.typeName}.${name}.`);
  return spelling;
}

/** A list; one with more items than the rules, or the keyword `maxItems`, allow is refused without a look at its items. */
export function list(item: Property, keywords: Keywords & { readonly maxItems?: number } = {}): Property {
  return ({ own, ofItems }) => {
    const items = z.array(made(item, { own: ofItems, ofItems: {} }));
    const { maxItems } = { ...own, ...keywords };
    return (typeof maxItems === "number" ? items.max(maxItems) : items).meta({ ...own, ...keywords });
  };
}

const WHOLE_TEXTS = new WeakSet<z.core.$ZodType>();

/** A list of texts in a query string, which may hold commas: only a repetition of the parameter makes further ones. */
export function texts(description: string, keywords: Keywords = {}): Property {
  return (limits) => {
    const schema = made(list(text(), { description, ...keywords }), limits);
    WHOLE_TEXTS.add(schema);
    return schema;
  };
}

export function isOfWholeTexts(schema: z.core.$ZodType): boolean {
  return WHOLE_TEXTS.has(schema);
}

/** Named texts by keys. */
export function textMap(id: string, description: string, keywords: Keywords = {}): z.ZodType {
  return z.record(WELL_FORMED, WELL_FORMED).meta({ id, description, ...keywords });
}

/** The same of a query string, of which each has a parameter of its own. */
export function textsByKey(description: string): Property {
  return ({ own }) => z.record(WELL_FORMED, WELL_FORMED).meta({ ...own, description });
}

/** A value that may be null. */
export function nullable(property: Property, description?: string): Property {
  return (limits) => made(property, limits).nullable().meta(described(description));
}

/** A value that may be absent. */
export function optional(property: Property): Property {
  return (limits) => made(property, limits).optional();
}

/** A value of a request that may be absent, for which null stands too. */
export function nullish(property: Property, description?: string): Property {
  return (limits) => made(property, limits).nullish().meta(described(description));
}

/** The property with further keywords. */
export function withKeywords(property: Property, keywords: Keywords): (limits: Limits) => z.ZodType {
  return (limits) => made(property, limits).meta(keywords);
}

/** JSON Schema keywords for the rules of a field in proto/, so that its limits are defined only once. */
export function limitsOf(field: DescField): Limits {
  const { type } = getOption(field, fieldOption);
  const items = type.case === "repeated" ? type.value.items : undefined;
  return { own: keywordsOf(type), ofItems: items === undefined ? {} : keywordsOf(items.type) };
}

/** The texts that the rules of a field allow. */
export function choicesOf(field: DescField): readonly string[] {
  const { type } = getOption(field, fieldOption);
  return type.case === "string" ? type.value.in : [];
}

/** A field by its name. */
export function fieldOf(message: DescMessage, name: string): DescField {
  const found = message.fields.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return found;
}

function keywordsOf(type: FieldRules["type"]): Keywords {
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
    case "map": {
      const { keys, values, maxPairs } = type.value;
      const ofKeys = keys === undefined ? {} : keywordsOf(keys.type);
      const ofValues = values === undefined ? {} : keywordsOf(values.type);
      return defined({
        maxProperties: orNone(maxPairs),
        propertyNames: { type: "string", ...ofKeys },
        additionalProperties: { type: "string", ...ofValues },
      });
    }
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
}: Pick<Int64Rules | Int32Rules, "greaterThan" | "lessThan">): Keywords {
  return defined({
    minimum: from.case === undefined ? undefined : Number(from.value) + (from.case === "gt" ? 1 : 0),
    maximum: to.case === undefined ? undefined : Number(to.value) - (to.case === "lt" ? 1 : 0),
  });
}

function orNone(limit: bigint): number | undefined {
  return limit === 0n ? undefined : Number(limit);
}

function defined(keywords: Record<string, unknown>): Keywords {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}
