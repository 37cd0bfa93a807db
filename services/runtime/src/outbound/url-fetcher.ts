import { createHttpClient, type HttpAnswer, type HttpClientOptions } from "./http-client.js";
import { HttpFailure } from "./http-failure.js";
import type { PaceLimit } from "./pace.js";
import { UnreachableUrlError } from "./unreachable-url-error.js";

const BYTES_MAX = 100_000_000;
const TIMEOUT_MS = 30_000;
/** A site that sends less than so much in ten seconds would take a fetching place for as long as it likes. */
const PACE: PaceLimit = { bytes: 80 * 1024, everyMs: 10_000 };
/** Answers that may differ next time, beside those of 500 and above. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** As those of the HTTP client. Defaults: 100 MB, 30 s, 80 KiB in 10 s. */
export type UrlFetcherOptions = Pick<
  HttpClientOptions,
  "allowPrivateUrls" | "allowedHosts" | "bytesMax" | "timeoutMs" | "pace" | "redirectsMax" | "resolve" | "connect"
>;

/** A file on its way. Its time runs while the bytes are read: read them at once, or `close`. */
export interface Fetched {
  /** Where the file was found, after all redirects. */
  readonly url: string;
  /** In bytes, as far as the other side has said it. */
  readonly sizeStated: number | undefined;
  /**
   * To be read once. Throws UnreachableUrlError when the file is larger than allowed, late, too slow, or breaks off: then
   * what has been read is not the file.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Lets go of a file that is not (further) wanted. */
  close(): void;
}

export interface UrlFetcher {
  /**
   * Fetches a file of the public internet. Throws UnreachableUrlError for every reason why there is none; when `signal`
   * stops it, that signal's reason.
   */
  fetch(url: string, options?: { signal?: AbortSignal }): Promise<Fetched>;
}

interface Limits {
  bytesMax: number;
  timeoutMs: number;
}

/**
 * Fetches files that strangers name, by the HTTP client and its rules: uncompressed, since unpacking would let a few bytes
 * become many, and on a connection of its own.
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

/** The file, if the answer is one. */
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

/** A failure in the words of the person who named the URL. */
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
