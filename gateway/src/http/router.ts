import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import cors from "cors";
import { Router, type IRoute, type RequestHandler } from "express";
import { toRestError } from "./field-errors.js";
import type { Authentication } from "./authentication.js";
import { readChunks, readJsonBody, requireMediaType, requireUtf8 } from "./body.js";
import { errorReply, RefusedRequest } from "./errors.js";
import { PREFLIGHT_SECONDS, REQUEST_HEADERS, requireSoundHeaders } from "./headers.js";
import type { Representations } from "./representation.js";
import type { Reply } from "./reply.js";
import type { PathParams, RequestContext } from "./request-context.js";
import { send, setHeaders } from "./respond.js";
import { bodyOf, RouteContext, USUAL_BYTES_MAX, type Endpoint, type Method } from "./route.js";

/** A request as the router sees it. */
export interface ChainRequest extends IncomingMessage {
  context: RequestContext;
  /** Set by the router. */
  params?: PathParams;
}

/** A part of the chain. What it throws refuses the request; `handle`, the last one, answers it. */
export type Middleware = (context: RequestContext) => void | Promise<void>;

/** The chain as a whole; it answers every request. */
export type Chain = (req: ChainRequest, res: ServerResponse) => void;

export interface ChainOptions {
  readonly endpoints: readonly Endpoint[];
  readonly authentication: Authentication;
  readonly representations: Representations;
  /** Finds what answers an RPC; undefined for everything else. */
  readonly findRpc: (context: RequestContext) => Middleware | undefined;
  /** Answers a person who opens a path that no route has. */
  readonly page: (req: IncomingMessage) => Promise<Reply>;
}

const ROUTE_METHOD = {
  GET: "get",
  POST: "post",
  PUT: "put",
  PATCH: "patch",
  DELETE: "delete",
} as const satisfies Record<Method, keyof IRoute>;

/**
 * The chain that every request passes: its headers are checked, its RPC or route is found, and the middlewares of that
 * act in their order. Whatever fails is answered by `handleError`.
 *
 * The route is found by Express's router alone. The application object around it would replace the prototype of every
 * request, parse its query and set its own headers, at twice the cost of the route itself. For the same reason the
 * middlewares of a route are one handler for the router, which takes a microsecond or two for each.
 */
export function createChain(options: ChainOptions): Chain {
  const { endpoints, findRpc, page } = options;
  const middlewares = new Map(endpoints.map((endpoint) => [endpoint, middlewaresOf(endpoint, options)]));
  const findReading = readingById(middlewares);
  const route = routerOf(middlewares, async (context) => send(context, await page(context.req)));
  const dispatch = (req: ChainRequest, res: ServerResponse): void => {
    const { context } = req;
    requireSoundHeaders(req);
    const rpc = findRpc(context);
    if (rpc !== undefined) void pass(context, [rpc]);
    else if (!findReading(context)) route(req, res);
  };
  return (req, res) => {
    const { context } = req;
    try {
      if (context.span === undefined) dispatch(req, res);
      else context.span.run(() => dispatch(req, res));
    } catch (error) {
      handleError(context, error);
    }
  };
}

/** The middlewares of a route: who asks, how often, for which product, with which body. */
function middlewaresOf(endpoint: Endpoint, { authentication, representations }: ChainOptions): readonly Middleware[] {
  const { access } = endpoint;
  const admission: Middleware[] =
    access === "open"
      ? []
      : [
          (context) => authentication.identify(context),
          (context) => authentication.count(context),
          (context) => authentication.authorize(context, access === "any" ? undefined : access),
        ];
  const body = bodyOf(endpoint) === undefined ? [] : [readBody(endpoint)];
  return [select(endpoint), ...admission, ...body, handle(endpoint, representations)];
}

/** Lets middlewares act one after the other. Never fails. */
async function pass(context: RequestContext, middlewares: readonly Middleware[]): Promise<void> {
  try {
    for (const middleware of middlewares) {
      const pending = middleware(context);
      if (pending !== undefined) await pending;
    }
  } catch (error) {
    handleError(context, error);
  }
}

function select({ path, quota, record }: Endpoint): Middleware {
  return (context) => {
    context.route = path;
    context.quota = quota;
    context.recordKind = record;
  };
}

/** Reads the body that the endpoint declares, except a form, which its route reads as it arrives. */
function readBody(endpoint: Endpoint): Middleware {
  const body = bodyOf(endpoint);
  const { types = [] } = endpoint;
  const usual = body === "json" ? USUAL_BYTES_MAX : Infinity;
  return async (context) => {
    const bytesMax = Math.min(endpoint.bodyBytesMax ?? usual, context.gateway.settings.bodyBytesMax);
    if (body === "json") {
      requireMediaType(context, ["application/json"]);
      requireUtf8(context);
      context.body = await readObject(context, bytesMax);
    } else if (body === "chunks") {
      requireMediaType(context, types);
      requireUtf8(context);
      context.body = await readChunks(context, bytesMax);
    } else {
      context.sendsFile = true;
      requireMediaType(context, ["multipart/form-data"]);
    }
  };
}

const NONE_KNOWN: Readonly<Violations> = [];

function handle(endpoint: Endpoint, representations: Representations): Middleware {
  const isRead = endpoint.method === "GET" && endpoint.access !== "open";
  const { input } = endpoint;
  return async (context) => {
    const routed = new RouteContext(context);
    const reading: unknown = input?.read(routed, context.body, NONE_KNOWN);
    const read: unknown = reading instanceof Promise ? await reading : reading;
    // What the input has found wrong has the names of the client already; what a service finds has those of the contract.
    if (input?.rename !== undefined) context.rename = input.rename;
    // The middleware before has read what this endpoint takes.
    const body = context.body as readonly Uint8Array[];
    const reply = await endpoint.handle(routed, read, body);
    context.noteWork();
    const answer = representations.of(context.req, reply, isRead);
    send(context, answer instanceof Promise ? await answer : answer);
  };
}

type Middlewares = ReadonlyMap<Endpoint, readonly Middleware[]>;

/** A path with the number of a record, and perhaps one more name after it. */
const BY_ID = /^([a-z0-9_/]+)\/([0-9]+)(\/[a-z_]+)?(?:\?|$)/;

/**
 * Answers what reads a record, or something of one, and returns whether the request does. These are most of the
 * requests, and a look into a table is all that it takes to find their route; the router finds all others.
 */
function readingById(middlewares: Middlewares): (context: RequestContext) => boolean {
  const reading = new Map(
    [...middlewares].flatMap(([{ method, path }, ofRoute]) =>
      method === "GET" && /^[a-z0-9_/]+\/:id(\/[a-z_]+)?$/.test(path) ? [[path, ofRoute] as const] : [],
    ),
  );
  return (context) => {
    const { method, url = "" } = context.req;
    const found = method === "GET" ? BY_ID.exec(url) : null;
    if (found === null) return false;
    const ofRoute = reading.get(`${found[1] ?? ""}/:id${found[3] ?? ""}`);
    if (ofRoute === undefined) return false;
    context.params = { id: found[2] ?? "" };
    void pass(context, ofRoute);
    return true;
  };
}

/**
 * Finds the route of a request: its endpoint, a preflight, 405 for another method. Another path is answered by `page` if a
 * browser opens it, and is 404 for everything else.
 */
function routerOf(middlewares: Middlewares, page: Middleware): Chain {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, endpoints] of byPath([...middlewares.keys()])) {
    const route = router.route(path);
    const allow = methodsOf(endpoints);
    for (const endpoint of endpoints) {
      const ofRoute = middlewares.get(endpoint) ?? [];
      const handler = express(({ context, params = {} }) => {
        context.params = params;
        void pass(context, ofRoute);
      });
      route[ROUTE_METHOD[endpoint.method]](handler);
    }
    route.options(announce(path, allow), preflight(allow));
    route.all(refuseMethod(path, allow));
  }
  const find = router as unknown as (req: ChainRequest, res: ServerResponse, next: Next) => void;
  return (req, res) => {
    req.url = withoutBrokenEscapes(req.url ?? "");
    find(req, res, (error) => {
      if (error === undefined && isOpened(req)) void pass(req.context, [page]);
      else handleError(req.context, error ?? unknownPath());
    });
  };
}

/** Whether a browser opens the address: a page of the console has no route. What a program asks for below `/api/` has one, or none. */
function isOpened({ method, url = "", headers }: ChainRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return !/^\/(api|docs|assets)\//.test(url) && /\btext\/html\b/.test(headers.accept ?? "");
}

/** Sets the headers of every response to OPTIONS; the CORS middleware adds the others and ends it. */
function announce(path: string, allow: readonly string[]): RequestHandler {
  return express(({ context }, _res, next) => {
    context.route = path;
    setHeaders(context, ["Allow", allow.join(", ")]);
    next();
  });
}

function preflight(allow: string[]): RequestHandler {
  return cors({ methods: allow, allowedHeaders: REQUEST_HEADERS, maxAge: PREFLIGHT_SECONDS });
}

function refuseMethod(path: string, allow: readonly string[]): RequestHandler {
  return express(({ context, method }) => {
    context.route = path;
    const options = { code: "method_not_allowed" as const, allow: allow.join(", ") };
    const message = `${method ?? "This method"} is not possible here. Use ${allow.join(", ")}.`;
    throw new RefusedRequest(405, message, options);
  });
}

function unknownPath(): RefusedRequest {
  return new RefusedRequest(404, "There is no such route. All routes are listed at /openapi.json.", {
    code: "route_not_found",
  });
}

type Next = (error?: unknown) => void;

/** Express has the same handlers, with its own types for requests and responses. */
function express(handler: (req: ChainRequest, res: ServerResponse, next: Next) => void): RequestHandler {
  return handler as unknown as RequestHandler;
}

/** Answers a failure. */
function handleError(context: RequestContext, error: unknown): void {
  send(context, errorReply(toRestError(context.failure(error), context.rename), context.requestId, context.quota));
}

async function readObject(context: RequestContext, bytesMax: number): Promise<Record<string, unknown>> {
  const json = await readJsonBody(context, bytesMax);
  if (json === undefined)
    throw new AppError("invalid", "The request needs a body: send a JSON object.", { code: "invalid_json" });
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw new AppError("invalid", "The body is not an object: send a JSON object.", { code: "invalid_json" });
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
