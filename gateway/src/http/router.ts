import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, requireProduct, type Authenticate } from "@hourglass/runtime";
import cors from "cors";
import { Router, type IRoute, type RequestHandler } from "express";
import { RefusedRequest, errorReply, OverQuota, ServerBusy } from "./errors.js";
import { type PathParams, type Endpoint, type Method, Call, USUAL_BYTES_MAX } from "./route.js";
import type { Exchange } from "./request-context.js";
import { API_HEADERS } from "./headers.js";
import { authenticateRequest } from "./authentication.js";
import { toRestError } from "../json/field-errors.js";
import type { CountRequest } from "./limits.js";
import { type Reply, revalidated } from "./reply.js";
import { readJsonBody, readChunks, requireMediaType, requireUtf8 } from "./body.js";
import { send } from "./respond.js";

/** A request on its way through the router. */
export interface RoutedRequest extends IncomingMessage {
  exchange: Exchange;
  /** Set by the router. */
  params?: PathParams;
}

/** Finds the route of any request and answers it. */
export type RouteRequest = (req: RoutedRequest, res: ServerResponse) => void;

const ROUTE_METHOD = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const satisfies Record<
  Method,
  keyof IRoute
>;
/**
 * Headers that a script of another origin may send. Tracing libraries add theirs to every request of a page, and a
 * browser sends none of the requests unless all of their headers are allowed.
 */
export const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Accept",
  "Idempotency-Key",
  "X-Request-Id",
  "X-Requested-With",
  "Traceparent",
  "Tracestate",
  "Baggage",
  "Sentry-Trace",
  "If-None-Match",
  "If-Range",
  "Range",
];
const PREFLIGHT_SECONDS = 600;

/**
 * Routes with Express's router alone. The application object around it would replace the prototype of every request,
 * parse its query and set its own headers, at twice the cost of the route itself.
 */
export function createRouting(endpoints: readonly Endpoint[], admission: Admission): RouteRequest {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, methods] of byPath(endpoints)) {
    const route = router.route(path);
    const allow = allowed(methods);
    for (const endpoint of methods) route[ROUTE_METHOD[endpoint.method]](handler(endpoint, admission));
    route.options(announce(path, allow), preflight(allow));
    route.all(refuse(path, allow));
  }
  const dispatch = router as unknown as (
    req: RoutedRequest,
    res: ServerResponse,
    done: (error?: unknown) => void,
  ) => void;
  const reading = readingById(endpoints);
  return (req, res) => {
    if (req.method === "GET") {
      const found = BY_ID.exec(req.url ?? "");
      const endpoint = found === null ? undefined : reading.get(`${found[1] ?? ""}/:id${found[3] ?? ""}`);
      if (endpoint !== undefined) return void serve(endpoint, admission, req.exchange, { id: found?.[2] ?? "" });
    }
    req.url = withoutBrokenEscapes(req.url ?? "");
    dispatch(req, res, (error) => fail(req.exchange, error ?? unknownRoute()));
  };
}

/** A path with the number of a record, and perhaps one more name after it. */
const BY_ID = /^([a-z0-9_/]+)\/([0-9]+)(\/[a-z_]+)?(?:\?|$)/;

/**
 * The endpoints that read a record, or something of one, by the pattern of their path. They are most of the requests, and
 * a look into a table is all that it takes to find them; whatever else is asked for, the router finds.
 */
function readingById(endpoints: readonly Endpoint[]): ReadonlyMap<string, Endpoint> {
  const reading = endpoints.filter(
    ({ method, path }) => method === "GET" && /^[a-z0-9_/]+\/:id(\/[a-z_]+)?$/.test(path),
  );
  return new Map(reading.map((endpoint) => [endpoint.path, endpoint]));
}

function byPath(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const paths = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint]);
  return paths;
}

function allowed(endpoints: readonly Endpoint[]): string[] {
  return [...endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
}

function handler(endpoint: Endpoint, admission: Admission): RequestHandler {
  return routed((req) => void serve(endpoint, admission, req.exchange, req.params ?? {}));
}

function refuse(path: string, allow: string[]): RequestHandler {
  return routed(({ exchange, method }) => {
    exchange.route = path;
    const options = { code: "method_not_allowed", allow: allow.join(", ") };
    fail(
      exchange,
      new RefusedRequest(405, `${method ?? "This method"} is not possible here. Use ${allow.join(", ")}.`, options),
    );
  });
}

/** Sets the headers of every response to OPTIONS; the CORS middleware adds the others and ends it. */
function announce(path: string, allow: string[]): RequestHandler {
  return routed(({ exchange }, res, next) => {
    exchange.route = path;
    for (let index = 0; index < API_HEADERS.length; index += 2) {
      res.setHeader(API_HEADERS[index] ?? "", API_HEADERS[index + 1] ?? "");
    }
    res.setHeader("X-Request-Id", exchange.requestId);
    res.setHeader("Allow", allow.join(", "));
    next();
  });
}

function preflight(allow: string[]): RequestHandler {
  return cors({ methods: allow, allowedHeaders: REQUEST_HEADERS, maxAge: PREFLIGHT_SECONDS });
}

function routed(handle: (req: RoutedRequest, res: ServerResponse, next: () => void) => void): RequestHandler {
  return handle as unknown as RequestHandler;
}

function unknownRoute(): RefusedRequest {
  return new RefusedRequest(404, "There is no such route. All routes are listed at /openapi.json.", {
    code: "route_not_found",
  });
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

/** The checks before the routes. */
interface Admission {
  readonly authenticate: Authenticate;
  /** Undefined: no limit per user. */
  readonly countRequest: CountRequest | undefined;
}

/** Answers one request of an endpoint, in the order: token, rate, product, body, handler. Never fails. */
async function serve(endpoint: Endpoint, admission: Admission, exchange: Exchange, params: PathParams): Promise<void> {
  exchange.route = endpoint.path;
  exchange.quota = endpoint.quota;
  exchange.recordKind = endpoint.record;
  try {
    const call = await admit(endpoint, admission, exchange, params);
    const reply = await answer(endpoint, call);
    const isRead = endpoint.method === "GET" && endpoint.access !== "open";
    send(exchange, isRead ? revalidated(exchange.req, reply) : reply);
  } catch (error) {
    fail(exchange, error);
  }
}

/** Answers with a failure; an unexpected error is logged in full and sent to the client without internals. */
export function fail(exchange: Exchange, error: unknown): void {
  const failure = AppError.from(error);
  if (failure instanceof OverQuota || failure instanceof ServerBusy) exchange.context.countShed(failure.code);
  // Errors of services have been logged where they occurred.
  if (failure !== error) exchange.context.log.error({ err: error, request_id: exchange.requestId }, "request failed");
  send(exchange, errorReply(toRestError(failure), exchange.requestId, exchange.quota));
}

async function admit(
  endpoint: Endpoint,
  { authenticate, countRequest }: Admission,
  exchange: Exchange,
  params: PathParams,
): Promise<Call> {
  if (endpoint.access === "open") return new Call(exchange, params, "", undefined);
  const { token, principal } = await authenticateRequest(exchange.req.headers.authorization, authenticate);
  exchange.principal = principal;
  if (countRequest !== undefined) await countRequest(exchange, principal);
  requireProduct(principal, endpoint.access);
  return new Call(exchange, params, token, principal);
}

async function answer(endpoint: Endpoint, call: Call): Promise<Reply> {
  const usual = endpoint.body === "json" ? USUAL_BYTES_MAX : Infinity;
  const bytesMax = Math.min(endpoint.bodyBytesMax ?? usual, call.exchange.context.settings.bodyBytesMax);
  switch (endpoint.body) {
    case undefined:
      return endpoint.handle(call);
    case "json":
      requireMediaType(call.exchange, ["application/json"]);
      requireUtf8(call.exchange);
      return endpoint.handle(call, await readObject(call.exchange, bytesMax));
    case "chunks":
      requireMediaType(call.exchange, endpoint.types);
      requireUtf8(call.exchange);
      return endpoint.handle(call, await readChunks(call.exchange, bytesMax));
    case "multipart":
      call.exchange.sendsFile = true;
      requireMediaType(call.exchange, ["multipart/form-data"]);
      return endpoint.handle(call);
  }
}

async function readObject(exchange: Exchange, bytesMax: number): Promise<Record<string, unknown>> {
  const json = await readJsonBody(exchange, bytesMax);
  if (json === undefined)
    throw new AppError("invalid", "The request needs a body: send a JSON object.", { code: "invalid_json" });
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw new AppError("invalid", "The body is not an object: send a JSON object.", { code: "invalid_json" });
}
