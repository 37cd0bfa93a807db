import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  openPort,
  type Authenticate,
  type AuthenticateService,
  type Foundation,
  type Logger,
  type Metrics,
  type ProcessConfig,
  type ReadReadiness,
} from "@hourglass/runtime";
import { withDefaults, type GatewayConfig, type GatewaySettings } from "./config.js";
import { createRpc } from "./connect/rpc.js";
import { Authentication } from "./http/authentication.js";
import { createClientAddress } from "./http/client-address.js";
import { Connections, createHttpServer, PIPELINING_CUT, type Arrival } from "./http/connections.js";
import type { KeyAddresses } from "./http/key-addresses.js";
import { SlowTransfers } from "./http/limits.js";
import { createSharedLimits, type SharedLimits } from "./http/shared-limits.js";
import { Representations } from "./http/representation.js";
import { RequestContext, type GatewayState, type ObserveRequest } from "./http/request-context.js";
import { ResponseCache, RevisedResponses } from "./http/response-cache.js";
import type { Endpoint } from "./http/route.js";
import { knowingItsNames } from "./http/unknown-names.js";
import { createChain, type Chain, type ChainRequest } from "./http/router.js";
import { auditRoutes } from "./routes/audit.js";
import { Console } from "./routes/console.js";
import { Docs } from "./routes/docs.js";
import { ExportRoutes } from "./routes/exports.js";
import { fileRoutes } from "./routes/files.js";
import { healthRoutes, type HealthOptions, type ReadMetrics } from "./routes/health.js";
import { insightRoutes } from "./routes/insights.js";
import { keyRoutes } from "./routes/keys.js";
import { meRoutes } from "./routes/me.js";
import { OperationRoutes } from "./routes/operations.js";
import { platformRoutes } from "./routes/platforms.js";
import { importRoute } from "./routes/imports.js";
import { postingRoute } from "./routes/posting.js";
import { postingRoutes } from "./routes/postings.js";
import { referenceRoutes } from "./routes/reference.js";
import { serverRoutes } from "./routes/server.js";
import { signInRoutes } from "./routes/sign-in.js";
import { summaryRoutes } from "./routes/summaries.js";
import { userRoutes } from "./routes/users.js";
import type { Clients } from "./services.js";

/** When the gateway stops, a request that has begun to arrive has this long to be complete. */
const UNHEARD_MS = 500;
/** Who sent nothing for so long is not sending requests here at the moment; in milliseconds. */
const USED_WITHIN_MS = 30_000;

export interface GatewayOptions {
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
  /** Where `npm run docs` has put the documentation; default: below the folder of the compiled gateway. */
  readonly documentation?: URL;
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
export class Gateway {
  private readonly state: GatewayState;
  private readonly chain: Chain;
  private readonly connections: Connections;
  private readonly server: Server;
  private readonly keyAddresses: KeyAddresses;
  private usedAt = Number.NEGATIVE_INFINITY;

  constructor(options: GatewayOptions) {
    const settings = withDefaults(options.config);
    const limits = options.limits ?? createSharedLimits(settings);
    const { countRequest, keyAddresses } = limits;
    this.keyAddresses = keyAddresses;
    this.state = stateOf(options, settings, limits);
    const authentication = new Authentication({ ...options, countRequest, keyAddresses });
    const cache = new ResponseCache();
    const web = new Console();
    const endpoints = createEndpoints({ ...options, settings, cache, web, isStopping: () => this.state.stopping });
    const { clients } = options;
    const findRpc = createRpc({ clients, authentication, bodyBytesMax: settings.bodyBytesMax });
    const representations = new Representations(cache);
    this.chain = createChain({
      endpoints,
      authentication,
      representations,
      findRpc,
      page: (req) => web.pageFor(req),
    });
    this.connections = new Connections({
      begin: (arrival, ended) => this.begin(arrival, ended),
      onCut: () => this.state.countShed(PIPELINING_CUT),
      lingerMs: settings.lingerMs,
    });
    this.server = createHttpServer(settings, this.connections);
  }

  /** Resources that clients currently occupy. */
  get usage(): GatewayUsage {
    return {
      connections: this.connections.open,
      requests: this.state.open.size,
      waitingRequests: this.connections.waitingRequests,
      transfers: this.state.slowTransfers.size,
      heldBytes: this.state.budget.heldBytes,
    };
  }

  /** The largest number of addresses that one API key was used from within the last hour. */
  get addressesOfOneKey(): number {
    return this.keyAddresses.largest();
  }

  /** Accepts requests; port 0 selects a free port. */
  listen(host: string, port: number): Promise<{ port: number; url: string }> {
    const { server } = this;
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

  /**
   * Says that the port closes soon: `/readyz` answers so, and each response asks its client to open another connection.
   * Returns whether a request came within the last seconds.
   */
  leave(): boolean {
    this.state.stopping = true;
    for (const context of this.state.open) context.hurry();
    return performance.now() - this.usedAt < USED_WITHIN_MS;
  }

  /** Stops accepting, finishes requests in progress, and cuts the remaining ones after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    const { server, state } = this;
    state.stopping = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const context of state.open) context.hurry();
    const unheardUntil = Date.now() + Math.min(UNHEARD_MS, graceMs);
    // Connections become idle one by one after their last response.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      // Node treats a new connection as busy, though it may never send a request.
      if (state.open.size === 0 && Date.now() >= unheardUntil) server.closeAllConnections();
    }, 50);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    state.slowTransfers.stop();
  }

  private begin({ req, res, awaitsContinue }: Arrival, ended: () => void): RequestContext {
    this.usedAt = performance.now();
    const context = new RequestContext(req, res, this.state, ended);
    context.awaitsContinue = awaitsContinue;
    const chained = req as ChainRequest;
    chained.context = context;
    this.chain(chained, res);
    return context;
  }
}

function stateOf(
  { log, onRequest, onShed }: GatewayOptions,
  settings: Required<GatewaySettings>,
  { budget, largeRecords }: SharedLimits,
): GatewayState {
  return {
    log,
    // Request lines cannot contain secrets, and searching for them costs more than writing the line.
    requestLog: log.child({}, { redact: [] }),
    settings,
    clientAddressOf: createClientAddress(settings.trustedProxies),
    slowTransfers: new SlowTransfers({
      windowMs: settings.paceWindowMs,
      bytesPerSecondMin: settings.bytesPerSecondMin,
    }),
    budget,
    largeRecords,
    observe: onRequest ?? (() => undefined),
    countShed: onShed ?? (() => undefined),
    open: new Set(),
    stopping: false,
  };
}

interface EndpointOptions extends HealthOptions {
  readonly web: Console;
  readonly clients: Clients;
  readonly settings: Required<GatewaySettings>;
  readonly cache: ResponseCache;
  readonly documentation?: URL;
}

/** All routes. If two match a path, the first one answers, so fixed names come before ids. */
export function createEndpoints(options: EndpointOptions): Endpoint[] {
  const { clients, settings, cache, web } = options;
  const { platforms } = settings;
  const revised = new RevisedResponses(cache);
  const routes = [
    ...fileRoutes(clients.media, settings),
    ...new OperationRoutes(clients.operation, settings, { cache, revised }).endpoints,
    ...signInRoutes(clients.auth, settings),
    ...meRoutes(clients.auth, settings),
    ...keyRoutes(clients.auth),
    ...userRoutes(clients.auth),
    ...auditRoutes(clients.auth),
    ...new ExportRoutes(clients.export, platforms).endpoints,
    ...postingRoutes(clients.insight, platforms, revised),
    postingRoute(clients.insight),
    importRoute(clients.insight),
    ...platformRoutes(clients.insight),
    ...insightRoutes(clients.insight, platforms),
    ...summaryRoutes(clients.insight, platforms, revised),
    ...healthRoutes(options),
    ...serverRoutes({ ...options, insight: clients.insight, operation: clients.operation }),
  ];
  const pages = [...new Docs(options.documentation).routes(), ...web.routes()];
  // The console reads the parameters of its addresses itself, and shows those that it does not know; the documentation has none.
  return [...[...routes, ...referenceRoutes(routes, platforms)].map(knowingItsNames), ...pages];
}

export interface OpenGatewayOptions extends Foundation<ProcessConfig & { readonly gateway: GatewayConfig }> {
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
export async function openGateway(options: OpenGatewayOptions): Promise<string> {
  const { config, log, lifecycle, metrics, monitoredHere, ...others } = options;
  const gateway = new Gateway({
    ...others,
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
  lifecycle.addEntrance(
    "REST port",
    (graceMs) => gateway.stop(graceMs),
    () => gateway.leave(),
  );
  return url;
}

function measureUsage(metrics: Metrics, gateway: Gateway): void {
  const usage = () => gateway.usage;
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge(name, help, () => Promise.resolve(read()));
  gauge("hourglass_http_connections", "Open connections to the REST port", () => usage().connections);
  gauge("hourglass_http_held_bytes", "Bytes of large bodies and answers on their way", () => usage().heldBytes);
  gauge(
    "hourglass_key_addresses",
    "Largest number of addresses that one API key was used from within an hour",
    () => gateway.addressesOfOneKey,
  );
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
