import { fromJson, type DescMessage, type DescMethod, type JsonValue, type Message } from "@bufbuild/protobuf";
import { createAsyncIterable, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { AppError, decodeMessage, isOpen, tallyBinary, tallyJson, textLengthOf } from "@hourglass/runtime";
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
import { asConnectError } from "./connect-errors.js";
import type { RpcCall } from "./forward.js";
import { notOfType, requireKnownNames } from "./json-mistakes.js";

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
  const { context, refusal, query } = call;
  try {
    await call.admitted;
    if (refusal !== undefined) throw refusal;
    if (query !== undefined) {
      call.message = await messageIn(context, query, { schema, isBinary: encoding.isBinary });
      yield emptyMessage(encoding);
    } else if (methodKind === "client_streaming") {
      const sent = streamed(context);
      yield* countedMessages(encoding.isText ? fromBase64(sent) : sent, { schema, bytesMax }, encoding);
    } else if (encoding.isFramed) {
      yield await framedMessage(call, { schema, bytesMax }, encoding);
    } else {
      call.message = await onlyMessage(context, { schema, bytesMax }, encoding);
      yield emptyMessage(encoding);
    }
  } catch (error) {
    call.failure = context.failure(error);
    throw asConnectError(call.failure);
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

/** The encoding of a message in a URL; without a type if the URL names none. */
export function encodingIn(query: URLSearchParams): Encoding {
  const name = query.get("encoding") ?? "";
  const type = name === "json" || name === "proto" ? `application/${name}` : "";
  return { type, isBinary: name !== "json", isFramed: false, isText: false };
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

/** Reads a message of a URL. */
async function messageIn(
  context: RequestContext,
  query: URLSearchParams,
  { schema, isBinary }: { readonly schema: DescMessage; readonly isBinary: boolean },
): Promise<Message> {
  const bytes = Buffer.from(query.get("message") ?? "", query.get("base64") === "1" ? "base64" : "utf8");
  if (isBinary) return decodeMessage(schema, bytes, (memory) => occupy(context, memory));
  return fromJsonBody(schema, await parseJsonBody(context, bytes));
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
    const failure = notOfType(schema, json);
    throw new AppError(failure.kind, failure.message, { violations: failure.violations, cause: error });
  }
}

/** Of a message in a stream: a byte of flags, and the length in four bytes. */
const HEAD_BYTES = 5;
const COMPRESSED = 1;

/** Reads a body that is one message with a head. Returns what the protocol reads instead. Fails with AppError. */
async function framedMessage(call: RpcCall, { schema, bytesMax }: Expected, encoding: Encoding): Promise<Uint8Array> {
  const { context } = call;
  // With room for a head, and for base64 around the message.
  const sent = await readBytes(context, Math.min(context.gateway.settings.bodyBytesMax, 2 * bytesMax));
  const body = encoding.isText ? await decodeBase64(sent) : sent;
  const end = endOfFirst(body);
  const flags = body[0] ?? 0;
  if (flags === COMPRESSED) throw compressed();
  if (end > HEAD_BYTES + bytesMax) throw tooLarge(bytesMax);
  if (body.length === 0) throw new AppError("invalid", "The request is empty: send one message.");
  if (end > body.length) throw incomplete();
  if (flags > COMPRESSED) throw new AppError("invalid", "The message has flags that this protocol does not know.");
  if (end < body.length) throw new AppError("unimplemented", "This method takes one message: send no more than one.");
  const bytes = body.subarray(HEAD_BYTES);
  call.message = encoding.isBinary
    ? await decodeMessage(schema, bytes, (memory) => occupy(context, memory))
    : fromJsonBody(schema, await parseJsonBody(context, bytes));
  const empty = emptyMessage(encoding);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, empty.length]), empty]);
}

/** The failure of a compressed message: what it holds is counted before it is read. */
export function compressed(): AppError {
  return new AppError("unimplemented", "Compressed messages are not read here: send it without compression.", {
    code: "compression_unsupported",
  });
}

function incomplete(): AppError {
  return new AppError("invalid", "The message is shorter than its head says. Send it again.", {
    code: "incomplete_message",
  });
}

/** Passes on a stream of messages, each once it is complete and counted: the protocol decodes it then. Fails with AppError. */
async function* countedMessages(
  body: AsyncIterable<Uint8Array>,
  { schema, bytesMax }: Expected,
  { isBinary }: Encoding,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  let needed = HEAD_BYTES;
  for await (const chunk of body) {
    held.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let rest = Buffer.concat(held);
    for (needed = endOfFirst(rest); needed <= rest.length; needed = endOfFirst(rest)) {
      if (((rest[0] ?? 0) & COMPRESSED) !== 0) throw compressed();
      if (needed > HEAD_BYTES + bytesMax) throw tooLarge(bytesMax);
      countMessage(rest.subarray(HEAD_BYTES, needed), schema, isBinary);
      yield rest.subarray(0, needed);
      rest = rest.subarray(needed);
    }
    if (needed > HEAD_BYTES + bytesMax) throw tooLarge(bytesMax);
    held = [rest];
    size = rest.length;
  }
  if (size > 0) throw incomplete();
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

/** Unknown names are refused before: what a library says of them is no sentence for its caller. */
const JSON_OPTIONS = { ignoreUnknownFields: true };

/**
 * Options with which Connect itself checks the messages that it reads: those of streams, and those in a URL. It has no
 * hook between the bytes and the message but the decoder of texts.
 */
export function jsonOptionsFor(schema: DescMessage): typeof JSON_OPTIONS {
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
