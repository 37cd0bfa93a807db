import type { DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FieldViolation } from "../errors/app-error.js";
import type { AuthenticatedContext, CallContext } from "./context.js";

/** Implements a method: takes a request, returns the fields of the response. Throws AppError for expected failures. */
export type Handler<M extends DescMethod, C extends CallContext> = M["methodKind"] extends "unary"
  ? (request: MessageShape<M["input"]>, context: C) => Promise<MessageInitShape<M["output"]>>
  : M["methodKind"] extends "server_streaming"
    ? (request: MessageShape<M["input"]>, context: C) => AsyncIterable<MessageInitShape<M["output"]>>
    : M["methodKind"] extends "client_streaming"
      ? (requests: AsyncIterable<MessageShape<M["input"]>>, context: C) => Promise<MessageInitShape<M["output"]>>
      : never;

/** The handlers of one service. A method without a handler answers `unimplemented` after validating the request. */
export type Handlers<S extends DescService, C extends CallContext = AuthenticatedContext> = {
  [K in keyof S["method"]]?: Handler<S["method"][K], C>;
};

/**
 * Rules for a request beyond those of its proto file, such as configured limits. A rule also receives requests that
 * break other rules, so that callers get all violations at once; it must handle any content of a message.
 */
export type Rules<S extends DescService> = {
  [K in keyof S["method"]]?: (request: MessageShape<S["method"][K]["input"]>) => FieldViolation[];
};

/** How calls of a service are admitted. */
export interface Admission<S extends DescService = DescService> {
  /** For unary and server-streaming methods. */
  rules?: Rules<S>;
  /** No method needs a token. For services whose methods do not say in proto/ who may call them. */
  open?: true;
  /** Product that the caller's company must have active. */
  product?: string;
}

/** A service with its handlers, ready to be served over a port or called in-process. */
export interface Route {
  readonly service: DescService;
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly admission: Pick<Admission, "open" | "product">;
}

/** Binds handlers to a service; the types of both must agree. */
export function route<S extends DescService>(service: S, handlers: Handlers<S>, admission: Admission<S> = {}): Route {
  const { rules = {}, ...rest } = admission;
  return { service, handlers, rules, admission: rest };
}

/** Options of a call. */
export interface CallOptions {
  /** Bearer token. */
  token?: string;
  requestId?: string;
  signal?: AbortSignal;
  /** Default 30,000 for unary calls, none for streams. */
  timeoutMs?: number;
}

type Call<M extends DescMethod> = M["methodKind"] extends "unary"
  ? (request: MessageInitShape<M["input"]>, options?: CallOptions) => Promise<MessageShape<M["output"]>>
  : M["methodKind"] extends "server_streaming"
    ? (request: MessageInitShape<M["input"]>, options?: CallOptions) => AsyncIterable<MessageShape<M["output"]>>
    : M["methodKind"] extends "client_streaming"
      ? (
          requests: AsyncIterable<MessageInitShape<M["input"]>>,
          options?: CallOptions,
        ) => Promise<MessageShape<M["output"]>>
      : never;

/** A service seen by its callers, the same over a port and in-process. Every failure is an AppError. */
export type Client<S extends DescService> = { readonly [K in keyof S["method"]]: Call<S["method"][K]> };
