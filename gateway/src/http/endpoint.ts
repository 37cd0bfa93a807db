import type { Quota } from "../errors.js";
import type { Call } from "./call.js";
import type { Reply } from "./reply.js";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

interface EndpointBase {
  readonly method: Method;
  /** As Express takes it, with `:id`. */
  readonly path: string;
  /** Product that the user's company must have active; `open`: no token needed. */
  readonly access: "open" | "api" | "insight";
  /** Bytes of a body at most, where that is less than the server's limit. */
  readonly bodyBytesMax?: number;
  /** Named in the headers when the service refuses because of too many. */
  readonly quota?: Quota;
}

/** A route: what it admits, and the work behind it. The body has been read, and is what `body` says. */
export type Endpoint = EndpointBase &
  (
    | { readonly body?: undefined; readonly handle: (call: Call) => Promise<Reply> | Reply }
    | {
        readonly body: "json";
        readonly handle: (call: Call, body: Record<string, unknown>) => Promise<Reply> | Reply;
      }
    | { readonly body: "ndjson"; readonly handle: (call: Call, body: string) => Promise<Reply> | Reply }
    /** The body is not read: the route does it. */
    | { readonly body: "multipart"; readonly handle: (call: Call) => Promise<Reply> | Reply }
  );
