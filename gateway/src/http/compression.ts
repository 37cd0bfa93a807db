import type { IncomingHttpHeaders } from "node:http";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import Negotiator from "negotiator";

/** How a body may be compressed; `identity` is not compressed. */
export type ContentCoding = "br" | "gzip" | "identity";

/** A coding that changes the bytes. */
type Compression = Exclude<ContentCoding, "identity">;

const CODINGS: readonly ContentCoding[] = ["br", "gzip", "identity"];

/** The coding that the Accept-Encoding header prefers; `identity` without one, and if it accepts none. */
export function preferredCoding(headers: IncomingHttpHeaders): ContentCoding {
  if (headers["accept-encoding"] === undefined) return "identity";
  const found = new Negotiator({ headers }).encoding([...CODINGS]);
  return CODINGS.find((coding) => coding === found) ?? "identity";
}

/** The ETag of a body in a coding, since its bytes differ; a weak one is of what the bytes say, in any coding. */
export function codedTag(etag: string, coding: ContentCoding): string {
  return coding === "identity" || etag.startsWith("W/") ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

/** The ETags of a body in all codings. */
export function tagsOf(etag: string): string[] {
  return CODINGS.map((coding) => codedTag(etag, coding));
}

/** Above these levels, compressing takes longer than most clients need to receive what it saves. */
const GZIP = { level: 5 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** Compresses a whole body, outside of the event loop. */
export function compressWhole(body: string | Uint8Array, coding: Compression): Promise<Buffer> {
  return coding === "gzip" ? gzipped(body, GZIP) : brotlied(body, BROTLI);
}

/** Compresses bytes at the pace of their reader. An error of the source becomes one of the result. */
export function compressStream(
  bytes: AsyncIterable<Uint8Array> | Iterable<string>,
  coding: Compression,
): AsyncIterable<Uint8Array> {
  const encoder = coding === "gzip" ? createGzip(GZIP) : createBrotliCompress(BROTLI);
  // An error is passed on to the encoder, and its end to the source.
  pipeline(Readable.from(bytes), encoder, () => undefined);
  return encoder;
}
