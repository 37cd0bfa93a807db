import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { AppError, lengthMaxOf, type CallOptions } from "@hourglass/runtime";
import { ObjectReader, string, type Violations } from "@hourglass/runtime/json";
import { parseId, wholeNumber, type PageQuery } from "../json/fields.js";
import type { Quota } from "./errors.js";
import type { Reply } from "./reply.js";
import type { RecordKind, RequestContext } from "./request-context.js";

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
    | { readonly body?: undefined; readonly handle: (context: RouteContext) => Promise<Reply> | Reply }
    | {
        readonly body: "json";
        readonly handle: (context: RouteContext, body: Record<string, unknown>) => Promise<Reply> | Reply;
      }
    | {
        readonly body: "chunks";
        /** Media types of the body, which is text in UTF-8. */
        readonly types: readonly string[];
        readonly handle: (context: RouteContext, body: readonly Uint8Array[]) => Promise<Reply> | Reply;
      }
    /** The body is not read; the route reads it. */
    | { readonly body: "multipart"; readonly handle: (context: RouteContext) => Promise<Reply> | Reply }
  );

/** A service that has not answered within this time counts as unavailable. In milliseconds. */
export const ANSWER_TIMEOUT_MS = 15_000;
const PRINTABLE = /^[\x20-\x7e]+$/;
/** All requests with a key have the same limit. */
const KEY_LENGTH_MAX = lengthMaxOf(CreateOperationRequestSchema, "idempotency_key");

const NO_PARAMETERS = new URLSearchParams();

/** An admitted request, as the routes see it. */
export class RouteContext {
  private parsed: URLSearchParams | undefined;

  constructor(readonly request: RequestContext) {}

  /** The id in the path. Fails with AppError `not-found` if it is not a valid id. */
  get pathId(): bigint {
    const id = parseId(this.request.params.id ?? "");
    if (id !== undefined) return this.concerns(id);
    throw new AppError("not-found", "There is no record with such an id. Ids are positive whole numbers.");
  }

  /** Names the record that the request created or is about in its log line. Returns the id. */
  concerns(id: bigint): bigint {
    this.request.recordId = id;
    return id;
  }

  /** The name of a file in the path. */
  get pathAsset(): string {
    return this.request.params.asset ?? "";
  }

  /** The token in the path, of a route that needs no other. */
  get pathToken(): string {
    return this.request.params.token ?? "";
  }

  /** Whether the request has a query string, which may be empty. */
  get hasQuery(): boolean {
    return this.request.req.url?.includes("?") === true;
  }

  /** Reads the query string; the last of several equal names counts. */
  query(violations: Violations): ObjectReader {
    const { parameters } = this;
    return new ObjectReader(parameters.size === 0 ? {} : Object.fromEntries(parameters), "", violations);
  }

  /** All values of a name in the query string; it may be repeated, and a comma separates values as well. */
  queryValues(name: string): string[] {
    const values = this.parameters.getAll(name).flatMap((value) => value.split(","));
    return values.map((value) => value.trim()).filter((value) => value !== "");
  }

  private get parameters(): URLSearchParams {
    const url = this.request.req.url ?? "";
    const start = url.indexOf("?");
    return (this.parsed ??= start < 0 ? NO_PARAMETERS : new URLSearchParams(url.slice(start)));
  }

  /** The `limit` and `cursor` of a list. */
  page(query: ObjectReader): PageQuery {
    const limit = query.optional("limit", wholeNumber);
    const cursor = query.optional("cursor", string);
    return { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) };
  }

  /** The client's idempotency key; empty without one. */
  get idempotencyKey(): string {
    const key = this.request.req.headers["idempotency-key"];
    if (key === undefined) return "";
    if (typeof key === "string" && key.length <= KEY_LENGTH_MAX && PRINTABLE.test(key)) return key;
    const message = `Give a key of 1 to ${KEY_LENGTH_MAX} printable ASCII characters.`;
    throw AppError.invalid([{ field: "Idempotency-Key", message }]);
  }

  /** Options for a service call. */
  options(timeoutMs = ANSWER_TIMEOUT_MS): CallOptions {
    return { token: this.request.token, requestId: this.request.requestId, timeoutMs };
  }

  /** Options for a call that lasts as long as the client sends; `signal` ends it. */
  streamOptions(signal: AbortSignal): CallOptions {
    return { token: this.request.token, requestId: this.request.requestId, signal };
  }

  /**
   * Reads a record, possibly waiting for it, by `read(wait, options)`. If the gateway stops in the meantime, the
   * current state of the record is returned.
   */
  async waitFor<T>(waitSeconds: number, read: (wait: number, options: CallOptions) => Promise<T>): Promise<T> {
    if (waitSeconds === 0) return read(0, this.options());
    this.request.waited = true;
    try {
      const options = this.options(waitSeconds * 1000 + ANSWER_TIMEOUT_MS);
      return await read(waitSeconds, { ...options, signal: this.request.patience });
    } catch (error) {
      if (!this.request.gateway.stopping) throw error;
      return read(0, this.options());
    }
  }
}
