import type { HeaderList } from "./headers.js";

/** Parts of a body: strings that are made while they are sent, or bytes that come from a service. */
export type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;

/** What a route answers. */
export interface Reply {
  readonly status: number;
  /** In addition to those of every answer. */
  readonly headers?: HeaderList;
  /** JSON when absent. */
  readonly contentType?: string;
  readonly body?: string | Uint8Array | Pieces;
  /** Instead of the headers of every API answer. */
  readonly baseHeaders?: HeaderList;
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** An answer that is one short JSON value. */
export function jsonReply(status: number, value: unknown, headers?: HeaderList): Reply {
  const body = JSON.stringify(value);
  return headers === undefined ? { status, body } : { status, body, headers };
}
