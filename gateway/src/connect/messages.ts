import {
  type DescMethod,
  fromJson,
  type DescMessage,
  type JsonValue,
  type Message,
  getOption,
  type DescEnum,
  type DescField,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { named_by as namedBy } from "@hourglass/proto/options/v1/settings";
import {
  AppError,
  isOpen,
  textLengthOf,
  decodeMessage,
  tallyBinary,
  tallyJson,
  enumSpellings,
  giveOneOf,
  nearest,
  VIOLATIONS_MAX,
  type FieldViolation,
} from "@hourglass/runtime";
import { JsonShape } from "@hourglass/runtime/json";
import { RefusedRequest } from "../http/errors.js";
import type { RequestContext } from "../http/request-context.js";
import { USUAL_BYTES_MAX } from "../http/route.js";
import { charset, mediaType } from "../http/headers.js";
import {
  clientGone,
  readBytes,
  tooLarge,
  parseJsonBody,
  readJsonBody,
  requireUsualShape,
  occupy,
} from "../http/body.js";
import { asConnectError } from "./connect-errors.js";
import type { Reply } from "../http/reply.js";

/** Headers that the protocols read; all others concern only this gateway. */
const PROTOCOL_HEADERS = [
  "content-type",
  "content-encoding",
  "accept-encoding",
  "connect-protocol-version",
  "connect-timeout-ms",
  "connect-content-encoding",
  "connect-accept-encoding",
  "grpc-timeout",
  "grpc-encoding",
  "grpc-accept-encoding",
] as const;

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
 * The media type of a call, without parameters: they say that the text is in UTF-8, or repeat the type of the message. With
 * another charset, it is no type of the protocols.
 */
export function callTypeOf({ headers: { "content-type": header } }: RequestContext["req"]): string {
  const named = charset(header);
  return named === undefined || named === "utf-8" || named === "utf8" ? mediaType(header) : (header ?? "");
}

/** The request headers that the protocols read. */
export function protocolHeaders({ req }: RequestContext): Headers {
  const headers = new Headers();
  for (const name of PROTOCOL_HEADERS) {
    const value = req.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  headers.set("content-type", typeWithin(callTypeOf(req)));
  return headers;
}

/** The body of a call, read when the protocol requests it, but never before `admitted` has resolved. */
export function bodyOf(
  context: RequestContext,
  method: DescMethod,
  admitted: Promise<unknown>,
): AsyncIterable<Uint8Array> {
  const { bodyBytesMax, uploadBytesMax } = context.gateway.settings;
  if (method.methodKind !== "client_streaming") {
    // With room for a head, and for base64 around the message.
    return whole(context, Math.min(bodyBytesMax, 2 * messageBytesMaxOf(method, bodyBytesMax)), admitted);
  }
  context.sendsFile = true;
  // JSON carries bytes in base64, a third larger; the service enforces the limit of the file itself.
  return streamed(context, 2 * uploadBytesMax, admitted);
}

async function* whole(
  context: RequestContext,
  bytesMax: number,
  admitted: Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  await admitted;
  yield await readBytes(context, bytesMax);
}

async function* streamed(
  context: RequestContext,
  bytesMax: number,
  admitted: Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  await admitted;
  const { req, gateway } = context;
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

/** How a request is encoded, which its content type says. */
interface Encoding {
  readonly isBinary: boolean;
  /** Whether each message has a head with its length. */
  readonly isFramed: boolean;
}

const JSON_TYPE = /^application\/(?:[a-z-]+\+)?json$/;
const FRAMED_TYPE = /^application\/(?:connect|grpc-web)\b/;

function encodingOf({ req }: RequestContext): Encoding {
  const type = callTypeOf(req);
  return { isBinary: !JSON_TYPE.test(type), isFramed: FRAMED_TYPE.test(type) };
}

/**
 * Reads the message of a request that has no other. It is counted before it is decoded, and a large one is decoded without
 * keeping others waiting. Fails with AppError, or with ConnectError for JSON of another type.
 */
export async function readMessage(
  context: RequestContext,
  schema: DescMessage,
  { bytesMax, isBinary }: { bytesMax: number; isBinary: boolean },
): Promise<Message> {
  if (!isBinary) return fromJsonBody(schema, await readJsonBody(context, bytesMax));
  return decodeMessage(schema, await readBytes(context, bytesMax), (memory) => occupy(context, memory));
}

/** Like `readMessage`, for a message that has arrived. The buffer of a large one in JSON is given away. */
async function decodeReceived(
  context: RequestContext,
  schema: DescMessage,
  { bytes, isBinary }: { bytes: Buffer<ArrayBuffer>; isBinary: boolean },
): Promise<Message> {
  if (isBinary) return decodeMessage(schema, bytes, (memory) => occupy(context, memory));
  return fromJsonBody(schema, await parseJsonBody(context, bytes));
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

/** A request whose body is being received. */
interface Receiving {
  readonly context: RequestContext;
  readonly method: DescMethod;
  /** Maximum size of a message. */
  readonly bytesMax: number;
}

/** The only message of a request, and the body that the protocol is given instead: an empty message. */
interface Received {
  /** Undefined if the protocol has to refuse the body. */
  readonly message?: Message;
  readonly body: Uint8Array;
}

/**
 * What the protocol is given to read of a body. The message of a request that is no stream is decoded here, like
 * `readMessage`, and given to `take`: the protocols decode all of it at once.
 */
export async function* receivedBody(
  body: AsyncIterable<Uint8Array>,
  receiving: Receiving,
  take: (message: Message) => void,
): AsyncGenerator<Uint8Array> {
  const encoding = encodingOf(receiving.context);
  if (receiving.method.methodKind === "client_streaming") {
    yield* countedMessages(body, receiving, encoding);
    return;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const [first] = chunks;
  // A large body is one chunk, which is not copied.
  const whole = chunks.length === 1 && isOwn(first) ? Buffer.from(first.buffer) : Buffer.concat(chunks);
  const received = await receiveOne(whole, receiving, encoding);
  if (received.message !== undefined) take(received.message);
  yield received.body;
}

/** Whether the bytes are all of their buffer. */
function isOwn(bytes: Uint8Array | undefined): bytes is Uint8Array<ArrayBuffer> {
  return bytes?.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;
}

async function receiveOne(
  body: Buffer<ArrayBuffer>,
  { context, method: { input }, bytesMax }: Receiving,
  { isBinary, isFramed }: Encoding,
): Promise<Received> {
  const empty = Buffer.from(isBinary ? "" : "{}");
  if (!isFramed) {
    if (body.length > bytesMax) throw tooLarge(bytesMax);
    return { message: await decodeReceived(context, input, { bytes: body, isBinary }), body: empty };
  }
  const end = endOfFirst(body);
  const flags = body[0] ?? 0;
  const isRefused = end > body.length || end > HEAD_BYTES + bytesMax || flags === COMPRESSED;
  if (isRefused) return { body };
  if (flags > COMPRESSED) throw new AppError("invalid", "The message has flags that this protocol does not know.");
  if (end < body.length) throw new AppError("unimplemented", "This method takes one message: send no more than one.");
  const message = await decodeReceived(context, input, { bytes: body.subarray(HEAD_BYTES), isBinary });
  return { message, body: Buffer.concat([Buffer.from([0, 0, 0, 0, empty.length]), empty]) };
}

/**
 * Passes on a stream of messages, each once it is complete and counted: the protocol decodes it then. A message that is
 * larger than `bytesMax` is passed on as it comes, for the protocol refuses it. Fails with AppError.
 */
async function* countedMessages(
  body: AsyncIterable<Uint8Array>,
  { method: { input }, bytesMax }: Receiving,
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
      if (!isCompressed) countMessage(rest.subarray(HEAD_BYTES, needed), input, isBinary);
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

/** gRPC-web in base64, for browsers and proxies that take no bytes: the same as without `-text`, in both directions. */
const TEXT_TYPE = /^application\/grpc-web-text(?=$|\+)/;

/** Whether a media type is gRPC-web in base64. */
export function isTextType(type: string): boolean {
  return TEXT_TYPE.test(type);
}

/** The type of what a body in base64 holds. */
function typeWithin(type: string): string {
  return type.replace(TEXT_TYPE, "application/grpc-web");
}

/** A reply in gRPC-web, in base64. */
export function inBase64(reply: Reply): Reply {
  const { body } = reply;
  const contentType = reply.contentType?.replace("application/grpc-web", "application/grpc-web-text");
  const typed = contentType === undefined ? reply : { ...reply, contentType };
  if (body instanceof Uint8Array) return { ...typed, body: Buffer.from(body).toString("base64") };
  if (typeof body === "object" && Symbol.asyncIterator in body) return { ...typed, body: encode(body) };
  return typed;
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
