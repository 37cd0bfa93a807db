import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Attempt, HttpFailure } from "./http-attempt.js";

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};
/** Codings that cannot be unpacked here. Any other name, such as `utf-8`, is not a coding and is ignored. */
const UNREADABLE: ReadonlySet<string> = new Set(
  "compress x-compress zstd dcb dcz exi pack200-gzip aes128gcm".split(" "),
);
const CODINGS_MAX = 3;
const BODYLESS: ReadonlySet<number> = new Set([204, 304]);

/** The body of a response and its limits. */
export interface BodyOptions {
  response: IncomingMessage;
  attempt: Attempt;
  method: string;
  /** Whether the request allowed a compressed body. */
  compressed: boolean;
  /** After decompression. */
  bytesMax: number;
  /** Minimum rate, counted after decompression. */
  pace: PaceLimit | undefined;
}

/** Throws HttpFailure if the stated size is over the limit or the encoding was not requested. */
export function checkBody({ response, attempt, bytesMax, ...options }: BodyOptions): void {
  const codings = codingsOf({ response, ...options });
  const isAccepted =
    options.compressed && codings.length <= CODINGS_MAX && codings.every((coding) => coding in DECODERS);
  if (codings.length > 0 && !isAccepted) {
    throw new HttpFailure(
      "bad-encoding",
      `${attempt.host} sends its answer compressed in a way that was not asked for.`,
    );
  }
  if (sizeStated(response, options.method) > bytesMax) throw tooLarge(attempt, bytesMax);
}

/**
 * The decompressed body. Ends the attempt when it has been read or abandoned. Throws HttpFailure if it is too large,
 * late, too slow, wrongly compressed or incomplete.
 */
export async function* readBody(options: BodyOptions): AsyncGenerator<Uint8Array> {
  const { response, attempt, bytesMax } = options;
  const pace = options.pace === undefined ? undefined : new Pace(options.pace, () => attempt.endSlow());
  let size = 0;
  let isWhole = false;
  try {
    checkBody(options);
    pace?.wait();
    for await (const chunk of unpacked(options)) {
      pace?.received(chunk.length);
      size += chunk.length;
      if (size > bytesMax) throw tooLarge(attempt, bytesMax);
      yield chunk;
      pace?.wait();
    }
    if (!response.complete || attempt.signal.aborted) throw new Error("The answer ended before its end.");
    isWhole = true;
  } catch (error) {
    throw isUnpackingFailure(error)
      ? new HttpFailure("bad-encoding", `The answer of ${attempt.host} cannot be unpacked.`, error)
      : attempt.failure(error);
  } finally {
    pace?.end();
    // After a complete body, the connection is kept for the next request.
    if (isWhole) attempt.release();
    else attempt.cancel();
  }
}

function tooLarge({ host }: Attempt, bytesMax: number): HttpFailure {
  return new HttpFailure("too-large", `The answer of ${host} is larger than ${bytesMax} bytes.`);
}

function unpacked(options: BodyOptions): AsyncIterable<Uint8Array> {
  const { response } = options;
  const decoders = codingsOf(options).map((coding) => DECODERS[coding]!());
  if (decoders.length === 0) return response as AsyncIterable<Uint8Array>;
  // The reader gets a failure through the stream that it reads.
  return pipeline([response, ...decoders], () => undefined) as unknown as AsyncIterable<Uint8Array>;
}

/** The codings of the body, the outermost first. */
function codingsOf({ response, method }: Pick<BodyOptions, "response" | "method">): string[] {
  if (method === "HEAD" || BODYLESS.has(response.statusCode ?? 0)) return [];
  const stated = (response.headers["content-encoding"] ?? "").toLowerCase().split(",");
  const codings = stated.map((coding) => coding.trim());
  return codings.filter((coding) => Object.hasOwn(DECODERS, coding) || UNREADABLE.has(coding)).reverse();
}

/** In bytes; 0 if no size is stated or there is no body. */
function sizeStated(response: IncomingMessage, method: string): number {
  if (method === "HEAD" || BODYLESS.has(response.statusCode ?? 0)) return 0;
  return Number(response.headers["content-length"] ?? 0);
}

function isUnpackingFailure(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  return /^(Z_|ERR__ERROR_|ERR_PADDING|ERR_BROTLI|ERR__)/.test(String(error.code));
}

/** Minimum amount to be received. */
export interface PaceLimit {
  bytes: number;
  /** Per this much time spent waiting for the bytes, in milliseconds. */
  everyMs: number;
}

/** Detects a sender that is too slow. Only the time in which the reader waits counts, not the time it is busy. */
class Pace {
  private bytes = 0;
  private waitedMs = 0;
  private waitingSince = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `onSlow` is called at most once. */
  constructor(
    private readonly limit: PaceLimit,
    private readonly onSlow: () => void,
  ) {}

  /** The reader starts to wait. */
  wait(): void {
    this.waitingSince = performance.now();
    this.timer = setTimeout(() => this.check(), this.limit.everyMs - this.waitedMs);
  }

  /** `bytes` were received; the reader is busy with them. */
  received(bytes: number): void {
    clearTimeout(this.timer);
    this.bytes += bytes;
    this.waitedMs += performance.now() - this.waitingSince;
    if (this.waitedMs < this.limit.everyMs) return;
    if (this.bytes < this.limit.bytes) this.onSlow();
    this.begin();
  }

  /** Stops watching. */
  end(): void {
    clearTimeout(this.timer);
  }

  private begin(): void {
    this.bytes = 0;
    this.waitedMs = 0;
  }

  private check(): void {
    if (this.bytes < this.limit.bytes) {
      this.onSlow();
      return;
    }
    this.begin();
    this.wait();
  }
}
