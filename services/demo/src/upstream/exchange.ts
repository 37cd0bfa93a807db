import type { IncomingHttpHeaders } from "node:http";

/** A request as a server got it. */
export interface UpstreamRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer of a server. A body that is neither a string nor bytes is sent as JSON, a bigint in it with all its digits. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}
