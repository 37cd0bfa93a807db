import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "cors";
import { Router, type IRoute, type RequestHandler } from "express";
import { RefusedRequest } from "../errors.js";
import type { PathParams } from "./call.js";
import type { Endpoint, Method } from "./endpoint.js";
import type { Exchange } from "../exchange.js";
import { API_HEADERS } from "../headers.js";
import { fail, serve, type Admission } from "./serve.js";

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
