import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { AppError } from "@hourglass/runtime";
import Negotiator from "negotiator";
import parseRange from "range-parser";
import { codedTag, compressStream, preferredCoding, type ContentCoding } from "./compression.js";
import { RefusedRequest } from "./errors.js";
import type { HeaderList } from "./headers.js";
import { isKnown, type Reply } from "./reply.js";

/** Bytes from `start` to `end`, which is exclusive. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Bytes that can be downloaded. */
export interface Download {
  /** Size in bytes; undefined if it is known only after reading them, in which case ranges are not served. */
  readonly size: number | undefined;
  /** Identifies the bytes: changes whenever they do. */
  readonly tag: string;
  readonly contentType: string;
  /** False for formats that are compressed themselves. */
  readonly isCompressible: boolean;
  /** Sent in addition to those of every download. */
  readonly headers: HeaderList;
  /** Reads all bytes or a part. Fails if they have been replaced since. */
  read(part?: Part): AsyncIterable<Uint8Array>;
}

/**
 * The response with a download: all of it or a range, compressed as the client accepts, or 304 if the client has it.
 * Ranges are of the bytes that are not compressed. Fails with RefusedRequest 416 for a range beyond the end.
 */
export async function downloadReply(req: IncomingMessage, download: Download): Promise<Reply> {
  const part = wantedPart(req, download);
  const coding = part === undefined && download.isCompressible ? preferredCoding(req.headers) : "identity";
  const etag = codedTag(`"${download.tag}"`, coding);
  const headers = [
    ...download.headers,
    "ETag",
    etag,
    "Vary",
    "Accept, Accept-Encoding",
    "Accept-Ranges",
    download.size === undefined ? "none" : "bytes",
  ];
  if (isKnown(req, `"${download.tag}"`)) return { status: 304, headers };
  const bytes = req.method === "HEAD" ? nothing() : await begun(download.read(part));
  return {
    status: part === undefined ? 200 : 206,
    contentType: download.contentType,
    headers: [...headers, ...lengthOf(download, part, coding)],
    body: coding === "identity" || req.method === "HEAD" ? bytes : compressStream(bytes, coding),
  };
}

function lengthOf({ size }: Download, part: Part | undefined, coding: ContentCoding): string[] {
  if (coding !== "identity") return ["Content-Encoding", coding];
  if (size === undefined) return [];
  if (part === undefined) return ["Content-Length", String(size)];
  const { start, end } = part;
  return ["Content-Length", String(end - start), "Content-Range", `bytes ${start}-${end - 1}/${size}`];
}

/** The range that the client asks for; undefined for all: without one, with several, and if the client has other bytes. */
function wantedPart({ headers }: IncomingMessage, { size, tag }: Download): Part | undefined {
  const { range } = headers;
  const condition = headers["if-range"];
  if (range === undefined || !isInBytes(range) || size === undefined) return undefined;
  if (condition !== undefined && condition !== `"${tag}"`) return undefined;
  const parts = parseRange(size, withinSize(range, size));
  if (parts === UNSATISFIABLE) throw beyondTheEnd(size);
  const [only, ...others] = parts === MALFORMED ? [] : parts;
  return only === undefined || others.length > 0 ? undefined : { start: only.start, end: only.end + 1 };
}

/** RFC 9110: ranges in other units are ignored. */
function isInBytes(range: string): boolean {
  return /^bytes=/i.test(range);
}

/** A suffix range longer than the file selects all of it (RFC 9110), but the parser refuses it. */
function withinSize(range: string, size: number): string {
  return range.replace(/^bytes=-(\d+)$/i, (suffix, length: string) => (Number(length) > size ? "bytes=0-" : suffix));
}

const UNSATISFIABLE = -1;
const MALFORMED = -2;

function beyondTheEnd(size: number): RefusedRequest {
  return new RefusedRequest(416, `There are ${size} bytes. Ask for a range that begins before their end.`, {
    code: "range_not_satisfiable",
    headers: ["Content-Range", `bytes */${size}`],
  });
}

/** Waits for the first bytes, so that an error at the start still gets its status. A reader that stops early ends the reading. */
async function begun(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = bytes[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array, unknown> | undefined = await iterator.next();
  const next = async (): Promise<IteratorResult<Uint8Array, unknown>> => {
    const result = first ?? (await iterator.next());
    first = undefined;
    return result;
  };
  // No generator: one that has not begun, or is at the first bytes, would end without ending the reading.
  const rest: AsyncIterator<Uint8Array, unknown> = {
    next,
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => rest };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A response to HEAD has no body.
}

/** Tries again if the bytes were replaced between looking at them and reading them. */
export async function unlessReplaced(
  reply: () => Promise<Reply>,
  isReplaced: (error: AppError) => boolean,
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await reply();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof AppError) || !isReplaced(error)) throw error;
    }
  }
}

const ATTEMPTS = 3;

/** The type that the Accept header prefers, by its weights; the first if it accepts any, undefined if it accepts none. */
export function preferredType<T extends string>(headers: IncomingHttpHeaders, types: readonly T[]): T | undefined {
  const found = new Negotiator({ headers }).mediaType([...types]);
  return types.find((type) => type === found);
}
