import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { AppError, lengthMaxOf, type CallOptions } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import type * as z from "zod";
import type { Quota } from "./errors.js";
import type { Rename } from "./field-errors.js";
import { revisionsNamed } from "./if-match.js";
import type { Reply } from "./reply.js";
import type { RecordKind, RequestContext } from "./request-context.js";

/** Maximum size of most requests, with room for all that their rules allow. In bytes. */
export const USUAL_BYTES_MAX = 262_144;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a route takes besides the id in its path: for its description, and for its handler. */
export interface Input<T> {
  readonly query?: z.ZodObject<z.core.$ZodShape>;
  /** Of a body that is JSON. */
  readonly body?: z.ZodType;
  /** Fields of the body that a client may expect although there are none, with what to do instead. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Whether the header `Idempotency-Key` is read. */
  readonly isKeyed?: boolean;
  /** Whether the header `If-Match` is read. */
  readonly isConditional?: boolean;
  /** Default: its fields have the names of the contract. */
  readonly rename?: Rename;
  /** Fails with AppError `invalid`, which names every wrong field; if some are known to be wrong already, these and others. */
  read(context: RouteContext, body: unknown, known: Readonly<Violations>): Promise<T> | T;
}

/** A body of a media type, as the document describes it. */
export interface Media {
  readonly schema: z.ZodType;
  readonly example?: unknown;
  /** By name, each with a summary. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  readonly encoding?: unknown;
}

export type Content = Readonly<Record<string, Media>>;

/** A response that is no failure. */
export interface Answer {
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, object>>;
}

/** A route: who may use it, what it takes and answers, its description and its handler. */
export interface Endpoint<T = unknown> {
  /** Name of the operation in the document. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** Pattern in the syntax of Express, with `:id`. */
  readonly path: string;
  /** Product that must be active for the user's company; `any`: none; `open`: no token needed. */
  readonly access: "open" | "any" | "api" | "insight";
  /** Maximum size of a body in bytes, up to the server's limit. Default: that of JSON is USUAL_BYTES_MAX. */
  readonly bodyBytesMax?: number;
  /** What the id in the path, or of the created record, belongs to: names it in the request's log line. */
  readonly record?: RecordKind;
  /** Named in the headers if the service refuses with `too-many`. */
  readonly quota?: Quota;
  /** How the body is read; the route itself reads `multipart`. Default: JSON if the input has a body. */
  readonly body?: "chunks" | "multipart";
  /** Media types of chunks, which are text in UTF-8. */
  readonly types?: readonly string[];
  readonly input?: Input<T>;
  /** The body as documented; default: the JSON of the input, with the example. */
  readonly content?: Content;
  readonly example?: unknown;
  readonly examples?: Media["examples"];
  /** Further headers of the request by the names of their descriptions. */
  readonly headers?: readonly string[];
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Statuses of failures that this route adds to those of its kind. */
  readonly failures?: readonly number[];
  /** Whether it is for browsers alone: the document leaves it out. */
  readonly isPage?: boolean;
  /** Schemas that only the description names. */
  readonly schemas?: readonly z.ZodType[];
  /** Gets the input and, of chunks, the body. */
  handle(context: RouteContext, input: T, body: readonly Uint8Array[]): Promise<Reply> | Reply;
}

/** Declares an endpoint at a place such as `GET /healthz`; its handler gets the input that it declares. */
export function route<T>(
  place: `${Method} ${string}`,
  id: string,
  summary: string,
  rest: Omit<Endpoint<T>, "method" | "path" | "id" | "summary">,
): Endpoint {
  const [method, path = ""] = place.split(" ");
  return { method: method as Method, path, id, summary, ...rest };
}

/** How the body of an endpoint is read; undefined if it has none. */
export function bodyOf({ body, input }: Endpoint): "json" | "chunks" | "multipart" | undefined {
  return body ?? (input?.body === undefined ? undefined : "json");
}

/** A service that has not answered within this time counts as unavailable. In milliseconds. */
export const ANSWER_TIMEOUT_MS = 15_000;
const ID = /^[1-9]\d{0,15}$/;
const PRINTABLE = /^[\x20-\x7e]+$/;
/** All requests with a key have the same limit. */
const KEY_LENGTH_MAX = lengthMaxOf(CreateOperationRequestSchema, "idempotency_key");

const NO_PARAMETERS = new URLSearchParams();

function parametersOf(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return start < 0 ? NO_PARAMETERS : new URLSearchParams(url.slice(start));
}

/** An admitted request, as the routes see it. */
export class RouteContext {
  private query: URLSearchParams | undefined;

  constructor(readonly request: RequestContext) {}

  /** The id in the path. Fails with AppError `not-found` if it is not a valid id. */
  get pathId(): bigint {
    const { id = "" } = this.request.params;
    if (ID.test(id) && Number.isSafeInteger(Number(id))) return this.concerns(BigInt(id));
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

  /** The rest of the path, of a route for all that begin alike. */
  get pathRest(): string {
    return this.request.params.path?.join("/") ?? "";
  }

  /** The key of a posting in the path. */
  get pathKey(): string {
    return this.request.params.key ?? "";
  }

  /** The token in the path, of a route that needs no other. */
  get pathToken(): string {
    return this.request.params.token ?? "";
  }

  /** The parameters of the query string. */
  get parameters(): URLSearchParams {
    return (this.query ??= parametersOf(this.request.req.url ?? ""));
  }

  /** The client's idempotency key; empty without one. */
  get idempotencyKey(): string {
    const key = this.request.req.headers["idempotency-key"];
    if (key === undefined) return "";
    if (typeof key === "string" && key.length <= KEY_LENGTH_MAX && PRINTABLE.test(key)) return key;
    const message = `Give a key of 1 to ${KEY_LENGTH_MAX} printable ASCII characters.`;
    throw AppError.invalid([{ field: "Idempotency-Key", message }]);
  }

  /** The revisions of which the record must have one, by the header If-Match; empty: any. */
  get ifMatch(): string[] {
    return revisionsNamed(this.request.req.headers["if-match"]);
  }

  /** Options for a service call. */
  options(timeoutMs = ANSWER_TIMEOUT_MS): CallOptions {
    const { token, requestId, clientAddress } = this.request;
    return { token, requestId, clientAddress, timeoutMs };
  }

  /** Options for a call that lasts as long as the client sends; `signal` ends it. */
  streamOptions(signal: AbortSignal): CallOptions {
    const { token, requestId, clientAddress } = this.request;
    return { token, requestId, clientAddress, signal };
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
