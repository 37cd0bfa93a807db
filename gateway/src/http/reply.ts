import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import fresh from "fresh";
import { tagsOf } from "./compression.js";
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
  /** The same body is sent often: its compressed bytes are worth their room. */
  readonly isKept?: boolean;
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** A response with one short JSON value. */
export function jsonReply(status: number, value: unknown, headers?: HeaderList): Reply {
  const body = JSON.stringify(value);
  return headers === undefined ? { status, body } : { status, body, headers };
}

/**
 * Whether the client has what the ETag identifies, in whichever coding. A `Cache-Control` of the request is ignored: it is for
 * caches on the way.
 */
export function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers["if-none-match"];
  return known !== undefined && tagsOf(etag).some((tag) => fresh({ "if-none-match": known }, { etag: tag }));
}

/** A strong tag: equal tags are of equal bytes. */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash("sha1").update(body).digest("base64url")}"`;
}
