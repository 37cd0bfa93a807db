import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Authenticate,
  type AuthenticateService,
  type Logger,
  type ReadReadiness,
  openPort,
  type Foundation,
  type Metrics,
  type ProcessConfig,
} from "@hourglass/runtime";
import type { Clients } from "./services.js";
import { createAnswerRpc, type AnswerRpc } from "./connect/rpc.js";
import { createClientAddress } from "./http/client-address.js";
import { Connections, PIPELINING_CUT, type BeginExchange, answerTunnel } from "./http/connections.js";
import { Exchange, type ObserveRequest, type GatewayContext } from "./http/request-context.js";
import { LargeRecords } from "./http/large-records.js";
import { LoopTurns } from "./http/loop-turns.js";
import { objectionToHeaders } from "./http/headers.js";
import { createRouting, type RoutedRequest, type RouteRequest, fail } from "./http/router.js";
import { withDefaults, type GatewaySettings, type GatewayConfig } from "./config.js";
import { createSharedLimits, type SharedLimits, SlowTransfers } from "./http/limits.js";
import { type ReadMetrics, healthRoutes, type HealthDeps } from "./routes/health.js";
import { KeptBodies, KeptAnswers } from "./http/response-cache.js";
import type { Endpoint } from "./http/route.js";
import { docsRoutes } from "./routes/docs.js";
import { exportRoutes } from "./routes/exports.js";
import { fileRoutes, uploadRoutes } from "./routes/files.js";
import { insightRoutes } from "./routes/insights.js";
import { operationRoutes } from "./routes/operations.js";
import { postingRoutes } from "./routes/postings.js";
import { signInRoutes } from "./routes/sign-in.js";

/** Node closes a connection after this many requests, which redistributes clients over servers. */
const REQUESTS_PER_CONNECTION_MAX = 10_000;
const CONNECTIONS_MAX = 10_000;
const HEADER_BYTES_MAX = 16_384;
/** Bodies are limited by their pace; this limit only catches what that misses. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/** Pieces of large responses made in one turn of the event loop; each is at least 64 KiB. */
const PIECES_PER_TURN = 1;

/** When the gateway stops, a request that has begun to arrive has this long to be complete. */
const UNHEARD_MS = 500;

export interface GatewayDeps {
  readonly clients: Clients;
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  readonly config: GatewaySettings;
  /** Given if another port shares them. */
  readonly limits?: SharedLimits;
  readonly log: Logger;
  readonly readiness: ReadReadiness;
  /** Given if this port also serves monitors: it then has `/metrics`, and `/readyz` lists the dependencies. */
  readonly metrics?: ReadMetrics;
  readonly onRequest?: ObserveRequest;
  /** Called for every request that is refused here because of overload, with the code of the response. */
  readonly onShed?: (code: string) => void;
}

/** Resources that clients currently occupy in a gateway; all are 0 when none is connected. */
export interface GatewayUsage {
  readonly connections: number;
  /** Requests that are being processed or answered. */
  readonly requests: number;
  /** Requests waiting for the response to an earlier one on their connection. */
  readonly waitingRequests: number;
  /** Bodies and responses in transfer whose pace is watched. */
  readonly transfers: number;
  /** Bytes held for large bodies and responses. */
  readonly heldBytes: number;
}

/** The REST interface on a port, and the same services over the Connect protocol and gRPC-web. */
export interface Gateway {
  readonly usage: () => GatewayUsage;
  /** Accepts requests; port 0 selects a free port. */
  listen(host: string, port: number): Promise<{ port: number; url: string }>;
  /** Stops accepting, finishes requests in progress, and cuts the remaining ones after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Creates the gateway with all REST routes and RPCs on top of the services' clients. */
export function createGateway(deps: GatewayDeps): Gateway {
  const settings = withDefaults(deps.config);
  const { budget, countRequest } = deps.limits ?? createSharedLimits(settings);
  const context: GatewayContext = {
    log: deps.log,
    // Request lines cannot contain secrets, and searching for them costs more than writing the line.
    requestLog: deps.log.child({}, { redact: [] }),
    settings,
    clientAddressOf: createClientAddress(settings.trustedProxies),
    slowTransfers: new SlowTransfers({
      windowMs: settings.paceWindowMs,
      bytesPerSecondMin: settings.bytesPerSecondMin,
    }),
    budget,
    largeRecords: new LargeRecords(budget),
    pieceTurns: new LoopTurns(PIECES_PER_TURN),
    importTurns: new LoopTurns(1), // each takes milliseconds
    observe: deps.onRequest ?? (() => undefined),
    countShed: deps.onShed ?? (() => undefined),
    open: new Set(),
    stopping: false,
  };
  const endpoints = createEndpoints({ ...deps, settings, isStopping: () => context.stopping });
  const admission = { authenticate: deps.authenticate, countRequest };
  const { authenticateService, clients } = deps;
  const { bodyBytesMax } = settings;
  const answerRpc = createAnswerRpc({ ...admission, authenticateService, clients, bodyBytesMax });
  const begin = beginner(context, orRest(answerRpc, createRouting(endpoints, admission)));
  const { lingerMs } = settings;
  const connections = new Connections({ begin, onCut: () => context.countShed(PIPELINING_CUT), lingerMs });
  const server = createHttpServer(context.settings, connections);
  return {
    usage: () => ({
      connections: connections.open,
      requests: context.open.size,
      waitingRequests: connections.waitingRequests,
      transfers: context.slowTransfers.size,
      heldBytes: budget.heldBytes,
    }),
    listen: (host, port) => listen(server, host, port),
    stop: (graceMs) => stop(server, context, graceMs),
  };
}

function createHttpServer(settings: Required<GatewaySettings>, connections: Connections): Server {
  const { headersTimeoutMs, keepAliveMs } = settings;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs / 4),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Refused later instead, in the same form as all failures.
    requireHostHeader: false,
  });
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  const accept = (awaitsContinue: boolean) => (req: IncomingMessage, res: ServerResponse) =>
    connections.of(req.socket)?.arrive({ req, res, awaitsContinue });
  server.on("connection", (socket) => connections.add(socket));
  server.on("request", accept(false));
  server.on("checkContinue", accept(true));
  server.on("checkExpectation", accept(false));
  server.on("connect", (_req, socket) => {
    if (connections.of(socket)?.isBusy === true) socket.destroy();
    else answerTunnel(socket, settings.lingerMs);
  });
  server.on("clientError", (error, socket) => connections.of(socket)?.refuse(error));
  return server;
}

/** Answers RPCs, and routes everything else. */
function orRest(answerRpc: AnswerRpc, route: RouteRequest): RouteRequest {
  return (req, res) => {
    if (!answerRpc(req.exchange)) route(req, res);
  };
}

/** Begins exchanges: refuses requests with invalid headers, and routes the others. */
function beginner(context: GatewayContext, route: RouteRequest): BeginExchange {
  return ({ req, res, awaitsContinue }, ended) => {
    const exchange = new Exchange(req, res, context, ended);
    exchange.awaitsContinue = awaitsContinue;
    const routed = req as RoutedRequest;
    routed.exchange = exchange;
    const objection = objectionToHeaders(req);
    if (objection !== undefined) fail(exchange, objection);
    else if (exchange.span === undefined) route(routed, res);
    else exchange.span.run(() => route(routed, res));
    return exchange;
  };
}

function listen(server: Server, host: string, port: number): Promise<{ port: number; url: string }> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const bound = server.address() as AddressInfo;
      const name = host.includes(":") ? `[${host}]` : host;
      resolve({ port: bound.port, url: `http://${name}:${bound.port}` });
    });
  });
}

async function stop(server: Server, context: GatewayContext, graceMs: number): Promise<void> {
  context.stopping = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const exchange of context.open) exchange.hurry();
  const unheardUntil = Date.now() + Math.min(UNHEARD_MS, graceMs);
  // Connections become idle one by one after their last response.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    // Node treats a new connection as busy, though it may never send a request.
    if (context.open.size === 0 && Date.now() >= unheardUntil) server.closeAllConnections();
  }, 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  context.slowTransfers.stop();
}

export interface OpenGatewayDeps extends Foundation<ProcessConfig & { readonly gateway: GatewayConfig }> {
  readonly clients: Clients;
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  readonly readiness: ReadReadiness;
  readonly metrics: Metrics;
  /** Given if another port shares them. */
  readonly limits?: SharedLimits;
  /** Whether `/metrics` and the details of `/readyz` are on the same port. */
  readonly monitoredHere: boolean;
}

/** Opens the gateway of a process at its configured address and returns its URL. The lifecycle closes it first. */
export async function openGateway(options: OpenGatewayDeps): Promise<string> {
  const { config, log, lifecycle, metrics, monitoredHere, ...deps } = options;
  const gateway = createGateway({
    ...deps,
    ...(monitoredHere ? { metrics: () => metrics.render() } : {}),
    config: config.gateway,
    log,
    onRequest: (request) => {
      metrics.observeHttp(request);
    },
    onShed: (code) => {
      metrics.countRequestShed(code);
    },
  });
  measureUsage(metrics, gateway);
  const place = { host: config.host, port: config.gateway.port, variable: "PORT" } as const;
  const { url } = await openPort(gateway.listen(place.host, place.port), place);
  lifecycle.addEntrance("REST port", (graceMs) => gateway.stop(graceMs));
  return url;
}

function measureUsage(metrics: Metrics, gateway: Gateway): void {
  const { usage } = gateway;
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge(name, help, () => Promise.resolve(read()));
  gauge("hourglass_http_connections", "Open connections to the REST port", () => usage().connections);
  gauge("hourglass_http_held_bytes", "Bytes of large bodies and answers on their way", () => usage().heldBytes);
  metrics.gauge(
    "hourglass_http_requests",
    "REST requests that are being answered, or wait for an earlier one on their connection",
    () => {
      const { requests, waitingRequests } = usage();
      return Promise.resolve([
        { labels: { state: "open" }, value: requests },
        { labels: { state: "waiting" }, value: waitingRequests },
      ]);
    },
    ["state"],
  );
}

interface EndpointDeps extends HealthDeps {
  readonly clients: Clients;
  readonly settings: Required<GatewaySettings>;
}

/** All routes. If two match a path, the first one answers, so fixed names come before ids. */
export function createEndpoints(deps: EndpointDeps): Endpoint[] {
  const { clients, settings } = deps;
  const kept = new KeptBodies();
  const answers = new KeptAnswers(kept);
  const routes = [
    ...uploadRoutes(clients, settings),
    ...fileRoutes(clients),
    ...operationRoutes(clients, settings, kept),
    ...signInRoutes(clients, settings),
    ...exportRoutes(clients),
    ...postingRoutes(clients, settings, answers),
    ...insightRoutes(clients, settings, answers),
    ...healthRoutes(deps),
  ];
  return [...routes, ...docsRoutes(routes, settings)];
}
