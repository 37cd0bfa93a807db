import {
  isFieldSet,
  ScalarType,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
} from "@bufbuild/protobuf";

/** Below this size, in bytes, the library's encoder is as good. */
const LARGE_BYTES = 4096;
/** Wire type of a length-delimited field. */
const LENGTH_DELIMITED = 2;

/**
 * The encoded bytes of a message that contains only a large piece of a file; undefined for any other message. The
 * library's encoder doubles its buffer until the piece fits and copies the result out of it, which takes three times
 * the memory for each piece; most of the memory of a process that relays files is garbage not yet collected.
 */
export function encodeBytesMessage(schema: DescMessage, message: Message): Buffer | undefined {
  const [member, ...others] = schema.members;
  if (member === undefined || message.$unknown !== undefined) return undefined;
  if (others.some((other) => other.kind === "oneof" || isFieldSet(message, other))) return undefined;
  const [field, value] = contentOf(member, (message as unknown as Record<string, unknown>)[member.localName]);
  if (field?.fieldKind !== "scalar" || field.scalar !== ScalarType.BYTES) return undefined;
  if (!(value instanceof Uint8Array) || value.length < LARGE_BYTES) return undefined;
  const head = [...varint(field.number * 8 + LENGTH_DELIMITED), ...varint(value.length)];
  const encoded = Buffer.allocUnsafe(head.length + value.length);
  encoded.set(head);
  encoded.set(value, head.length);
  return encoded;
}

type Content = readonly [field: DescField | undefined, value: unknown];

/** The set field of a message's member, and its value. */
function contentOf(member: DescField | DescOneof, held: unknown): Content {
  if (member.kind === "field") return [member, held];
  const chosen = held as { case?: string; value?: unknown };
  return [member.fields.find(({ localName }) => localName === chosen.case), chosen.value];
}

/** Seven bits a byte, lowest first; all but the last have the highest bit set. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
