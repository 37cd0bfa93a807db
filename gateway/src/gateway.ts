import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Authenticate, AuthenticateService, Logger, ReadReadiness } from "@hourglass/runtime";
import type { Clients } from "./clients.js";
import { createConnectDoor, type AnswerRpc } from "./connect/door.js";
import { Budget } from "./http/budget.js";
import { createClientAddress } from "./http/client-address.js";
import { Connections, PIPELINING_CUT, type BeginExchange } from "./http/connection.js";
import { Exchange, type ObserveRequest, type GatewayContext } from "./http/exchange.js";
import { LargeRecords } from "./http/large-records.js";
import { LoopTurns } from "./http/loop-turns.js";
import { answerTunnel } from "./http/raw-answer.js";
import { createUserLimit } from "./http/rate-limit.js";
import { objectionToHeaders } from "./http/request-headers.js";
import { createRouting, type RoutedRequest, type RouteRequest } from "./http/routing.js";
import { fail } from "./http/serve.js";
import { withDefaults, type GatewaySettings } from "./http/settings.js";
import { SlowTransfers } from "./http/slow-transfers.js";
import { createEndpoints } from "./routes/index.js";
import type { ReadMetrics } from "./routes/health.js";

/** Node closes a connection after so many requests, which spreads clients over servers in time. */
const REQUESTS_PER_CONNECTION_MAX = 10_000;
const CONNECTIONS_MAX = 10_000;
const HEADER_BYTES_MAX = 16_384;
/** A body is timed by its pace; this only ends what slips through. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/** Pieces of large answers that are made in a turn of the event loop: each is 64 KiB or more. */
const PIECES_PER_TURN = 1;

/** When the gateway stops, a request that has begun to come may take so long to be complete. */
const UNHEARD_MS = 500;

export interface GatewayDeps {
  readonly clients: Clients;
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  readonly config: GatewaySettings;
  readonly log: Logger;
  readonly readiness: ReadReadiness;
  /** Given where this port is for monitors too: then there is `/metrics`, and `/readyz` names what is needed. */
  readonly metrics?: ReadMetrics;
  readonly onRequest?: ObserveRequest;
  /** Told of every request that is refused here because of too much to do, by the code of the answer. */
  readonly onShed?: (code: string) => void;
}

/** What clients make a gateway hold at the moment; all of it is 0 when nobody is connected. */
export interface GatewayUsage {
  readonly connections: number;
  /** Requests that are being worked on or answered. */
  readonly requests: number;
  /** Requests that wait for the answer to an earlier one on their connection. */
  readonly waitingRequests: number;
  /** Bodies and answers on their way that are watched for their pace. */
  readonly transfers: number;
  /** Bytes of large bodies and answers. */
  readonly heldBytes: number;
}

/** The REST interface on a port, and the same services by the Connect protocol and gRPC-web. */
export interface Gateway {
  readonly usage: () => GatewayUsage;
  /** Accepts requests; port 0 takes a free one. */
  listen(host: string, port: number): Promise<{ port: number; url: string }>;
  /** Stops accepting, finishes what is in progress, and after `graceMs` cuts what is left. */
  stop(graceMs: number): Promise<void>;
}

/** Makes the gateway: all routes of the interface, and all RPCs, on top of the services' clients. */
export function createGateway(deps: GatewayDeps): Gateway {
  const settings = withDefaults(deps.config);
  const budget = new Budget({ bytesMax: settings.heldBytesMax, userBytesMax: settings.heldBytesMax / 2 });
  const context: GatewayContext = {
    log: deps.log,
    // Looking for secrets in a line that has no room for any costs more than the line.
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
    observe: deps.onRequest ?? (() => undefined),
    countShed: deps.onShed ?? (() => undefined),
    open: new Set(),
    stopping: false,
  };
  const endpoints = createEndpoints({ ...deps, settings, isStopping: () => context.stopping });
  const admission = { authenticate: deps.authenticate, countRequest: createUserLimit(settings.rateLimitPerMinute) };
  const { authenticateService, clients } = deps;
  const { bodyBytesMax } = settings;
  const answerRpc = createConnectDoor({ ...admission, authenticateService, clients, bodyBytesMax });
  const begin = beginner(context, orRest(answerRpc, createRouting(endpoints, admission)));
  const connections = new Connections(begin, () => context.countShed(PIPELINING_CUT));
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
    // Refused below instead, in the form of all failures.
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
    else answerTunnel(socket);
  });
  server.on("clientError", (error, socket) => connections.of(socket)?.refuse(error));
  return server;
}

/** Answers RPCs as such, and everything else by its route. */
function orRest(answerRpc: AnswerRpc, route: RouteRequest): RouteRequest {
  return (req, res) => {
    if (!answerRpc(req.exchange)) route(req, res);
  };
}

/** Begins exchanges: refuses what no route should see, and hands on the rest. */
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
  // Connections become idle one by one as their last answer goes out.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    // Node counts a connection as busy from its opening on, though its request may never come.
    if (context.open.size === 0 && Date.now() >= unheardUntil) server.closeAllConnections();
  }, 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  context.slowTransfers.stop();
}
