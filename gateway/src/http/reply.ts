import type { HeaderList } from "./headers.js";

/** Parts of a body: strings made while it is sent, or bytes from a service. */
export type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;

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
