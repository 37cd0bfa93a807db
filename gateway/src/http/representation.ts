import type { IncomingMessage } from "node:http";
import { codedTag, compressStream, compressWhole, preferredCoding, type ContentCoding } from "./compression.js";
import { etagOf, isKnown, JSON_TYPE, type Reply } from "./reply.js";
import { inLargePieces } from "./respond.js";
import type { CachedBody, CachePart, ResponseCache } from "./response-cache.js";

/** A shorter body would hardly get smaller. In characters. */
const COMPRESSED_LENGTH_MIN = 1024;

/**
 * The form of an answer that its client gets: compressed if it asks for that, and nothing if it has the body already.
 * Compressed bytes of bodies that are sent often are kept.
 */
export class Representations {
  private readonly kept: CachePart<string, CachedBody>;

  constructor(cache: ResponseCache) {
    this.kept = cache.part();
  }

  /**
   * The answer to a request. What is read gets the ETag of its body: it is 304 if the client has that. Others, such as
   * failures, and what is sent in pieces without its own tag, get none. A download has its own form already.
   */
  of(req: IncomingMessage, reply: Reply, isRead: boolean): Reply | Promise<Reply> {
    const { status, body, headers = [], baseHeaders, revision } = reply;
    if (body === undefined || baseHeaders !== undefined) return reply;
    const isWhole = typeof body === "string" || body instanceof Uint8Array;
    if (!isWhole && Symbol.asyncIterator in body) return reply;
    const coding = isCompressible(reply) ? preferredCoding(req.headers) : undefined;
    const vary = coding === undefined || headers.includes("Vary") ? [] : VARY;
    const isTagged = status === 200 && (isRead || reply.etag !== undefined);
    const etag = isTagged ? (reply.etag ?? (isWhole ? etagOf(body, revision) : undefined)) : undefined;
    const tag = etag === undefined ? undefined : codedTag(etag, coding ?? "identity");
    const tagged = tag === undefined ? [...headers, ...vary] : [...headers, ...vary, "ETag", tag];
    if (etag !== undefined && isKnown(req, etag)) return { status: 304, headers: tagged };
    if (coding === undefined || coding === "identity") return { ...reply, headers: tagged };
    const coded = { ...reply, headers: [...tagged, "Content-Encoding", coding] };
    if (!isWhole) return { ...coded, body: compressStream(inLargePieces(body[Symbol.iterator]()), coding) };
    return this.compressed(body, { coding, key: reply.isKept === true ? tag : undefined }).then((bytes) => ({
      ...coded,
      body: bytes,
    }));
  }

  private async compressed(
    body: string | Uint8Array,
    { coding, key }: { readonly coding: Exclude<ContentCoding, "identity">; readonly key: string | undefined },
  ): Promise<Uint8Array> {
    const known = key === undefined ? undefined : this.kept.get(key);
    if (known !== undefined) return known.body;
    const bytes = await compressWhole(body, coding);
    if (key !== undefined) this.kept.set(key, { body: bytes });
    return bytes;
  }
}

const VARY = ["Vary", "Accept-Encoding"];

/** JSON that is not short. What is sent in pieces is long. */
function isCompressible({ contentType, body }: Reply): boolean {
  if (contentType !== undefined && contentType !== JSON_TYPE) return false;
  if (typeof body === "string" || body instanceof Uint8Array) return body.length >= COMPRESSED_LENGTH_MIN;
  return true;
}
