import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@hourglass/runtime";
import cors from "cors";
import { Router, type IRoute, type RequestHandler } from "express";
import { toRestError } from "../json/field-errors.js";
import type { Authentication } from "./authentication.js";
import { readChunks, readJsonBody, requireMediaType, requireUtf8 } from "./body.js";
import { errorReply, OverQuota, RefusedRequest, ServerBusy } from "./errors.js";
import { PREFLIGHT_SECONDS, REQUEST_HEADERS, requireSoundHeaders } from "./headers.js";
import { revalidated } from "./reply.js";
import type { RequestContext } from "./request-context.js";
import { send, setHeaders } from "./respond.js";
import { RouteContext, USUAL_BYTES_MAX, type Endpoint, type Method, type PathParams } from "./route.js";

/** A request in the chain. */
export interface ChainRequest extends IncomingMessage {
  context: RequestContext;
  /** Set by the router. */
  params?: PathParams;
}

export type Next = (error?: unknown) => void;

/** A part of the chain: answers the request, or passes it or an error on. A rejected promise is an error too. */
export type Middleware = (req: ChainRequest, res: ServerResponse, next: Next) => void | Promise<void>;

/** The chain as a whole; it answers every request. */
export type Chain = (req: ChainRequest, res: ServerResponse) => void;

export interface ChainOptions {
  readonly endpoints: readonly Endpoint[];
  readonly authentication: Authentication;
  /** Answers RPCs and passes on everything else. */
  readonly rpc: Middleware;
}

const ROUTE_METHOD = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const satisfies Record<
  Method,
  keyof IRoute
>;

/**
 * The chain of middlewares that every request passes, in their order. A route answers with its endpoint, a preflight
 * with what the path allows, other methods with 405; whatever fails goes to the last middleware.
 *
 * It is Express's router alone. The application object around it would replace the prototype of every request, parse
 * its query and set its own headers, at twice the cost of the route itself.
 */
export function createChain({ endpoints, authentication, rpc }: ChainOptions): Chain {
  const chain = Router({ caseSensitive: true, strict: true });
  chain.use(express(trace), express(checkHeaders), express(rpc));
  for (const [path, methods] of byPath(endpoints)) {
    const route = chain.route(path);
    const allow = methodsOf(methods);
    for (const endpoint of methods) {
      route[ROUTE_METHOD[endpoint.method]](...stagesOf(endpoint, authentication).map(express));
    }
    route.options(express(announce(path, allow)), preflight(allow));
    route.all(express(refuseMethod(path, allow)));
  }
  chain.use(express(refusePath));
  chain.use((error: unknown, req: unknown, _res: unknown, _next: unknown) => {
    handleError((req as ChainRequest).context, error);
  });
  const dispatch = chain as unknown as (req: ChainRequest, res: ServerResponse, next: Next) => void;
  return (req, res) => {
    req.url = withoutBrokenEscapes(req.url ?? "");
    dispatch(req, res, (error) => handleError(req.context, error));
  };
}

/** What follows belongs to the span of the request. */
const trace: Middleware = ({ context: { span } }, _res, next) => {
  if (span === undefined) next();
  else span.run(next);
};

const checkHeaders: Middleware = (req, _res, next) => {
  requireSoundHeaders(req);
  next();
};

/** The middlewares of a route, in their order: who asks, how often, for which product, with which body. */
function stagesOf(endpoint: Endpoint, authentication: Authentication): Middleware[] {
  const admission = endpoint.access === "open" ? [] : [authenticate(authentication), limit(authentication)];
  const authorization = endpoint.access === "open" ? [] : [authorize(authentication, endpoint.access)];
  const body = endpoint.body === undefined ? [] : [readBody(endpoint)];
  return [select(endpoint), ...admission, ...authorization, ...body, handle(endpoint)];
}

function select({ path, quota, record }: Endpoint): Middleware {
  return ({ context }, _res, next) => {
    context.route = path;
    context.quota = quota;
    context.recordKind = record;
    next();
  };
}

function authenticate(authentication: Authentication): Middleware {
  return async ({ context }, _res, next) => {
    await authentication.identify(context);
    next();
  };
}

function limit(authentication: Authentication): Middleware {
  return async ({ context }, _res, next) => {
    await authentication.count(context);
    next();
  };
}

function authorize(authentication: Authentication, product: string): Middleware {
  return ({ context }, _res, next) => {
    authentication.authorize(context, product);
    next();
  };
}

/** Reads the body that the endpoint declares, except a form, which its route reads as it arrives. */
function readBody(endpoint: Endpoint): Middleware {
  const usual = endpoint.body === "json" ? USUAL_BYTES_MAX : Infinity;
  return async ({ context }, _res, next) => {
    const bytesMax = Math.min(endpoint.bodyBytesMax ?? usual, context.gateway.settings.bodyBytesMax);
    if (endpoint.body === "json") {
      requireMediaType(context, ["application/json"]);
      requireUtf8(context);
      context.body = await readObject(context, bytesMax);
    } else if (endpoint.body === "chunks") {
      requireMediaType(context, endpoint.types);
      requireUtf8(context);
      context.body = await readChunks(context, bytesMax);
    } else {
      context.sendsFile = true;
      requireMediaType(context, ["multipart/form-data"]);
    }
    next();
  };
}

function handle(endpoint: Endpoint): Middleware {
  const isRead = endpoint.method === "GET" && endpoint.access !== "open";
  // The middleware before has read what this endpoint takes.
  const run = endpoint.handle as (context: RouteContext, body: unknown) => ReturnType<Endpoint["handle"]>;
  return async ({ context, params = {} }) => {
    const reply = await run(new RouteContext(context, params), context.body);
    send(context, isRead ? revalidated(context.req, reply) : reply);
  };
}

/** Sets the headers of every response to OPTIONS; the CORS middleware adds the others and ends it. */
function announce(path: string, allow: readonly string[]): Middleware {
  return ({ context }, _res, next) => {
    context.route = path;
    setHeaders(context, ["Allow", allow.join(", ")]);
    next();
  };
}

function preflight(allow: string[]): RequestHandler {
  return cors({ methods: allow, allowedHeaders: REQUEST_HEADERS, maxAge: PREFLIGHT_SECONDS });
}

function refuseMethod(path: string, allow: readonly string[]): Middleware {
  return ({ context, method }) => {
    context.route = path;
    const options = { code: "method_not_allowed", allow: allow.join(", ") };
    const message = `${method ?? "This method"} is not possible here. Use ${allow.join(", ")}.`;
    throw new RefusedRequest(405, message, options);
  };
}

const refusePath: Middleware = () => {
  throw new RefusedRequest(404, "There is no such route. All routes are listed at /openapi.json.", {
    code: "route_not_found",
  });
};

/** An unexpected error is logged in full and sent to the client without internals. */
function handleError(context: RequestContext, error: unknown): void {
  const { gateway, requestId, quota } = context;
  const failure = AppError.from(error);
  if (failure instanceof OverQuota || failure instanceof ServerBusy) gateway.countShed(failure.code);
  // Errors of services have been logged where they occurred.
  if (failure !== error) gateway.log.error({ err: error, request_id: requestId }, "request failed");
  send(context, errorReply(toRestError(failure), requestId, quota));
}

async function readObject(context: RequestContext, bytesMax: number): Promise<Record<string, unknown>> {
  const json = await readJsonBody(context, bytesMax);
  if (json === undefined)
    throw new AppError("invalid", "The request needs a body: send a JSON object.", { code: "invalid_json" });
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw new AppError("invalid", "The body is not an object: send a JSON object.", { code: "invalid_json" });
}

/** Express has the same middlewares, with its own types for requests and responses. */
function express(middleware: Middleware): RequestHandler {
  return middleware as unknown as RequestHandler;
}

function byPath(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const paths = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint]);
  return paths;
}

function methodsOf(endpoints: readonly Endpoint[]): string[] {
  return [...endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
}

/** The router would refuse a path with a broken escape; taken literally, it is only an unknown id. */
function withoutBrokenEscapes(url: string): string {
  if (!url.includes("%")) return url;
  const [path = "", ...query] = url.split("?");
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?"); // the cause adds nothing
  }
}
