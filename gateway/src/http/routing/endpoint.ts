import type { Quota } from "../errors.js";
import type { RecordKind } from "../exchange.js";
import type { Call } from "./call.js";
import type { Reply } from "../reply.js";

/** Maximum size of most requests, with room for all that their rules allow. In bytes. */
export const USUAL_BYTES_MAX = 262_144;

export type Method = "GET" | "POST" | "PUT" | "DELETE";

interface EndpointBase {
  readonly method: Method;
  /** Pattern in the syntax of Express, with `:id`. */
  readonly path: string;
  /** Product that must be active for the user's company; `open`: no token needed. */
  readonly access: "open" | "api" | "insight";
  /** Maximum size of a body in bytes, up to the server's limit. Default: that of JSON is USUAL_BYTES_MAX. */
  readonly bodyBytesMax?: number;
  /** What the id in the path, or of the created record, belongs to: names it in the request's log line. */
  readonly record?: RecordKind;
  /** Named in the headers if the service refuses with `too-many`. */
  readonly quota?: Quota;
}

/** A route: its admission rules and its handler. The body has already been read as `body` says. */
export type Endpoint = EndpointBase &
  (
    | { readonly body?: undefined; readonly handle: (call: Call) => Promise<Reply> | Reply }
    | {
        readonly body: "json";
        readonly handle: (call: Call, body: Record<string, unknown>) => Promise<Reply> | Reply;
      }
    | {
        readonly body: "chunks";
        /** Media types of the body, which is text in UTF-8. */
        readonly types: readonly string[];
        readonly handle: (call: Call, body: readonly Uint8Array[]) => Promise<Reply> | Reply;
      }
    /** The body is not read; the route reads it. */
    | { readonly body: "multipart"; readonly handle: (call: Call) => Promise<Reply> | Reply }
  );
