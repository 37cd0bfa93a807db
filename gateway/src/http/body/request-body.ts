import { AppError, LoopPace } from "@hourglass/runtime";
import { RefusedRequest } from "../errors.js";
import type { Exchange } from "../exchange.js";
import { charset, mediaType } from "./media-type.js";
import { hasBody } from "../request-headers.js";

/** Bodies up to this size are not counted: a server busy with large ones continues to accept these. */
export const SMALL_BYTES = 65_536;

/**
 * Refuses (415) a body of any type other than `types`. A compressed body is refused too, because its size is known only
 * after decompression. A request without a body is accepted.
 */
export function requireMediaType(exchange: Exchange, types: readonly string[]): void {
  const { "content-type": contentType, "content-encoding": encoding } = exchange.req.headers;
  if (!hasBody(exchange.req) && contentType === undefined) return;
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
export function requireUtf8(exchange: Exchange): void {
  const named = charset(exchange.req.headers["content-type"]);
  if (named !== undefined && named !== "utf-8" && named !== "utf8") {
    throw new RefusedRequest(415, "The body is in another charset. Send it in UTF-8.", { code: "unsupported_charset" });
  }
}

/** Sees each chunk of a body as it arrives, with the bytes so far. What it throws refuses the body. */
export type LookAtChunk = (chunk: Buffer, bytes: number) => void;

/**
 * Reads a body of at most `bytesMax` as one piece, with the failures of `readChunks`. A large one is put together as it
 * arrives, or in turns, and has a buffer of its own.
 */
export async function readBytes(
  exchange: Exchange,
  bytesMax: number,
  look: LookAtChunk = () => undefined,
): Promise<Buffer<ArrayBuffer>> {
  const declared = declaredBytes(exchange);
  if (declared > SMALL_BYTES && declared <= bytesMax) {
    const whole = new Whole(declared);
    await receive(exchange, bytesMax, { add: (chunk) => whole.add(chunk), look });
    return whole.all();
  }
  const chunks = new Chunks();
  await receive(exchange, bytesMax, { add: (chunk) => chunks.add(chunk), look });
  return joined(chunks.all());
}

/** Reads a body of at most `bytesMax`, within the budget. Fails (413, 408) if it is too large or too slow. */
export async function readChunks(exchange: Exchange, bytesMax: number): Promise<readonly Buffer[]> {
  const chunks = new Chunks();
  await receive(exchange, bytesMax, { add: (chunk) => chunks.add(chunk), look: () => undefined });
  return chunks.all();
}

/** The size that the client has announced; 0 for none. */
function declaredBytes({ req }: Exchange): number {
  return Number(req.headers["content-length"] ?? 0);
}

function receive(
  exchange: Exchange,
  bytesMax: number,
  { add, look }: { readonly add: (chunk: Buffer) => void; readonly look: LookAtChunk },
): Promise<void> {
  const { req } = exchange;
  if (exchange.isOver) throw clientGone();
  const declared = declaredBytes(exchange);
  if (declared > bytesMax) throw tooLarge(bytesMax);
  occupy(exchange, declared);
  exchange.sendContinue();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const settle = () => {
      req.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      exchange.received();
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
        occupy(exchange, bytes);
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
      exchange.abandoned = true;
      fail(
        new RefusedRequest(408, "The body did not arrive in time. Send the request again.", {
          code: "request_timeout",
        }),
      );
    };
    exchange.receiving(() => bytes, onSlow);
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
 * The chunks of a body. A client may send each byte as a chunk of its own, of which every object takes a hundred times the
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

  /** What is left of a block is used on. */
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
export function occupy(exchange: Exchange, bytes: number): void {
  const missing = bytes - exchange.heldBytes;
  if (bytes > SMALL_BYTES && missing > 0) exchange.context.budget.take(exchange, missing);
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
