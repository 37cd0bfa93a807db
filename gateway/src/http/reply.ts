import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import fresh from "fresh";
import type { HeaderList } from "./headers.js";

/** Parts of a body: strings made while it is sent, or bytes from a service. */
type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;

/** The response of a route. */
export interface Reply {
  readonly status: number;
  /** In addition to the headers of every response. */
  readonly headers?: HeaderList;
  /** JSON if absent. */
  readonly contentType?: string;
  readonly body?: string | Uint8Array | Pieces;
  /** Replaces the headers of every API response. */
  readonly baseHeaders?: HeaderList;
  /** Identifies the body, if it is known already. */
  readonly etag?: string;
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** A response with one short JSON value. */
export function jsonReply(status: number, value: unknown, headers?: HeaderList): Reply {
  const body = JSON.stringify(value);
  return headers === undefined ? { status, body } : { status, body, headers };
}

/** Whether the client has the bytes. A `Cache-Control` of the request is ignored: it is for caches on the way. */
export function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  return headers["if-none-match"] !== undefined && fresh({ "if-none-match": headers["if-none-match"] }, { etag });
}

/**
 * The answer to a reading request, with the ETag of its body: 304 if the client has that body. Others, such as failures
 * and what is sent in pieces without its own tag, stay as they are.
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
