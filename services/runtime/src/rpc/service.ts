import type { DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FieldViolation } from "../errors/app-error.js";
import type { AuthenticatedContext, CallContext } from "./context.js";

/** The method's work: a plain request in, what fills the response out. Throws AppError for every expected failure. */
export type Handler<M extends DescMethod, C extends CallContext> = M["methodKind"] extends "unary"
  ? (request: MessageShape<M["input"]>, context: C) => Promise<MessageInitShape<M["output"]>>
  : M["methodKind"] extends "server_streaming"
    ? (request: MessageShape<M["input"]>, context: C) => AsyncIterable<MessageInitShape<M["output"]>>
    : M["methodKind"] extends "client_streaming"
      ? (requests: AsyncIterable<MessageShape<M["input"]>>, context: C) => Promise<MessageInitShape<M["output"]>>
      : never;

/** The handlers of one service. A method without one answers `unimplemented`, after its request was validated. */
export type Handlers<S extends DescService, C extends CallContext = AuthenticatedContext> = {
  [K in keyof S["method"]]?: Handler<S["method"][K], C>;
};

/**
 * What a request must meet beyond the rules of its proto file, such as limits that are configured. A rule sees requests
 * that break others too, so that callers are told of everything at once, and must cope with whatever a message can hold.
 */
export type Rules<S extends DescService> = {
  [K in keyof S["method"]]?: (request: MessageShape<S["method"][K]["input"]>) => FieldViolation[];
};

/** How calls of a service are admitted. */
export interface Admission<S extends DescService = DescService> {
  /** Of unary and server-streaming methods. */
  rules?: Rules<S>;
  /** Methods (local names) that need no token. */
  open?: readonly string[];
  /** Product that the caller's company must have active. */
  product?: string;
}

/** A service with its work, ready to be served over a port or called in-process. */
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

/** What a caller may say beside a request. */
export interface CallOptions {
  /** Bearer token. */
  token?: string;
  requestId?: string;
  signal?: AbortSignal;
  /** From now; 30,000 for unary calls and none for streams when absent. */
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
