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
  /** What of the record can be changed: the beginning of its ETag, which `If-Match` compares. */
  readonly revision?: string;
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
 * The answer to a creation, with the path of what was created. The only place that says that it is the answer to an earlier
 * request with the same idempotency key.
 */
export function creationReply(
  status: 200 | 201,
  value: unknown,
  { replayed, location }: { readonly replayed: boolean; readonly location?: string },
): Reply {
  const headers = [
    ...(location === undefined ? [] : ["Location", location]),
    ...(replayed ? ["Idempotent-Replayed", "true"] : []),
  ];
  return jsonReply(status, value, headers);
}

/**
 * Whether the client has what the ETag identifies, in whichever coding. A `Cache-Control` of the request is ignored: it is for
 * caches on the way.
 */
export function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers["if-none-match"];
  return known !== undefined && tagsOf(etag).some((tag) => fresh({ "if-none-match": known }, { etag: tag }));
}

/**
 * A strong tag: equal tags are of equal bytes. Of a record that can be changed it begins with its revision, which stays the
 * same while the rest of the record, such as its counts, does not.
 */
export function etagOf(body: string | Uint8Array, revision = ""): string {
  const digest = createHash("sha1").update(body).digest("base64url");
  return revision === "" ? `"${digest}"` : `"${revision}${REVISION_END}${digest}"`;
}

/** What stands behind the revision in a tag. */
export const REVISION_END = ".";

/**
 * The answer to a change of a record, with the tag that the next change names: of the revision alone, since the body is not
 * that of the record.
 */
export function changedReply(value: unknown, revision: string): Reply {
  return jsonReply(200, value, ["ETag", `"${revision}"`]);
}
