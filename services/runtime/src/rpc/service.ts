import type {
  DescMethod,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { type Author, authorOf, callerIdOf, type Caller } from "../auth/access.js";
import type { ActDetails } from "../auth/audit-trail.js";
import { AppError, type FieldViolation } from "../errors/app-error.js";

/** Implements a method: takes a request, returns the fields of the response. Throws AppError for expected failures. */
type Handler<M extends DescMethod, C extends CallContext> = M["methodKind"] extends "unary"
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
  /** Address of the client for whom the call is made, for the audit log; absent: that of the caller. */
  clientAddress?: string;
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

/** The user or API key that makes a call, from its token and the current state of user, key and company. */
export interface Principal extends Caller {
  companyId: number;
  companyName: string;
  email: string;
  firstName: string;
  lastName: string;
  products: readonly { uid: string; active: boolean }[];
}

/** A service that calls on its own initiative, on behalf of a company. */
export interface ServicePrincipal {
  /** For example `operation`. */
  service: string;
  companyId: number;
}

/** Data that accompanies a request. */
export interface CallContext {
  readonly requestId: string;
  /** Aborted when the caller is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** The bearer token as received, to be passed on to other services; empty if there is none. */
  readonly token: string;
  /** The calling service, set after its token was accepted; undefined for users. */
  readonly service?: string | undefined;
  /** Network address of the caller; absent for callers in this process. */
  readonly peerAddress?: string | undefined;
}

/** The context of a call whose token was accepted. */
export interface AuthenticatedContext extends CallContext {
  /** A service only in methods whose `callers` option in proto/ allows services. */
  readonly principal: Principal | ServicePrincipal;
  /** Adds to the entry of the call in the audit log, if it makes one, just before the change is made. */
  describeAct(details: ActDetails): Promise<void>;
}

/**
 * Checks a bearer token and the current state of its user. Fails with AppError `unauthenticated`, or `unavailable` if
 * the check cannot be made.
 */
export type Authenticate = (token: string) => Promise<Principal>;

/** Who makes what a call makes; undefined: a service. */
export function authorOfCall({ principal }: Pick<AuthenticatedContext, "principal">): Author | undefined {
  return "service" in principal ? undefined : authorOf(principal);
}

/** Whose calls and waits are counted together; undefined: those of a service, or of nobody who is known. */
export function callerIdOfCall({
  principal,
}: {
  readonly principal?: Principal | ServicePrincipal | undefined;
}): ReturnType<typeof callerIdOf> | undefined {
  return principal === undefined || "service" in principal ? undefined : callerIdOf(principal);
}

/** Checks a token of a service. Fails like `Authenticate`. */
export type AuthenticateService = (token: string) => Promise<ServicePrincipal>;

/** One case for each kind of method. */
interface KindCases<T> {
  unary: (method: DescMethodUnary) => T;
  clientStream: (method: DescMethodClientStreaming) => T;
  serverStream: (method: DescMethodServerStreaming) => T;
}

/** Selects a case by kind. Bidirectional streaming is not used; such a method would make the start fail here. */
export function byKind<T>(method: DescMethod, cases: KindCases<T>): T {
  switch (method.methodKind) {
    case "unary":
      return cases.unary(method as DescMethodUnary);
    case "client_streaming":
      return cases.clientStream(method as DescMethodClientStreaming);
    case "server_streaming":
      return cases.serverStream(method as DescMethodServerStreaming);
    case "bidi_streaming":
      throw new Error(`${method.toString()}: bidirectional streams are not supported`);
  }
}

/** A client whose methods are built by `cases`, by kind. */
export function clientOf<S extends DescService>(service: S, cases: KindCases<unknown>): Client<S> {
  const calls = service.methods.map((method) => [method.localName, byKind(method, cases)] as const);
  return Object.fromEntries(calls) as Client<S>;
}

/** Routes that exist before their handlers do. */
export interface StartingRoutes {
  /** One per service, in the order given. They can be served and called immediately, over a port and in-process. */
  readonly routes: readonly Route[];
  /**
   * Makes the routes behave like the given ones; extra routes are allowed. Throws TypeError if one is missing, and then
   * completes none.
   */
  complete: (routes: readonly Route[]) => void;
}

/**
 * Routes of services that are still being built. Until they are complete, every call fails with AppError `unavailable`
 * and the code `starting`, before its token or its request is checked.
 */
export function startingRoutes(services: readonly DescService[]): StartingRoutes {
  const routes = services.map((service) => new StartingRoute(service));
  return {
    routes,
    complete: (built) => {
      const pairs = routes.map((starting) => [starting, routeOf(starting.service, built)] as const);
      for (const [starting, route] of pairs) starting.complete(route);
    },
  };
}

/** The properties of a route are read at the time of a call, so a getter that throws fails that call. */
class StartingRoute implements Route {
  private built: Route | undefined;

  constructor(readonly service: DescService) {}

  complete(route: Route): void {
    this.built = route;
  }

  get handlers(): Route["handlers"] {
    return this.ready.handlers;
  }

  get rules(): Route["rules"] {
    return this.ready.rules;
  }

  get admission(): Route["admission"] {
    return this.ready.admission;
  }

  private get ready(): Route {
    if (this.built !== undefined) return this.built;
    throw new AppError("unavailable", "The service is starting. Try again in a moment.", {
      code: "starting",
      retryAfterMs: 1000,
    });
  }
}

function routeOf(service: DescService, routes: readonly Route[]): Route {
  const route = routes.find((candidate) => candidate.service.typeName === service.typeName);
  if (route === undefined) throw new TypeError(`${service.typeName} has no route among those that were built.`);
  return route;
}
