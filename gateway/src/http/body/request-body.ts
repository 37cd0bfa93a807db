import { AppError } from "@hourglass/runtime";
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

/** Reads a body of at most `bytesMax` as one piece, with the failures of `readChunks`. */
export async function readBytes(exchange: Exchange, bytesMax: number): Promise<Buffer> {
  return Buffer.concat(await readChunks(exchange, bytesMax));
}

/** Reads a body of at most `bytesMax`, within the budget. Fails (413, 408) if it is too large or too slow. */
export function readChunks(exchange: Exchange, bytesMax: number): Promise<readonly Buffer[]> {
  const { req } = exchange;
  if (exchange.isOver) throw clientGone();
  const declared = Number(req.headers["content-length"] ?? 0);
  if (declared > bytesMax) throw tooLarge(bytesMax);
  occupy(exchange, declared);
  exchange.sendContinue();
  return new Promise((resolve, reject) => {
    const chunks = new Chunks();
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
      chunks.add(chunk);
      try {
        occupy(exchange, bytes);
      } catch (error) {
        fail(AppError.from(error));
      }
    };
    const onEnd = () => {
      settle();
      resolve(chunks.all());
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
