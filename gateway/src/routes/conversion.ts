import {
  create,
  ScalarType,
  type DescField,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, TimestampSchema, type Timestamp } from "@bufbuild/protobuf/wkt";
import { momentOrDayOf, toIso } from "@hourglass/runtime/json";
import type * as z from "zod";
import { carriedBy, spellingOf, type Member, type MessageObject } from "./schema.js";

type Write = (value: unknown) => unknown;
type Fields = Readonly<Record<string, unknown>>;

/** What turns a message into the object that its schema describes: `null` and absent fields are what proto/ leaves out. */
export function writerOf<D extends DescMessage>(schema: MessageObject<D>): (message: MessageShape<D>) => object {
  return memoized(WRITERS, schema, compileWriter) as (message: MessageShape<D>) => object;
}

const WRITERS = new WeakMap<z.core.$ZodType, Write>();
const READERS = new WeakMap<z.core.$ZodType, Read>();

function memoized<T>(
  known: WeakMap<z.core.$ZodType, T>,
  schema: z.core.$ZodType,
  compile: (schema: z.core.$ZodType) => T,
): T {
  const found = known.get(schema) ?? compile(schema);
  known.set(schema, found);
  return found;
}

function compileWriter(schema: z.core.$ZodType): Write {
  const carried = carriedBy(schema);
  if (carried === undefined) throw new Error("No message carries this object.");
  const properties = carried.members.map((member) => [member.key, propertyWriter(member)] as const);
  return (message) => {
    const json: Record<string, unknown> = {};
    for (const [key, write] of properties) {
      const value = write(message);
      if (value !== undefined) json[key] = value;
    }
    return json;
  };
}

/** Writes a property of a message; undefined leaves it out. */
function propertyWriter({ schema, path, get }: Member): Write {
  if (get !== undefined) return get as Write;
  const { inner, absent } = unwrapped(schema);
  const field = path.at(-1);
  if (field === undefined) return writerOfValue(inner);
  const find = getterOf(path);
  const write = valueWriter(field, inner);
  if (absent === "required") return (message) => write(find(message));
  const instead = absent === "null" ? null : undefined;
  const isAbsent = field.presence === FeatureSet_FieldPresence.IMPLICIT ? isZero : isUndefined;
  return (message) => {
    const value = find(message);
    return isAbsent(value) ? instead : write(value);
  };
}

function isUndefined(value: unknown): boolean {
  return value === undefined;
}

/** Whether proto/ does not transfer a value of a field without presence. */
function isZero(value: unknown): boolean {
  if (typeof value === "string") return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || Number(value) === 0;
}

/** The value of the last field of a path; a message on the way that is absent counts as empty. */
function getterOf(path: readonly DescField[]): Write {
  const [first, ...others] = path;
  if (first === undefined) return (message) => message;
  const { localName, message: inner } = first;
  const get: Write = (message) => (message as Fields)[localName];
  if (others.length === 0 || inner === undefined) return get;
  const rest = getterOf(others);
  const empty = create(inner);
  return (message) => rest(get(message) ?? empty);
}

function valueWriter(field: DescField, schema: z.core.$ZodType): Write {
  if (field.fieldKind !== "list") return itemWriter(field, schema);
  const write = itemWriter(field, elementOf(schema));
  return (values) => (values as unknown[]).map(write);
}

function itemWriter(field: DescField, schema: z.core.$ZodType): Write {
  const spelling = spellingOf(field);
  if (spelling !== undefined) return (value) => spelling.of(value as number);
  const { message } = field;
  if (message?.typeName === TimestampSchema.typeName) return (value) => toIso(value as Timestamp | undefined);
  if (message !== undefined && carriedBy(schema) !== undefined) {
    const write = writerOfValue(schema);
    const empty = create(message);
    return (value) => write(value ?? empty);
  }
  return isLong(field) ? Number : (value) => value;
}

function writerOfValue(schema: z.core.$ZodType): Write {
  return memoized(WRITERS, schema, compileWriter);
}

type Read = (value: unknown, index?: number) => unknown;

/**
 * What turns an object of a request, as its schema describes it, into the form from which its message is made. An
 * undefined item of a list, which was wrong, becomes one that breaks the rules of proto/ without equalling another.
 */
export function readerOf<D extends DescMessage>(schema: MessageObject<D>): (json: Fields) => MessageInitShape<D> {
  return memoized(READERS, schema, compileReader) as (json: Fields) => MessageInitShape<D>;
}

const ITEM_READERS = new WeakMap<z.core.$ZodType, Read>();

/** Items of a schema that are read in their own way. */
export function readBy<S extends z.ZodType>(read: Read, schema: S): S {
  ITEM_READERS.set(schema, read);
  return schema;
}

function compileReader(schema: z.core.$ZodType): Read {
  const carried = carriedBy(schema);
  if (carried === undefined) throw new Error("No message carries this object.");
  const properties = carried.members.flatMap(({ key, schema: property, path }) => {
    const field = path.at(-1);
    return field === undefined ? [] : [[key, path, valueReader(field, unwrapped(property).inner)] as const];
  });
  return (json) => {
    const message: Record<string, unknown> = {};
    for (const [key, path, read] of properties) {
      const value = Object.hasOwn(json as Fields, key) ? (json as Fields)[key] : undefined;
      if (value !== undefined && value !== null) put(message, path, read(value));
    }
    return message;
  };
}

function put(message: Record<string, unknown>, [first, ...others]: readonly DescField[], value: unknown): void {
  if (first === undefined) return;
  if (others.length === 0) message[first.localName] = value;
  else put((message[first.localName] ??= {}) as Record<string, unknown>, others, value);
}

function valueReader(field: DescField, schema: z.core.$ZodType): Read {
  if (field.fieldKind !== "list") return itemReader(field, schema);
  const read = itemReader(field, elementOf(schema));
  return (values) => (values as unknown[]).map(read);
}

function itemReader(field: DescField, schema: z.core.$ZodType): Read {
  const own = ITEM_READERS.get(schema);
  if (own !== undefined) return own;
  const spelling = spellingOf(field);
  if (spelling !== undefined) {
    return (value, index = 0) => (value === undefined ? -1 - index : spelling.numberOf(value as string));
  }
  if (field.fieldKind === "map") return entriesOf;
  const { message } = field;
  if (message?.typeName === TimestampSchema.typeName) return (value) => momentOrDayOf(value as string);
  if (message !== undefined) {
    const read = memoized(READERS, schema, compileReader);
    return (value = {}) => read(value);
  }
  if (isLong(field)) return (value, index = 0) => (value === undefined ? -1n - BigInt(index) : BigInt(value as number));
  return (value, index) => value ?? String(index);
}

/** Without the values that were wrong. */
function entriesOf(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as Fields).filter(([, each]) => each !== undefined));
}

function isLong({ scalar }: DescField): boolean {
  return scalar === ScalarType.INT64 || scalar === ScalarType.UINT64;
}

/** A schema without what says that its value may be absent or null. */
export function unwrapped(schema: z.core.$ZodType): {
  inner: z.core.$ZodType;
  absent: "required" | "null" | "left out";
} {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "nullable") return { ...unwrapped(def.innerType), absent: "null" };
  if (def.type === "optional") return { ...unwrapped(def.innerType), absent: "left out" };
  return { inner: schema, absent: "required" };
}

export function elementOf(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== "array") throw new Error("A list of the contract is described by another schema.");
  return def.element;
}
