import { AppError, LoopPace, memoryOf, MESSAGE_VALUES_MAX, tooManyValues } from "@hourglass/runtime";
import { decodeUtf8, JsonShape, MalformedJson, NotUtf8, parseJson, parseLargeJson } from "@hourglass/runtime/json";
import { RefusedRequest } from "./errors.js";
import { charset, hasBody, mediaType } from "./headers.js";
import type { RequestContext } from "./request-context.js";

/** Bodies up to this size are parsed at once: whatever they contain, that takes milliseconds. */
const LIGHT_BYTES = 131_072;
const DEPTH_MAX = 100;

/**
 * Reads a JSON body of at most `bytesMax`; undefined if it is empty. The values of a large one are counted as it arrives,
 * before anything is made of them, and it is parsed in another thread. Fails with AppError (400, 413, 408).
 */
export async function readJsonBody(context: RequestContext, bytesMax: number): Promise<unknown> {
  const shape = new JsonShape();
  const body = await readBytes(context, bytesMax, (chunk, bytes) => {
    shape.add(chunk);
    if (bytes > LIGHT_BYTES) requireUsualShape(shape);
  });
  return parsed(context, body, shape);
}

/** Like `readJsonBody`, for a body that has arrived. A large one must have its own buffer, which it loses. */
export async function parseJsonBody(context: RequestContext, body: Buffer<ArrayBuffer>): Promise<unknown> {
  const shape = new JsonShape();
  const pace = new LoopPace();
  for (let start = 0; body.length > LIGHT_BYTES && start < body.length; start += COUNTED_BYTES) {
    await pace.step();
    shape.add(body.subarray(start, start + COUNTED_BYTES));
    requireUsualShape(shape);
  }
  return parsed(context, body, shape);
}

/** Takes a millisecond or two to count. */
const COUNTED_BYTES = 524_288;

async function parsed(context: RequestContext, body: Buffer<ArrayBuffer>, { values }: JsonShape): Promise<unknown> {
  if (body.length === 0) return undefined;
  try {
    if (body.length <= LIGHT_BYTES) return parseJson(decodeUtf8(body), SUBJECT);
    occupy(context, memoryOf(body.length, values));
    return await parseLargeJson(body, SUBJECT);
  } catch (error) {
    // The causes add nothing.
    if (error instanceof NotUtf8) throw notUtf8();
    if (error instanceof MalformedJson) throw new AppError("invalid", error.message, { code: "invalid_json" });
    throw error;
  }
}

const SUBJECT = "The body";

function notUtf8(): AppError {
  return new AppError("invalid", "The body is not valid UTF-8. Encode it in UTF-8.", { code: "invalid_utf8" });
}

/** Fails with AppError for more values, or values nested deeper, than any request has. */
export function requireUsualShape({ values, depth }: JsonShape): void {
  if (depth > DEPTH_MAX) throw tooDeep();
  if (values > MESSAGE_VALUES_MAX) throw tooManyValues("body");
}

function tooDeep(): AppError {
  const message = `The body is nested deeper than ${DEPTH_MAX} levels. Send it with fewer levels.`;
  return new AppError("invalid", message, { code: "invalid_json" });
}

/** Bodies up to this size are not counted: a server busy with large ones continues to accept these. */
export const SMALL_BYTES = 65_536;

/**
 * Refuses (415) a body of any type other than `types`. A compressed body is refused too, because its size is known only
 * after decompression. A request without a body is accepted.
 */
export function requireMediaType(context: RequestContext, types: readonly string[]): void {
  const { "content-type": contentType, "content-encoding": encoding } = context.req.headers;
  if (!hasBody(context.req) && contentType === undefined) return;
  if (!types.includes(mediaType(contentType))) {
    throw new RefusedRequest(415, `The body has another type. Send it with Content-Type: ${types.join(" or ")}.`, {
      code: "unsupported_media_type",
    });
  }
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    throw new RefusedRequest(415, "The body is compressed. Send it without Content-Encoding.", {
      code: "unsupported_content_encoding",
    });
  }
}

/** Refuses (415) a body in any charset other than UTF-8. */
export function requireUtf8(context: RequestContext): void {
  const named = charset(context.req.headers["content-type"]);
  if (named !== undefined && named !== "utf-8" && named !== "utf8") {
    throw new RefusedRequest(415, "The body is in another charset. Send it in UTF-8.", { code: "unsupported_charset" });
  }
}

/** Sees each chunk of a body as it arrives, with the bytes so far. What it throws refuses the body. */
type LookAtChunk = (chunk: Buffer, bytes: number) => void;

/**
 * Reads a body of at most `bytesMax` as one piece, with the failures of `readChunks`. A large one is put together as it
 * arrives, or in turns, and has its own buffer.
 */
export async function readBytes(
  context: RequestContext,
  bytesMax: number,
  look: LookAtChunk = () => undefined,
): Promise<Buffer<ArrayBuffer>> {
  const declared = declaredBytes(context);
  if (declared > SMALL_BYTES && declared <= bytesMax) {
    const whole = new Whole(declared);
    await receive(context, bytesMax, { add: (chunk) => whole.add(chunk), look });
    return whole.all();
  }
  const chunks = new Chunks();
  await receive(context, bytesMax, { add: (chunk) => chunks.add(chunk), look });
  return joined(chunks.all());
}

/** Reads a body of at most `bytesMax`, within the budget. Fails (413, 408) if it is too large or too slow. */
export async function readChunks(context: RequestContext, bytesMax: number): Promise<readonly Buffer[]> {
  const chunks = new Chunks();
  await receive(context, bytesMax, { add: (chunk) => chunks.add(chunk), look: () => undefined });
  return chunks.all();
}

/** The size that the client has announced; 0 for none. */
function declaredBytes({ req }: RequestContext): number {
  return Number(req.headers["content-length"] ?? 0);
}

function receive(
  context: RequestContext,
  bytesMax: number,
  { add, look }: { readonly add: (chunk: Buffer) => void; readonly look: LookAtChunk },
): Promise<void> {
  const { req } = context;
  if (context.isOver) throw clientGone();
  const declared = declaredBytes(context);
  if (declared > bytesMax) throw tooLarge(bytesMax);
  occupy(context, declared);
  context.sendContinue();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const settle = () => {
      req.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      context.received();
    };
    const fail = (error: AppError) => {
      settle();
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        fail(tooLarge(bytesMax));
        return;
      }
      try {
        look(chunk, bytes);
        occupy(context, bytes);
        add(chunk);
      } catch (error) {
        fail(AppError.from(error));
      }
    };
    const onEnd = () => {
      settle();
      resolve();
    };
    const onGone = () => fail(clientGone());
    const onSlow = () => {
      context.abandoned = true;
      fail(
        new RefusedRequest(408, "The body did not arrive in time. Send the request again.", {
          code: "request_timeout",
        }),
      );
    };
    context.receiving(() => bytes, onSlow);
    req.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

/** The bytes of a body whose size is known. Memory is taken as it is filled. */
class Whole {
  private readonly bytes: Buffer<ArrayBuffer>;
  private used = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  add(chunk: Buffer): void {
    this.used += chunk.copy(this.bytes, this.used);
  }

  all(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(0, this.used);
  }
}

async function joined(chunks: readonly Buffer[]): Promise<Buffer<ArrayBuffer>> {
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  if (size <= SMALL_BYTES) return Buffer.concat(chunks);
  const whole = new Whole(size);
  const pace = new LoopPace();
  for (const chunk of chunks) {
    whole.add(chunk);
    await pace.step();
  }
  return whole.all();
}

/** Smaller chunks are copied together, if a body has more than a few. */
const SMALL_CHUNK_BYTES = 4096;
const FEW_CHUNKS = 16;
const BLOCK_BYTES = 65_536;

/**
 * The chunks of a body. A client may send each byte as its own chunk, of which every object takes a hundred times the
 * memory that the budget counts: small ones are therefore copied into blocks.
 */
class Chunks {
  private readonly chunks: Buffer[] = [];
  private block = Buffer.alloc(0);
  private used = 0;

  add(chunk: Buffer): void {
    if (chunk.length >= SMALL_CHUNK_BYTES || this.chunks.length < FEW_CHUNKS) {
      this.endBlock();
      this.chunks.push(chunk);
      return;
    }
    if (this.used + chunk.length > this.block.length) {
      this.endBlock();
      this.block = Buffer.allocUnsafe(BLOCK_BYTES);
    }
    this.used += chunk.copy(this.block, this.used);
  }

  all(): readonly Buffer[] {
    this.endBlock();
    return this.chunks;
  }

  /** The rest of the block takes the chunks that follow. */
  private endBlock(): void {
    if (this.used === 0) return;
    this.chunks.push(this.block.subarray(0, this.used));
    this.block = this.block.subarray(this.used);
    this.used = 0;
  }
}

/**
 * Takes the bytes of a body from the budget, all at once if its size is known, so that some of many large bodies get
 * through completely rather than each of them in part. They are released after the response.
 */
export function occupy(context: RequestContext, bytes: number): void {
  const missing = bytes - context.heldBytes;
  if (bytes > SMALL_BYTES && missing > 0) context.gateway.budget.take(context, missing);
}

/** The failure for a client that disconnected while it sent its body. */
export function clientGone(cause?: unknown): AppError {
  return new AppError("cancelled", "The client left before its body had arrived.", { cause });
}

/** The failure for a body of more than `bytesMax`. */
export function tooLarge(bytesMax: number): AppError {
  return new AppError(
    "too-large",
    `The body is larger than the ${bytesMax} bytes that are allowed. Send less at once.`,
    { code: "body_too_large" },
  );
}

/** Padding is followed by the next part of a text that was encoded in parts. */
const AFTER_PADDING = /(?<==)(?!=)/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a body in base64, which may have been encoded in parts that are each padded. Fails with AppError for
 * anything else.
 */
export async function* fromBase64(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of body) {
    const text =
      rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1").replace(/\s+/g, "");
    const end = text.length - (text.length % 4);
    rest = text.slice(end);
    for (const part of text.slice(0, end).split(AFTER_PADDING)) if (part !== "") yield decode(part);
  }
  if (rest !== "") yield decode(rest);
}

function decode(text: string): Uint8Array {
  // Only the last part of all may lack its padding.
  if (BASE64.test(text) && text.length % 4 !== 1) return Buffer.from(text, "base64");
  throw new AppError("invalid", "This is not base64. Encode it in base64, or send the bytes as they are.");
}
