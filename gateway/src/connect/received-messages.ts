import { fromJson, type DescMessage, type DescMethod, type JsonValue, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { AppError, decodeMessage, tallyBinary, tallyJson } from "@hourglass/runtime";
import { JsonShape } from "@hourglass/runtime/json";
import { parseJsonBody, readJsonBody, requireUsualShape } from "../http/body/json-body.js";
import { occupy, readBytes, tooLarge } from "../http/body/request-body.js";
import type { Exchange } from "../http/exchange.js";
import { JSON_OPTIONS, requireKnownNames } from "./json-names.js";
import { callTypeOf } from "./request.js";

/** How a request is encoded, which its content type says. */
interface Encoding {
  readonly isBinary: boolean;
  /** Whether each message has a head with its length. */
  readonly isFramed: boolean;
}

const JSON_TYPE = /^application\/(?:[a-z-]+\+)?json$/;
const FRAMED_TYPE = /^application\/(?:connect|grpc-web)\b/;

function encodingOf({ req }: Exchange): Encoding {
  const type = callTypeOf(req);
  return { isBinary: !JSON_TYPE.test(type), isFramed: FRAMED_TYPE.test(type) };
}

/**
 * Reads the message of a request that has no other. It is counted before it is decoded, and a large one is decoded without
 * keeping others waiting. Fails with AppError, or with ConnectError for JSON of another type.
 */
export async function readMessage(
  exchange: Exchange,
  schema: DescMessage,
  { bytesMax, isBinary }: { bytesMax: number; isBinary: boolean },
): Promise<Message> {
  if (!isBinary) return fromJsonBody(schema, await readJsonBody(exchange, bytesMax));
  return decodeMessage(schema, await readBytes(exchange, bytesMax), (memory) => occupy(exchange, memory));
}

/** Like `readMessage`, for a message that has arrived. The buffer of a large one in JSON is given away. */
async function decodeReceived(
  exchange: Exchange,
  schema: DescMessage,
  { bytes, isBinary }: { bytes: Buffer<ArrayBuffer>; isBinary: boolean },
): Promise<Message> {
  if (isBinary) return decodeMessage(schema, bytes, (memory) => occupy(exchange, memory));
  return fromJsonBody(schema, await parseJsonBody(exchange, bytes));
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
export interface Receiving {
  readonly exchange: Exchange;
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
  const encoding = encodingOf(receiving.exchange);
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
  { exchange, method: { input }, bytesMax }: Receiving,
  { isBinary, isFramed }: Encoding,
): Promise<Received> {
  const empty = Buffer.from(isBinary ? "" : "{}");
  if (!isFramed) {
    if (body.length > bytesMax) throw tooLarge(bytesMax);
    return { message: await decodeReceived(exchange, input, { bytes: body, isBinary }), body: empty };
  }
  const end = endOfFirst(body);
  const flags = body[0] ?? 0;
  const isRefused = end > body.length || end > HEAD_BYTES + bytesMax || flags === COMPRESSED;
  if (isRefused) return { body };
  if (flags > COMPRESSED) throw new AppError("invalid", "The message has flags that this protocol does not know.");
  if (end < body.length) throw new AppError("unimplemented", "This method takes one message: send no more than one.");
  const message = await decodeReceived(exchange, input, { bytes: body.subarray(HEAD_BYTES), isBinary });
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
