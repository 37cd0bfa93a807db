import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import fresh from "fresh";
import type { Reply } from "../reply.js";

/** Whether the client has the bytes. A `Cache-Control` of the request is ignored: it is for caches on the way. */
export function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  return headers["if-none-match"] !== undefined && fresh({ "if-none-match": headers["if-none-match"] }, { etag });
}

/**
 * The answer to a reading request, with the ETag of its body: 304 if the client has that body. Others, such as failures
 * and what is sent in pieces without a tag of its own, stay as they are.
 */
export function revalidated(req: IncomingMessage, reply: Reply): Reply {
  const { status, body, headers = [], baseHeaders } = reply;
  if (status !== 200 || baseHeaders !== undefined) return reply;
  const isWhole = typeof body === "string" || body instanceof Uint8Array;
  const etag = reply.etag ?? (isWhole ? etagOf(body) : undefined);
  if (etag === undefined) return reply;
  const tagged = [...headers, "ETag", etag];
  return isKnown(req, etag) ? { status: 304, headers: tagged } : { ...reply, headers: tagged };
}

/** A strong tag: equal tags are of equal bytes. */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash("sha1").update(body).digest("base64url")}"`;
}
