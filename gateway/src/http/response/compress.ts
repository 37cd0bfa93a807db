import { pipeline, Readable } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { ContentCoding } from "./negotiate.js";

/** Above these levels, compressing takes longer than most clients need to receive what it saves. */
const GZIP_LEVEL = 5;
const BROTLI_QUALITY = 4;

/** Compresses bytes at the pace of their reader. An error of the source becomes one of the result. */
export function compress(
  bytes: AsyncIterable<Uint8Array>,
  coding: Exclude<ContentCoding, "identity">,
): AsyncIterable<Uint8Array> {
  const encoder =
    coding === "gzip"
      ? createGzip({ level: GZIP_LEVEL })
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  // An error is passed on to the encoder, and its end to the source.
  pipeline(Readable.from(bytes), encoder, () => undefined);
  return encoder;
}
