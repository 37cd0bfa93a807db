import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  getOption,
  mergeFromBinary,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { field as fieldOption, type FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { AppError } from "../../errors/app-error.js";
import { counted, giveAtMost } from "../../errors/sentences.js";
import { LoopPace } from "../../process/event-loop.js";

/**
 * Maximum number of entries that the rules in proto/ allow in a repeated field. Throws for a field without such a
 * limit.
 */
export function itemsMaxOf(message: DescMessage, fieldName: string): number {
  return limit(itemsLimitOf(fieldOf(message, fieldName)), `${message.typeName}.${fieldName}`);
}

/** Maximum length, in code points, that the rules in proto/ allow for a text. Throws for a field without such a limit. */
export function lengthMaxOf(message: DescMessage, fieldName: string): number {
  return limit(textLimitOf(fieldOf(message, fieldName)), `${message.typeName}.${fieldName}`);
}

/** The rule of a repeated field on the number of its entries; undefined without one. */
function itemsLimitOf(field: DescField | undefined): number | undefined {
  const rules = rulesOf(field);
  return rules?.case === "repeated" ? orNone(rules.value.maxItems) : undefined;
}

/** The rule of a text, or of the texts of a repeated field, on their length in code points; undefined without one. */
function textLimitOf(field: DescField | undefined): number | undefined {
  const rules = rulesOf(field);
  const ofText = rules?.case === "repeated" ? rules.value.items?.type : rules;
  return ofText?.case === "string" ? orNone(ofText.value.maxLen) : undefined;
}

function fieldOf(message: DescMessage, fieldName: string): DescField | undefined {
  return message.fields.find(({ name }) => name === fieldName);
}

function rulesOf(field: DescField | undefined): FieldRules["type"] | undefined {
  return field && getOption(field, fieldOption).type;
}

/** An unset limit is zero. */
function orNone(value: bigint): number | undefined {
  return value === 0n ? undefined : Number(value);
}

function limit(value: number | undefined, field: string): number {
  if (value === undefined) throw new Error(`${field} has no such limit`);
  return value;
}

/** Fields and items of one request message, those of its parts included. The largest import slices have some 30,000. */
export const MESSAGE_VALUES_MAX = 50_000;
/** For lists whose rules name no number. */
const ITEMS_MAX = 1000;
/** No code point takes more, in UTF-8. */
const BYTES_PER_CHARACTER = 4;

/** A field of a message with what is known of its size from the rules in proto/. */
export interface FieldBound {
  readonly field: DescField;
  /** Undefined for a field that is no list. */
  readonly itemsMax: number | undefined;
  /** In code points; undefined for anything but texts, and for those without a limit. */
  readonly textMax: number | undefined;
  /** The type of the field, or of its items, if it is a message. */
  readonly message: DescMessage | undefined;
  /** Of the field, or of each of its items. */
  readonly wire: WireType;
}

const bounds = new WeakMap<DescMessage, ReadonlyMap<number, FieldBound>>();

/** The fields of a message by their numbers. */
export function boundsOf(schema: DescMessage): ReadonlyMap<number, FieldBound> {
  let known = bounds.get(schema);
  if (known === undefined) {
    known = new Map(schema.fields.map((field) => [field.number, boundOf(field)]));
    bounds.set(schema, known);
  }
  return known;
}

function boundOf(field: DescField): FieldBound {
  const isList = field.fieldKind === "list" || field.fieldKind === "map";
  return {
    field,
    itemsMax: isList ? (itemsLimitOf(field) ?? ITEMS_MAX) : undefined,
    textMax: textLimitOf(field),
    message: field.fieldKind === "map" ? undefined : field.message,
    wire: wireTypeOf(field),
  };
}

function wireTypeOf(field: DescField): WireType {
  if (field.fieldKind === "map" || field.message !== undefined) return WireType.LengthDelimited;
  if (field.enum !== undefined) return WireType.Varint;
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

/** What an encoded message contains. */
interface Tally {
  readonly values: number;
  /** Where the fields of the outermost message begin, of which pieces of about `pieceBytes` are made. */
  readonly cuts: readonly number[];
}

/**
 * Counts the values of an encoded message before it is decoded: an item of two bytes becomes an object of a hundred. Fails
 * with AppError for lists and texts that are longer than their rules allow, for too many values, and for bytes that
 * are not a message of this type, since a decoder may read those differently.
 */
export function tallyBinary(schema: DescMessage, bytes: Uint8Array, pieceBytes = Infinity): Tally {
  const tally = new BinaryTally(bytes, pieceBytes);
  try {
    tally.scan(schema, bytes.length);
  } catch (error) {
    throw error instanceof AppError ? error : malformedMessage(schema, error);
  }
  return tally;
}

class BinaryTally implements Tally {
  values = 0;
  readonly cuts: number[] = [];
  /** The one of the decoder, so that both read the same. */
  private readonly reader: BinaryReader;
  /** The way to the message that is being read. */
  private readonly path: string[] = [];

  constructor(
    bytes: Uint8Array,
    private readonly pieceBytes: number,
  ) {
    this.reader = new BinaryReader(bytes);
  }

  /** Reads the fields of a message, which ends there. */
  scan(schema: DescMessage, end: number): void {
    const { reader } = this;
    const fields = boundsOf(schema);
    const counts = new Map<number, number>();
    const isRoot = this.path.length === 0;
    let cutAt = 0;
    while (reader.pos < end) {
      if (isRoot && reader.pos - cutAt >= this.pieceBytes) this.cuts.push((cutAt = reader.pos));
      this.count(1);
      const [number, wire] = reader.tag();
      const bound = fields.get(number);
      if (wire === WireType.LengthDelimited) {
        const valueEnd = reader.uint32() + reader.pos;
        if (valueEnd > end) throw new RangeError("a part reaches beyond its message");
        if (bound !== undefined) this.value(bound, { wire, end: valueEnd, counts });
        reader.pos = valueEnd;
      } else {
        reader.skip(wire, number, 0);
        if (bound !== undefined) this.value(bound, { wire, end: reader.pos, counts });
      }
    }
    if (reader.pos > end) throw new RangeError("a field reaches beyond its message");
  }

  private value(
    { field, itemsMax, textMax, message, wire: expected }: FieldBound,
    { wire, end, counts }: { wire: WireType; end: number; counts: Map<number, number> },
  ): void {
    const isPacked = wire === WireType.LengthDelimited && expected !== wire;
    // The decoder would read it as if it had the expected form.
    if (wire !== expected && !(isPacked && itemsMax !== undefined)) throw new TypeError("a field has another form");
    if (textMax !== undefined && end - this.reader.pos > BYTES_PER_CHARACTER * textMax) {
      throw this.wrong(field.name, giveAtMost(textMax, "character"));
    }
    let step = field.name;
    if (itemsMax !== undefined) {
      const items = isPacked ? this.packedItems(expected, end, itemsMax) : 1;
      const count = (counts.get(field.number) ?? 0) + items;
      if (count > itemsMax) throw this.wrong(field.name, giveAtMost(itemsMax, "item"));
      counts.set(field.number, count);
      step = `${field.name}[${count - 1}]`;
    }
    if (message === undefined) return;
    this.path.push(step);
    this.scan(message, end);
    this.path.pop();
  }

  /** Packed items follow each other without tags. Counts no more than one too many. */
  private packedItems(wire: WireType, end: number, itemsMax: number): number {
    let items = 0;
    for (; this.reader.pos < end && items <= itemsMax; items++) this.reader.skip(wire);
    if (this.reader.pos > end) throw new RangeError("an item reaches beyond its list");
    this.count(items);
    return items;
  }

  private count(values: number): void {
    this.values += values;
    if (this.values > MESSAGE_VALUES_MAX) throw tooManyValues("message");
  }

  private wrong(field: string, message: string): AppError {
    return AppError.invalid([{ field: [...this.path, field].join("."), message }]);
  }
}

/**
 * Checks the lists of a message in JSON before it is made of it. Fails with AppError for lists that are longer than their
 * rules allow.
 */
export function tallyJson(schema: DescMessage, json: unknown): void {
  visitJson(schema, json, "");
}

function visitJson(schema: DescMessage, json: unknown, prefix: string): void {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return;
  const object = json as Readonly<Record<string, unknown>>;
  for (const { field, itemsMax, message } of boundsOf(schema).values()) {
    if (itemsMax === undefined && message === undefined) continue;
    for (const name of field.jsonName === field.name ? [field.name] : [field.jsonName, field.name]) {
      if (!Object.hasOwn(object, name)) continue;
      const value = object[name];
      const path = prefix + field.name;
      if (Array.isArray(value) && itemsMax !== undefined) {
        if (value.length > itemsMax) {
          throw AppError.invalid([{ field: path, message: giveAtMost(itemsMax, "item") }]);
        }
        if (message !== undefined) value.forEach((item, index) => visitJson(message, item, `${path}[${index}].`));
      } else if (message !== undefined) visitJson(message, value, `${path}.`);
    }
  }
}

/** An object or an item of a list, with its place in what holds it. In bytes. */
const VALUE_BYTES = 128;

/** The memory that a message takes once it is decoded, in bytes: its texts, and an object for each value. */
export function memoryOf(encodedBytes: number, values: number): number {
  return encodedBytes + VALUE_BYTES * values;
}

const textLengths = new WeakMap<DescMessage, number>();

/** The characters that the rules allow in all texts of a message together; texts without a limit are left out. */
export function textLengthOf(schema: DescMessage): number {
  let length = textLengths.get(schema);
  if (length === undefined) {
    length = 0;
    for (const { itemsMax = 1, textMax = 0, message } of boundsOf(schema).values()) {
      length += itemsMax * (message === undefined ? textMax : textLengthOf(message));
    }
    textLengths.set(schema, length);
  }
  return length;
}

/** The failure for a message of too many values; `unit` is what the caller sends. */
export function tooManyValues(unit: "message" | "body"): AppError {
  return new AppError(
    "too-large",
    `The ${unit} holds more than ${counted(MESSAGE_VALUES_MAX, "value")}. Send fewer at once.`,
    { code: "too_many_values" },
  );
}

/** The failure for bytes that are no message of a type. */
function malformedMessage({ typeName }: DescMessage, cause?: unknown): AppError {
  const message = `The request is not a valid ${typeName}. Encode it by the proto files of this server.`;
  return new AppError("invalid", message, { code: "malformed_message", cause });
}

/** Decoding so much at once takes some milliseconds, since texts beyond ASCII are slow to decode. */
const PIECE_BYTES = 524_288;

/**
 * Decodes a message that a caller sent, a large one in pieces between which the event loop serves others: in the wire
 * format, messages one after the other are one message. Fails with AppError for a message that is not of this type, and
 * before it is decoded for one with longer lists or more values than a request may have.
 */
export async function decodeMessage(
  schema: DescMessage,
  bytes: Uint8Array,
  /** Told how much memory the message will take, in bytes; may throw. */
  occupy: (memoryBytes: number) => void,
): Promise<Message> {
  const { cuts, values } = tallyBinary(schema, bytes, PIECE_BYTES);
  occupy(memoryOf(bytes.length, values));
  try {
    if (cuts.length === 0) return fromBinary(schema, bytes);
    const message = create(schema);
    const pace = new LoopPace();
    let start = 0;
    for (const end of [...cuts, bytes.length]) {
      mergeFromBinary(schema, message, bytes.subarray(start, end));
      start = end;
      await pace.step();
    }
    return message;
  } catch (error) {
    throw malformedMessage(schema, error);
  }
}
