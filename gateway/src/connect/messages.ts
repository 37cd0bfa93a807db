import {
  fromJson,
  getOption,
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createAsyncIterable, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { named_by as namedBy } from "@hourglass/proto/options/v1/settings";
import {
  AppError,
  decodeMessage,
  enumSpellings,
  giveOneOf,
  isOpen,
  nearest,
  tallyBinary,
  tallyJson,
  textLengthOf,
  VIOLATIONS_MAX,
  type FieldViolation,
} from "@hourglass/runtime";
import { JsonShape } from "@hourglass/runtime/json";
import {
  clientGone,
  fromBase64,
  occupy,
  parseJsonBody,
  readBytes,
  readJsonBody,
  requireUsualShape,
  tooLarge,
} from "../http/body.js";
import { RefusedRequest } from "../http/errors.js";
import { charset, mediaType } from "../http/headers.js";
import type { RequestContext } from "../http/request-context.js";
import { USUAL_BYTES_MAX } from "../http/route.js";
import { asConnectError, toConnectError } from "./connect-errors.js";
import type { RpcCall } from "./forward.js";

/** Maximum size of a request whose sender is not authenticated yet: credentials are short. */
const OPEN_BYTES_MAX = 65_536;

/** Maximum size of a streamed message while it is assembled: a chunk of a file, in base64 if it arrives as JSON. */
const STREAMED_MESSAGE_BYTES_MAX = 1_572_864;

/** Maximum size of a request of a method: the server's limit only where the rules allow texts of such a size. */
export function messageBytesMaxOf(method: DescMethod, bodyBytesMax: number): number {
  if (method.methodKind === "client_streaming") return STREAMED_MESSAGE_BYTES_MAX;
  if (isOpen(method)) return Math.min(OPEN_BYTES_MAX, bodyBytesMax);
  return textLengthOf(method.input) > USUAL_BYTES_MAX ? bodyBytesMax : Math.min(USUAL_BYTES_MAX, bodyBytesMax);
}

/**
 * The body that the protocol reads, never before the call is admitted. Nothing is decoded before it has been counted. A
 * request that is no stream is decoded here, a large one in parts, between which others are served: the protocols decode
 * all of it at once. They read an empty message in its place, and the call holds the message. Fails with ConnectError.
 */
export async function* checkedBody(
  call: RpcCall,
  { methodKind, input: schema }: DescMethod,
  { bytesMax, encoding }: { readonly bytesMax: number; readonly encoding: Encoding },
): AsyncGenerator<Uint8Array> {
  const { context } = call;
  try {
    await call.admitted;
    if (methodKind === "client_streaming") {
      const sent = streamed(context);
      yield* countedMessages(encoding.isText ? fromBase64(sent) : sent, { schema, bytesMax }, encoding);
    } else if (encoding.isFramed) {
      yield await framedMessage(call, { schema, bytesMax }, encoding);
    } else {
      call.message = await onlyMessage(context, { schema, bytesMax }, encoding);
      yield emptyMessage(encoding);
    }
  } catch (error) {
    throw toConnectError(error, context);
  }
}

/** How a request is encoded, which its content type says. */
export interface Encoding {
  /** The media type, without parameters; that of the bytes if they are in base64. */
  readonly type: string;
  readonly isBinary: boolean;
  /** Whether each message has a head with its length. */
  readonly isFramed: boolean;
  /** Whether all of it is in base64. */
  readonly isText: boolean;
}

const JSON_TYPE = /^application\/(?:[a-z-]+\+)?json$/;
const FRAMED_TYPE = /^application\/(?:connect|grpc-web)\b/;
/** gRPC-web in base64, for browsers and proxies that take no bytes: the same as without `-text`, in both directions. */
const TEXT_TYPE = /^application\/grpc-web-text(?=$|\+)/;

/**
 * The encoding of a request. Parameters of its type say that the text is in UTF-8, or repeat the type of the message. With
 * another charset, it is no type of the protocols.
 */
export function encodingOf({ headers: { "content-type": header } }: RequestContext["req"]): Encoding {
  const named = charset(header);
  const given = named === undefined || named === "utf-8" || named === "utf8" ? mediaType(header) : (header ?? "");
  const type = given.replace(TEXT_TYPE, "application/grpc-web");
  return { type, isBinary: !JSON_TYPE.test(type), isFramed: FRAMED_TYPE.test(type), isText: type !== given };
}

function emptyMessage({ isBinary }: Encoding): Buffer {
  return Buffer.from(isBinary ? "" : "{}");
}

/** What a message may be. */
interface Expected {
  readonly schema: DescMessage;
  /** Its maximum size. */
  readonly bytesMax: number;
}

/** Reads a body that is the message. */
async function onlyMessage(
  context: RequestContext,
  { schema, bytesMax }: Expected,
  { isBinary }: Encoding,
): Promise<Message> {
  if (!isBinary) return fromJsonBody(schema, await readJsonBody(context, bytesMax));
  return decodeMessage(schema, await readBytes(context, bytesMax), (memory) => occupy(context, memory));
}

function fromJsonBody(schema: DescMessage, json: unknown): Message {
  if (json === undefined) throw new AppError("invalid", "The request is empty: send a JSON object.");
  tallyJson(schema, json);
  requireKnownNames(schema, json);
  try {
    return fromJson(schema, json as JsonValue, JSON_OPTIONS);
  } catch (error) {
    throw ConnectError.from(error, Code.InvalidArgument);
  }
}

/** Of a message in a stream: a byte of flags, and the length in four bytes. */
const HEAD_BYTES = 5;
const COMPRESSED = 1;

/** Reads a body that is one message with a head. Returns what the protocol reads instead. */
async function framedMessage(call: RpcCall, { schema, bytesMax }: Expected, encoding: Encoding): Promise<Uint8Array> {
  const { context } = call;
  // With room for a head, and for base64 around the message.
  const sent = await readBytes(context, Math.min(context.gateway.settings.bodyBytesMax, 2 * bytesMax));
  const body = encoding.isText ? await decodeBase64(sent) : sent;
  const end = endOfFirst(body);
  const flags = body[0] ?? 0;
  const isRefused = end > body.length || end > HEAD_BYTES + bytesMax || flags === COMPRESSED;
  if (isRefused) return body; // by the protocol
  if (flags > COMPRESSED) throw new AppError("invalid", "The message has flags that this protocol does not know.");
  if (end < body.length) throw new AppError("unimplemented", "This method takes one message: send no more than one.");
  const bytes = body.subarray(HEAD_BYTES);
  call.message = encoding.isBinary
    ? await decodeMessage(schema, bytes, (memory) => occupy(context, memory))
    : fromJsonBody(schema, await parseJsonBody(context, bytes));
  const empty = emptyMessage(encoding);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, empty.length]), empty]);
}

/**
 * Passes on a stream of messages, each once it is complete and counted: the protocol decodes it then. A message that is
 * larger than `bytesMax` is passed on as it comes, for the protocol refuses it. Fails with AppError.
 */
async function* countedMessages(
  body: AsyncIterable<Uint8Array>,
  { schema, bytesMax }: Expected,
  { isBinary }: Encoding,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  let needed = HEAD_BYTES;
  let isTooLarge = false;
  for await (const chunk of body) {
    if (isTooLarge) {
      yield chunk;
      continue;
    }
    held.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let rest = Buffer.concat(held);
    for (needed = endOfFirst(rest); needed <= rest.length; needed = endOfFirst(rest)) {
      const isCompressed = ((rest[0] ?? 0) & COMPRESSED) !== 0;
      if (!isCompressed) countMessage(rest.subarray(HEAD_BYTES, needed), schema, isBinary);
      yield rest.subarray(0, needed);
      rest = rest.subarray(needed);
    }
    isTooLarge = needed > HEAD_BYTES + bytesMax;
    held = [rest];
    size = rest.length;
    if (isTooLarge) yield* held.splice(0);
  }
  yield* held;
}

/** Where the first of some messages ends; where its head ends, if that is not complete. */
function endOfFirst(messages: Buffer): number {
  return messages.length < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + messages.readUInt32BE(1);
}

function countMessage(bytes: Uint8Array, schema: DescMessage, isBinary: boolean): void {
  if (isBinary) {
    tallyBinary(schema, bytes);
    return;
  }
  const shape = new JsonShape();
  shape.add(bytes);
  requireUsualShape(shape);
}

/** The body of a stream of messages, as it arrives. */
async function* streamed(context: RequestContext): AsyncGenerator<Uint8Array> {
  const { req, gateway } = context;
  // JSON carries bytes in base64, a third larger; the service enforces the limit of the file itself.
  const bytesMax = 2 * gateway.settings.uploadBytesMax;
  gateway.budget.take(context, STREAMED_MESSAGE_BYTES_MAX);
  context.sendContinue();
  let bytes = 0;
  let isAwaited = true;
  let cut = (): void => undefined;
  const slow = new Promise<never>((_, reject) => (cut = () => reject(tooSlow(context))));
  slow.catch(() => undefined); // handled below, if the body is still read
  context.receiving(
    () => bytes,
    () => cut(),
    () => isAwaited,
  );
  // The connection must survive a failure, since the response is sent over it.
  const chunks = req.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      isAwaited = true;
      const next = (await Promise.race([chunks.next(), slow])) as IteratorResult<Buffer, unknown>;
      if (next.done === true) return;
      isAwaited = false;
      bytes += next.value.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield next.value;
    }
  } catch (error) {
    throw error instanceof AppError ? error : clientGone(error);
  } finally {
    context.received();
  }
}

function tooSlow(context: RequestContext): AppError {
  context.abandoned = true;
  return new RefusedRequest(408, "The body did not arrive in time. Send it again.", { code: "request_timeout" });
}

/** Unknown fields are ignored, as by Connect itself; so would be unknown names of enums. */
const JSON_OPTIONS = { ignoreUnknownFields: true };

/**
 * Fails with AppError if a request in JSON has names that its enums do not have: without them the request would be
 * another one, such as a list without its filter.
 */
function requireKnownNames(schema: DescMessage, json: unknown): void {
  const violations: FieldViolation[] = [];
  findUnknownNames(schema, json, { prefix: "", violations });
  if (violations.length > 0) throw AppError.invalid(violations);
}

/**
 * Options with which Connect itself checks the messages that it reads: those of streams, and those in a URL. It has no
 * hook between the bytes and the message but the decoder of texts.
 */
export function jsonOptionsFor(schema: DescMessage): typeof JSON_OPTIONS {
  if (!holdsEnums(schema)) return JSON_OPTIONS;
  const decoder = new TextDecoder();
  const textDecoder = {
    decode: (bytes: Uint8Array): string => {
      const text = decoder.decode(bytes);
      try {
        requireKnownNames(schema, JSON.parse(text));
      } catch (error) {
        throw error instanceof AppError ? asConnectError(error) : error;
      }
      return text;
    },
  };
  return { ...JSON_OPTIONS, ...{ textDecoder } };
}

interface Search {
  /** Path of the message, with a dot at its end. */
  readonly prefix: string;
  readonly violations: FieldViolation[];
}

function findUnknownNames(schema: DescMessage, json: unknown, { prefix, violations }: Search): void {
  if (!holdsEnums(schema) || !isObject(json)) return;
  for (const field of schema.fields) {
    for (const [path, value] of valuesOf(field, json)) {
      if (violations.length > VIOLATIONS_MAX) return;
      if (field.message !== undefined) {
        findUnknownNames(field.message, value, { prefix: `${prefix}${path}.`, violations });
      } else if (field.enum !== undefined && typeof value === "string" && !isNameOf(field.enum, value)) {
        violations.push({ field: prefix + path, message: sentenceFor(field.enum, value) });
      }
    }
  }
}

/** The values of a field, each item of a list and entry of a map, with their paths in the message. */
function* valuesOf(field: DescField, json: Readonly<Record<string, unknown>>): Generator<[string, unknown]> {
  for (const name of new Set([field.jsonName, field.name])) {
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    if (field.fieldKind === "list" && Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield [`${field.name}[${index}]`, item];
    } else if (field.fieldKind === "map" && isObject(value)) {
      for (const [key, item] of Object.entries(value)) yield [`${field.name}[${JSON.stringify(key)}]`, item];
    } else {
      yield [field.name, value];
    }
  }
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

const holders = new Map<DescMessage, boolean>();

/** Whether a message has fields of enums, or parts that have. The JSON of Google's own types has other forms. */
function holdsEnums(schema: DescMessage): boolean {
  let holds = holders.get(schema);
  if (holds === undefined) {
    holds = [...partsOf(schema)].some(({ fields }) => fields.some((field) => field.enum !== undefined));
    holders.set(schema, holds);
  }
  return holds;
}

/** A message type and all types of its parts. */
function partsOf(schema: DescMessage, found = new Set<DescMessage>()): Set<DescMessage> {
  if (found.has(schema) || schema.typeName.startsWith("google.protobuf.")) return found;
  found.add(schema);
  for (const { message } of schema.fields) if (message !== undefined) partsOf(message, found);
  return found;
}

function isNameOf({ values }: DescEnum, name: string): boolean {
  return values.some((value) => value.name === name || value.jsonName === name);
}

/** Lists the names that every server knows. What is spelled as by REST is suggested too. */
function sentenceFor(desc: DescEnum, given: string): string {
  const values = desc.values.filter((value) => value.number !== 0 && getOption(value, namedBy) === "");
  const spellings = enumSpellings(desc);
  const byName = new Map(
    values.flatMap(({ name, number }) => [[name, name] as const, [spellings.get(number) ?? name, name] as const]),
  );
  const meant = byName.get(nearest(given, [...byName.keys()]) ?? "");
  return giveOneOf(
    values.map(({ name }) => name),
    meant,
  );
}

async function decodeBase64(text: Uint8Array): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of fromBase64(createAsyncIterable([text]))) parts.push(part);
  return Buffer.concat(parts);
}

/** A response of gRPC-web in base64. */
export function toBase64(response: UniversalServerResponse): UniversalServerResponse {
  const { header, body } = response;
  const type = header?.get("content-type") ?? undefined;
  if (type !== undefined)
    header?.set("content-type", type.replace("application/grpc-web", "application/grpc-web-text"));
  return body === undefined ? response : { ...response, body: encode(body) };
}

/** One text without padding in between, which all clients can read. */
async function* encode(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of body) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(end);
    if (end > 0) yield Buffer.from(bytes.toString("base64", 0, end));
  }
  if (rest.length > 0) yield Buffer.from(Buffer.from(rest).toString("base64"));
}
