import { HttpFailure } from "./http-attempt.js";
import { createHttpClient, type HttpAnswer, type HttpClientOptions } from "./http-client.js";
import type { PaceLimit } from "./response-body.js";

const BYTES_MAX = 100_000_000;
const TIMEOUT_MS = 30_000;
/** Minimum rate, so that a slow site does not occupy a fetch slot indefinitely. */
const PACE: PaceLimit = { bytes: 80 * 1024, everyMs: 10_000 };
/** Temporary statuses, in addition to those from 500. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Options of the HTTP client. Defaults: 100 MB, 30 s, 80 KiB per 10 s. */
export type UrlFetcherOptions = Pick<
  HttpClientOptions,
  "allowPrivateUrls" | "allowedHosts" | "bytesMax" | "timeoutMs" | "pace" | "redirectsMax" | "resolve" | "connect"
>;

/** A file being fetched. The time limit includes reading the bytes: read them at once, or call `close`. */
export interface Fetched {
  /** The final URL after all redirects. */
  readonly url: string;
  /** In bytes; undefined if the server did not state it. */
  readonly sizeStated: number | undefined;
  /**
   * Can be read once. Throws UnreachableUrlError if the file is too large, late, too slow or incomplete; the bytes read
   * so far are then not the file.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Discards the rest of the file. */
  close(): void;
}

export interface UrlFetcher {
  /**
   * Fetches a file from the public internet. Throws UnreachableUrlError for any failure, or the reason of `signal` if
   * it aborts the fetch.
   */
  fetch(url: string, options?: { signal?: AbortSignal }): Promise<Fetched>;
}

interface Limits {
  bytesMax: number;
  timeoutMs: number;
}

/**
 * Fetches files from untrusted URLs with the HTTP client and its rules: uncompressed, because decompression could turn
 * a few bytes into many, and on a separate connection each.
 */
export function createUrlFetcher(options: UrlFetcherOptions = {}): UrlFetcher {
  const settings = { bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS, pace: PACE, ...options };
  const client = createHttpClient({ ...settings, compressed: false, connectionsMax: 0 });
  return {
    fetch: async (url, request = {}) => {
      const { host } = URL.canParse(url) ? new URL(url) : { host: "" };
      const inWords = (error: unknown): unknown => toUnreachable(error, host, settings);
      try {
        return accept(await client.request(url, request), host, inWords);
      } catch (error) {
        throw inWords(error);
      }
    },
  };
}

/** The file, if the response contains one. */
function accept(answer: HttpAnswer, host: string, inWords: (error: unknown) => unknown): Fetched {
  const { url, status, headers, body } = answer;
  if (status !== 200 && status !== 203) {
    answer.close();
    const permanent = status < 500 && !PASSING.has(status);
    throw new UnreachableUrlError(`${host} answered with HTTP status ${status} instead of the file.`, { permanent });
  }
  const stated = headers["content-length"];
  const sizeStated = stated === undefined ? undefined : Number(stated);
  return { url, sizeStated, bytes: bytesOf(body, inWords), close: () => answer.close() };
}

async function* bytesOf(
  body: AsyncIterable<Uint8Array>,
  inWords: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw inWords(error);
  }
}

/** A failure worded for the person who gave the URL. */
function toUnreachable(error: unknown, host: string, limits: Limits): unknown {
  if (!(error instanceof HttpFailure)) return error;
  return new UnreachableUrlError(sentenceFor(error, host, limits), { permanent: error.permanent, cause: error });
}

function sentenceFor(failure: HttpFailure, host: string, { bytesMax, timeoutMs }: Limits): string {
  switch (failure.kind) {
    case "slow":
      return `The file at ${host} came too slowly. Name a faster site, or upload the file.`;
    case "deadline":
      return `The file at ${host} was not there within ${Math.ceil(timeoutMs / 1000)} s.`;
    case "too-large":
      return `The file at ${host} is larger than ${Math.floor(bytesMax / 1_000_000)} MB.`;
    case "bad-encoding":
      return `${host} sends the file compressed, which was not asked for.`;
    default:
      return failure.message;
  }
}

/**
 * A URL from which no file could be fetched. `message` is one sentence for the person who gave the URL; it reveals
 * nothing about the server's network, not even whether an internal name exists.
 */
export class UnreachableUrlError extends Error {
  override readonly name = "UnreachableUrlError";
  /** Whether a retry with the same URL would fail in the same way. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent;
  }
}
