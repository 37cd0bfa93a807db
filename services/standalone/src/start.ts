import { randomBytes } from "node:crypto";
import type { DescService } from "@bufbuild/protobuf";
import { buildAuthService, type AuthServiceParts, type Bootstrapped } from "@hourglass/auth";
import { buildExportService, EXPORT_ROLES } from "@hourglass/export";
import { createSharedLimits, openGateway, openGrpcPort, type Clients } from "@hourglass/gateway";
import { buildInsightService, INSIGHT_ROLES } from "@hourglass/insight";
import { PreviewMaker } from "@hourglass/analysis/previews";
import { buildMediaService } from "@hourglass/media";
import { buildOperationService, OPERATION_ROLES } from "@hourglass/operation";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import {
  ALL_PARTS,
  AuditTrail,
  createGrpcClient,
  createGrpcServer,
  createInProcessClient,
  createProcessMetrics,
  reportLoopStalls,
  createReportingDispatcher,
  createServiceAuthenticator,
  createTokenAuthenticator,
  Dependencies,
  GATEWAY_OPS_PORT,
  isLoopback,
  measureStorage,
  nameOfStore,
  openOpsPort,
  openStorage,
  ServiceTokens,
  startRoles,
  startingRoutes,
  untilAvailable,
  type Authenticate,
  type AuthenticateService,
  type Client,
  type Dispatcher,
  type Foundation,
  type Lifecycle,
  type Logger,
  type Metrics,
  type Route,
  type Storage,
} from "@hourglass/runtime";
import { createAnalyses, type Analyses } from "@hourglass/worker";
import { allData } from "./company-data.js";
import type { StandaloneConfig } from "./config.js";

/** How the services of this process call each other: by function call, or over gRPC ports on the loopback interface. */
export type Transport = "in-process" | "grpc";

export interface StandaloneOptions extends Foundation<StandaloneConfig> {
  transport?: Transport;
}

/** The running product. */
export interface Standalone {
  /** For example `http://127.0.0.1:8080`. */
  url: string;
  /**
   * Port on which all services answer gRPC, on the same host if `GRPC_PORT` is set, otherwise on the loopback
   * interface; undefined: none.
   */
  grpcPort: number | undefined;
  /** The first user, if the password is known. */
  bootstrap: Bootstrapped | undefined;
}

/** The dependencies of all parts. */
interface Composition extends Foundation<StandaloneConfig> {
  storage: Storage;
  metrics: Metrics;
  dependencies: Dependencies;
  host: Host;
  authenticate: Authenticate;
  authenticateService: AuthenticateService;
  audit: AuditTrail;
  /** Internal, since all services are in this process. */
  serviceSecret: string;
  analyses: () => Promise<Analyses>;
}

/**
 * Starts the whole product in this process. The gateway is opened first: while a remote database is unavailable, it
 * answers that the services are starting.
 */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { config, log, lifecycle, transport = "in-process" } = options;
  const dependencies = new Dependencies();
  const parts = [...ALL_PARTS, "contents"] as const;
  const { contents, ...storage } = await openStorage({ config, log, lifecycle, parts, dependencies });
  needStorage(dependencies, storage);
  const metrics = createProcessMetrics(config, dependencies);
  reportLoopStalls({ log, lifecycle, metrics });
  const host = createHost(transport, options);
  const audit = new AuditTrail(storage.store);
  const publishAuth = await serveAuth(host, { log, metrics, audit });
  const checks = { auth: await host.client(AuthService), log };
  const authenticate = createTokenAuthenticator(checks);
  const authenticateService = createServiceAuthenticator(checks);
  const serviceSecret = config.serviceSecret ?? randomBytes(32).toString("base64url");
  const analyses = createAnalyses({ ...options, storage, dependencies });
  const identity = { authenticate, authenticateService, serviceSecret };
  const composition = { ...options, ...identity, storage, metrics, host, analyses, dependencies, audit };
  const publishMedia = await serve(composition, [MediaService]);
  const publishOperations = await serve(composition, [OperationService]);
  const publishInsights = await serve(composition, [InsightService]);
  const publishExports = await serve(composition, [ExportService]);
  const readiness = composition.dependencies.read;
  const monitoredHere = await openMonitoring(composition);
  const clients = await clientsOf(host);
  const limits = createSharedLimits(options.config.gateway);
  const edge = { ...options, authenticate, authenticateService, metrics, limits, clients };
  const url = await openGateway({ ...edge, readiness, monitoredHere });
  const bootstrap = await onceAvailable(composition, () => startAuth(composition, publishAuth));
  await onceAvailable(composition, () => startMedia(composition, publishMedia));
  await onceAvailable(composition, () => startOperations(composition, publishOperations));
  await onceAvailable(composition, () => startInsights(composition, publishInsights));
  await onceAvailable(composition, () => startExports(composition, publishExports));
  composition.dependencies.setStarted();
  const { blobs } = storage;
  measureStorage(composition, { contents, blobs, data: allData(config), whole: true, metrics });
  // Last, because most callers need only REST, and loading gRPC takes time.
  return { url, bootstrap, grpcPort: await openGrpcPort(edge) };
}

/**
 * Opens a port for monitors, unless everything is bound to the loopback interface: the REST port then serves them too.
 * Returns whether that is the case.
 */
async function openMonitoring({ config, log, lifecycle, metrics, dependencies }: Composition): Promise<boolean> {
  if (isLoopback(config.host) && config.opsPort === undefined) return true;
  const readiness = dependencies.read;
  const opsPort = await openOpsPort({ config, lifecycle }, { readiness, metrics, port: GATEWAY_OPS_PORT });
  log.info({ opsPort }, "metrics and the details of readiness are on a separate port");
  return false;
}

function needStorage(dependencies: Dependencies, storage: Storage): void {
  dependencies.need("store", () => storage.store.ping());
  // What it accepts waits in the store until the queue is back.
  dependencies.want("queue", () => storage.queue.ping());
  dependencies.need("files", () => storage.blobs.ping());
}

/** Waits for a remote database; an unusable folder ends the start. */
function onceAvailable<T>({ config, log, lifecycle }: Composition, work: () => Promise<T>): Promise<T> {
  if (config.mongodbUrl === undefined) return work();
  return untilAvailable(work, { what: nameOfStore(config), log, signal: lifecycle.signal });
}

/**
 * Serves Auth, which answers that it is starting until the returned function publishes it. It then checks tokens itself;
 * no call reaches the check before that.
 */
async function serveAuth(
  host: Host,
  reporting: { log: Logger; metrics: Metrics; audit: AuditTrail },
): Promise<(auth: AuthServiceParts) => void> {
  const starting = startingRoutes([AuthService]);
  let built: AuthServiceParts | undefined;
  const authenticate: Authenticate = (token) => {
    if (built === undefined) throw new Error("Auth was reached before it was built");
    return built.authenticate(token);
  };
  await host.serve(starting.routes, createReportingDispatcher({ authenticate, ...reporting }));
  return (auth) => {
    built = auth;
    starting.complete(auth.routes);
  };
}

/** Serves services that answer that they are starting until the returned function publishes their routes. */
async function serve(
  { host, ...reporting }: Composition,
  services: readonly DescService[],
): Promise<(routes: readonly Route[]) => void> {
  const starting = startingRoutes(services);
  await host.serve(starting.routes, createReportingDispatcher(reporting));
  return starting.complete;
}

async function startAuth(
  { config, log, lifecycle, storage, serviceSecret }: Composition,
  publish: (auth: AuthServiceParts) => void,
): Promise<Bootstrapped | undefined> {
  const auth = await buildAuthService({ store: storage.store, config, serviceSecret, log });
  lifecycle.add("auth", () => {
    auth.close();
  });
  const bootstrapped = await auth.bootstrap();
  publish(auth);
  return bootstrapped;
}

async function startMedia(composition: Composition, publish: (routes: readonly Route[]) => void): Promise<void> {
  const { config, log, lifecycle, storage, metrics } = composition;
  const previews = new PreviewMaker(config.media.previews);
  lifecycle.add("small pictures", () => previews.close());
  const media = await buildMediaService({ ...storage, config: config.media, previews, log, metrics });
  publish(media.routes);
  const sweeper = media.startSweeper();
  lifecycle.addWork("file sweeper", (graceMs) => sweeper.stop(graceMs));
}

async function startOperations(composition: Composition, publish: (routes: readonly Route[]) => void): Promise<void> {
  const { config, log, lifecycle, storage, metrics, host, analyses } = composition;
  const { store, queue } = storage;
  const serviceTokens = await tokensOf("operation", composition);
  // The gateway of this process knows which analyses work.
  const { pool, files } = await analyses();
  const operations = await buildOperationService({
    store,
    queue,
    media: { client: await host.client(MediaService), serviceTokens },
    pool,
    files,
    config: config.operation,
    log,
    metrics,
    stopping: lifecycle.signal,
  });
  publish(operations.routes);
  const relay = operations.startRelay();
  lifecycle.addWork("relay", (graceMs) => relay.stop(graceMs));
  startRoles(OPERATION_ROLES, operations, { wanted: config.work.roles, lifecycle });
}

async function startInsights(composition: Composition, publish: (routes: readonly Route[]) => void): Promise<void> {
  const { config, log, lifecycle, storage, metrics, analyses } = composition;
  const { store, queue } = storage;
  const insights = await buildInsightService({ store, queue, ...(await analyses()), config, log, metrics });
  lifecycle.add("requests to platforms", () => insights.close());
  publish(insights.routes);
  const relay = insights.startRelay();
  lifecycle.addWork("insight relay", (graceMs) => relay.stop(graceMs));
  startRoles(INSIGHT_ROLES, insights, { wanted: config.work.roles, lifecycle });
}

async function startExports(composition: Composition, publish: (routes: readonly Route[]) => void): Promise<void> {
  const { config, log, lifecycle, storage, metrics, host } = composition;
  const serviceTokens = await tokensOf("export", composition);
  const exports = await buildExportService({
    ...storage,
    insight: { client: await host.client(InsightService), serviceTokens },
    config: config.export,
    log,
    metrics,
    stopping: lifecycle.signal,
  });
  publish(exports.routes);
  const relay = exports.startRelay();
  lifecycle.addWork("export relay", (graceMs) => relay.stop(graceMs));
  startRoles(EXPORT_ROLES, exports, { wanted: config.work.roles, lifecycle });
}

/** The tokens that a service calls others with on its own initiative. */
async function tokensOf(service: string, { host, log, serviceSecret: secret }: Composition): Promise<ServiceTokens> {
  return new ServiceTokens({ auth: await host.client(AuthService), service, secret, log });
}

async function clientsOf(host: Host): Promise<Clients> {
  return {
    auth: await host.client(AuthService),
    operation: await host.client(OperationService),
    media: await host.client(MediaService),
    insight: await host.client(InsightService),
    export: await host.client(ExportService),
  };
}

/** Serves services and creates clients of them. */
interface Host {
  /** Serves the routes of one service. */
  serve(routes: readonly Route[], dispatcher: Dispatcher): Promise<void>;
  /** A client of a service that is served here. */
  client<S extends DescService>(service: S): Promise<Client<S>>;
}

/** Creates the host; the lifecycle closes what it opens. */
function createHost(transport: Transport, deps: { lifecycle: Lifecycle; log: Logger }): Host {
  return transport === "grpc" ? createGrpcHost(deps) : createInProcessHost();
}

function createInProcessHost(): Host {
  const served = new Map<string, { route: Route; dispatcher: Dispatcher }>();
  return {
    serve: (routes, dispatcher) => {
      for (const route of routes) served.set(route.service.typeName, { route, dispatcher });
      return Promise.resolve();
    },
    client: (service) => {
      const { route, dispatcher } = found(served, service);
      return Promise.resolve(createInProcessClient(service, route, dispatcher));
    },
  };
}

function createGrpcHost({ lifecycle, log }: { lifecycle: Lifecycle; log: Logger }): Host {
  const addresses = new Map<string, string>();
  return {
    serve: async (routes, dispatcher) => {
      const server = await createGrpcServer({ routes, dispatcher, log });
      const port = await server.listen({ port: 0 });
      lifecycle.add(`port of ${routes[0]?.service.typeName}`, (graceMs) => server.stop(graceMs));
      for (const { service } of routes) addresses.set(service.typeName, `127.0.0.1:${port}`);
    },
    client: async (service) => {
      const { client, close } = await createGrpcClient(service, found(addresses, service));
      lifecycle.add(`client of ${service.typeName}`, () => {
        close();
      });
      return client;
    },
  };
}

function found<T>(served: ReadonlyMap<string, T>, service: DescService): T {
  const value = served.get(service.typeName);
  if (value === undefined) throw new Error(`${service.typeName} is not served`);
  return value;
}
