import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { constants, gunzip } from "node:zlib";
import { type HttpAnswer, type HttpClient, HttpFailure, type HttpRequest } from "@hourglass/runtime";
import type { NoFeedReason } from "./read-feed.js";
import type { FeedProblem, FeedRecord } from "./store.js";

/** Bytes of a document after decompression. */
const BYTES_MAX = 5 * 1024 * 1024;
const ACCEPT =
  "application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml;q=0.9, " +
  "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, */*;q=0.1";

/** Statements of the answer about its lifetime. */
export interface Freshness {
  readonly cacheControl?: string | undefined;
  readonly age?: string | undefined;
  readonly retryAfter?: string | undefined;
}

/** What a server answers for a feed. */
export type FeedAnswer =
  | {
      readonly kind: "document";
      readonly bytes: Uint8Array;
      readonly contentType: string | undefined;
      readonly at: FeedAt;
    }
  | { readonly kind: "unchanged"; readonly at: FeedAt }
  | { readonly kind: "problem"; readonly problem: FeedProblem; readonly at: FeedAt };

/** Where and how a feed stands. */
export interface FeedAt {
  /** Address to use from now on. */
  readonly address: string;
  /** Address of this answer. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly freshness: Freshness;
}

/**
 * Fetches a feed, unless it is unchanged since the record's validators. Failures of the server are answers; throws only
 * the reason of the signal.
 */
export async function fetchFeed(http: HttpClient, record: FeedRecord, signal: AbortSignal): Promise<FeedAnswer> {
  if (record.address.startsWith("file:")) return readLocal(record);
  try {
    const answer = await http.request(record.address, requestFor(record, signal));
    return await answerOf(answer);
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    return { kind: "problem", problem: problemOfFailure(error), at: unmoved(record) };
  }
}

/** The validators go back exactly as they came. */
function requestFor({ etag, lastModified }: FeedRecord, signal: AbortSignal): HttpRequest {
  return {
    headers: {
      Accept: ACCEPT,
      ...(etag === null ? {} : { "If-None-Match": etag }),
      ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
    },
    signal,
  };
}

async function answerOf(answer: HttpAnswer): Promise<FeedAnswer> {
  const at = placeOf(answer);
  if (answer.status === 200) {
    const bytes = await bytesOf(answer);
    if (bytes === undefined) return { kind: "problem", problem: tooLarge(BYTES_MAX), at };
    return { kind: "document", bytes, contentType: answer.headers["content-type"], at };
  }
  answer.close();
  if (answer.status === 304) return { kind: "unchanged", at };
  return { kind: "problem", problem: problemOfStatus(answer.status), at };
}

function placeOf({ url, permanentUrl, headers }: HttpAnswer): FeedAt {
  return {
    address: permanentUrl,
    url,
    etag: headers.etag ?? null,
    lastModified: headers["last-modified"] ?? null,
    freshness: { cacheControl: headers["cache-control"], age: headers.age, retryAfter: headers["retry-after"] },
  };
}

/** Undefined if there are too many. */
async function bytesOf(answer: HttpAnswer): Promise<Uint8Array | undefined> {
  const bytes = await bytesReceived(answer);
  return bytes === undefined ? undefined : unpacked(bytes);
}

/** A document that is packed and does not say so, such as a file `feed.xml.gz`. Undefined if it is too large. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    // One that breaks off is unpacked up to there.
    return await promisify(gunzip)(bytes, { maxOutputLength: BYTES_MAX, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge ? undefined : bytes;
  }
}

async function bytesReceived(answer: HttpAnswer): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A file of the operator. */
async function readLocal(record: FeedRecord): Promise<FeedAnswer> {
  const at = unmoved(record);
  try {
    const path = fileURLToPath(record.address);
    if ((await stat(path)).size > BYTES_MAX) return { kind: "problem", problem: tooLarge(BYTES_MAX), at };
    const bytes = await unpacked(await readFile(path));
    if (bytes === undefined) return { kind: "problem", problem: tooLarge(BYTES_MAX), at };
    return { kind: "document", bytes, contentType: undefined, at };
  } catch {
    const message = "Its file cannot be read. The operator of this server must make it readable.";
    return { kind: "problem", problem: { kind: "refused", message }, at };
  }
}

function unmoved({ address, etag, lastModified }: FeedRecord): FeedAt {
  return { address, url: address, etag, lastModified, freshness: {} };
}

const WHY_NO_FEED: Readonly<Record<NoFeedReason, string>> = {
  html: "It is a web page, not a feed. Give the address of the feed itself.",
  empty: "Its document is empty. Check the address.",
  unknown: "It is neither RSS nor Atom nor JSON Feed. Give the address of a feed.",
  broken: "Its document is broken and cannot be read. Tell its publisher, or give another feed.",
  exhausting: "Its document takes too much time or memory to read. Give another feed.",
};

/** The document is no feed. */
export function problemOfDocument(reason: NoFeedReason): FeedProblem {
  return { kind: "refused", message: WHY_NO_FEED[reason] };
}

/** The document is larger than is read. */
function tooLarge(bytesMax: number): FeedProblem {
  return { kind: "refused", message: `It is larger than ${bytesMax} bytes. Give a shorter feed.` };
}

/** The server answered with another status than 200 and 304. */
function problemOfStatus(status: number): FeedProblem {
  if (status === 410)
    return { kind: "gone", message: "It has ended (410), as its server says. It is tried once a week." };
  if (status === 404) return { kind: "refused", message: "There is no such feed (404). Check the address." };
  if (status === 401 || status === 403) {
    return {
      kind: "refused",
      message: `Its server refuses to give it out (${status}). Give a feed that anyone may read.`,
    };
  }
  if (status === 429) return { kind: "busy", message: "Its server asks to be asked less often (429)." };
  if (status >= 500 || status === 408 || status === 425) {
    return { kind: "temporary", message: `Its server fails (${status}). It will be retried.` };
  }
  return { kind: "refused", message: `Its server answers with status ${status} instead of a feed. Check the address.` };
}

/** There was no answer. */
function problemOfFailure(failure: HttpFailure): FeedProblem {
  // A host that is unknown or not trustworthy today may be repaired, but not soon.
  return { kind: failure.permanent ? "refused" : "temporary", message: failure.message };
}
