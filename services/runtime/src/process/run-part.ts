import type { DescService } from "@bufbuild/protobuf";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { AuditTrail } from "../auth/audit-trail.js";
import { createServiceAuthenticator, createTokenAuthenticator } from "../auth/authenticators.js";
import { ServiceTokens } from "../auth/service-tokens.js";
import type { Config, Owners } from "../config/config.js";
import type { ProcessConfig } from "../config/process-config.js";
import { ConfigError } from "../config/variables.js";
import type { Logger } from "../log.js";
import {
  type Authenticate,
  type AuthenticateService,
  type Route,
  type Client,
  startingRoutes,
} from "../rpc/service.js";
import { Dispatcher } from "../rpc/dispatch.js";
import { createGrpcServer, type GrpcServer, createGrpcClient } from "../rpc/grpc.js";
import { FULL_CODES } from "../storage/disk-space-monitor.js";
import { measureStorage } from "../storage/storage-usage.js";
import { nameOfStore, openStorage, type Storage } from "../storage/storage.js";
import type { ServiceData } from "../store/declaration.js";
import type { Metrics } from "../telemetry/metrics.js";
import { reportLoopStalls } from "./loop-watch.js";
import { openOpsPort, createProcessMetrics } from "./ops-server.js";
import { Dependencies, untilAvailable } from "./readiness.js";
import { openPort, runProcess, type Foundation, type ProcessDescription } from "./run-process.js";

/** A process that runs one part of the product. */
interface PartDescription<P extends keyof Storage, O extends Owners> extends ProcessDescription<O> {
  /** Default ports. */
  grpcPort: number;
  opsPort: number;
  /** Services served over gRPC, in addition to health and reflection. */
  services: readonly DescService[];
  /** The parts of the storage that it uses. */
  storage: readonly P[];
  /** Those without which it still serves calls: while one is unavailable, the process is ready and reports it. */
  servesWithout?: readonly P[];
  /** Whether it issues service tokens, or calls others with its own. */
  needsServiceSecret?: boolean;
  /** What it keeps, which it measures; `whole`: it measures the database as a whole too. */
  keeps?: { data: (config: Config<O>) => readonly ServiceData[]; whole?: boolean };
  /** Repeated from the start while the store is unavailable. */
  build(part: Part<P, Config<O>>): Promise<BuiltPart>;
}

/** Dependencies for building a part. */
export interface Part<P extends keyof Storage, C extends ProcessConfig = ProcessConfig> extends Foundation<C> {
  storage: Pick<Storage, P>;
  metrics: Metrics;
  /** Registers the dependencies reported in `/readyz`. */
  dependencies: Dependencies;
  /** Clients of other parts. */
  client: RemoteClients;
  /** Tokens for calls to other parts on its own behalf. Only for a part that needs SERVICE_SECRET. */
  serviceTokens: () => Promise<ServiceTokens>;
}

interface BuiltPart {
  routes: readonly Route[];
  /** Checks tokens in this process; if absent, Auth is called. */
  authenticate?: Authenticate;
  /** Starts loops and other work that must start only once; called once, after everything is built. */
  start?(): void;
}

/** Interval of the health service's storage checks, in milliseconds. */
const HEALTH_EVERY_MS = 2000;

/** Entry point of a process for one part. Ports open first, so that it is observable while waiting for dependencies. */
export function runPart<P extends keyof Storage, O extends Owners>(description: PartDescription<P, O>): void {
  runProcess(description, (foundation) => startPart(description, foundation));
}

async function startPart<P extends keyof Storage, O extends Owners>(
  description: PartDescription<P, O>,
  foundation: Foundation<Config<O>>,
): Promise<void> {
  const { config, log, lifecycle } = foundation;
  if (description.needsServiceSecret === true) serviceSecretOf(config);
  const dependencies = new Dependencies();
  const metrics = createProcessMetrics(foundation.config, dependencies);
  reportLoopStalls({ log, lifecycle, metrics });
  const readiness = dependencies.read;
  const opsPort = await openOpsPort(foundation, { readiness, metrics, port: description.opsPort });
  const parts = ["contents", ...description.storage] as const;
  const { contents, ...storage } = await openStorage({ config, log, lifecycle, dependencies, parts });
  const dispensable: readonly string[] = description.servesWithout ?? [];
  for (const [name, part] of Object.entries<Storage[keyof Storage]>(storage)) {
    const ping = () => part.ping();
    if (dispensable.includes(name)) dependencies.want(name, ping);
    else dependencies.need(name, ping);
  }
  const client = remoteClients(foundation);
  const serviceTokens = async () => {
    const secret = serviceSecretOf(config);
    return new ServiceTokens({ auth: await client(AuthService, "auth"), service: description.name, secret, log });
  };
  const part: Part<P, Config<O>> = { ...foundation, storage, metrics, dependencies, client, serviceTokens };
  const served = await servePart(description, part);
  const what = nameOfStore(config);
  const built = await untilAvailable(() => description.build(part), { what, log, signal: lifecycle.signal });
  served.complete(built);
  built.start?.();
  if (description.keeps !== undefined) {
    const { data, whole = false } = description.keeps;
    const { blobs }: Partial<Storage> = storage;
    measureStorage(foundation, { contents, blobs, data: data(config), whole, metrics });
  }
  dependencies.setStarted();
  await followReadiness(served.server, part);
  log.info({ grpcPort: served.port, opsPort }, "ready");
}

function serviceSecretOf({ serviceSecret }: ProcessConfig): string {
  if (serviceSecret !== undefined) return serviceSecret;
  throw new ConfigError(
    "Wrong configuration: SERVICE_SECRET is not set, allowed: at least 16 characters, the same for auth, operation, export and workers",
  );
}

interface ServedPart {
  server: GrpcServer;
  port: number;
  complete(built: BuiltPart): void;
}

async function servePart(
  { services, grpcPort }: { services: readonly DescService[]; grpcPort: number },
  part: Part<never>,
): Promise<ServedPart> {
  const { config, log, lifecycle, metrics } = part;
  const { store }: Partial<Storage> = part.storage;
  const starting = startingRoutes(services);
  let check: Authenticate | undefined;
  const callsAuth = services.some((service) => service !== AuthService);
  const auth = callsAuth ? await part.client(AuthService, "auth") : undefined;
  const remote = auth && createTokenAuthenticator({ auth, log });
  const dispatcher = createReportingDispatcher({
    authenticate: (token) => {
      const authenticate = check ?? remote;
      if (authenticate === undefined) throw new Error("a route was reached before its part was built");
      return authenticate(token);
    },
    ...(auth && { authenticateService: createServiceAuthenticator({ auth, log }) }),
    ...(store && { audit: new AuditTrail(store) }),
    log,
    metrics,
  });
  const server = await createGrpcServer({
    routes: starting.routes,
    dispatcher,
    log,
    connectionAgeMs: config.connectionAgeMs,
    ...(config.tls === undefined ? {} : { tls: config.tls }),
  });
  server.setServing(false);
  const place = { host: config.host, port: config.grpcPort ?? grpcPort, variable: "GRPC_PORT" } as const;
  const port = await openPort(server.listen(place), place);
  lifecycle.addEntrance("gRPC port", (graceMs) => server.stop(graceMs));
  const complete = ({ routes, authenticate }: BuiltPart) => {
    check = authenticate;
    starting.complete(routes);
  };
  return { server, port, complete };
}

/** Updates the health service from the state of the dependencies. */
async function followReadiness(
  server: GrpcServer,
  { dependencies, lifecycle }: Pick<Part<never>, "dependencies" | "lifecycle">,
): Promise<void> {
  const follow = async () => {
    const { ready } = await dependencies.read();
    if (!lifecycle.signal.aborted) server.setServing(ready);
  };
  const timer = setInterval(() => void follow(), HEALTH_EVERY_MS);
  lifecycle.signal.addEventListener("abort", () => clearInterval(timer));
  await follow();
}

/** Creates a client of another part's service, at its configured addresses; that part need not be running yet. */
export type RemoteClients = <S extends DescService>(
  service: S,
  part: keyof ProcessConfig["addresses"],
) => Promise<Client<S>>;

/** Creates clients that the lifecycle closes. */
export function remoteClients({ config, lifecycle }: Pick<Foundation, "config" | "lifecycle">): RemoteClients {
  return async (service, part) => {
    const { tls } = config;
    const options = tls === undefined ? {} : { tls };
    const { client, close } = await createGrpcClient(service, config.addresses[part], options);
    lifecycle.add(`client of ${service.typeName}`, () => {
      close();
    });
    return client;
  };
}

/** A service of another part, and the tokens for calling it on this process's own behalf. */
export async function connectService<S extends DescService>(
  { client, serviceTokens }: { client: RemoteClients; serviceTokens: () => Promise<ServiceTokens> },
  service: S,
  part: keyof ProcessConfig["addresses"],
): Promise<{ client: Client<S>; serviceTokens: ServiceTokens }> {
  return { client: await client(service, part), serviceTokens: await serviceTokens() };
}

interface Reporting {
  authenticate: Authenticate;
  /** Required if a method accepts service tokens. */
  authenticateService?: AuthenticateService;
  /** Where acts of callers are recorded; absent where another dispatcher serves the calls. */
  audit?: AuditTrail;
  log: Logger;
  metrics: Metrics;
  /** Whether another dispatcher serves the calls, and counts what it refuses. Default: false. */
  forwards?: boolean;
}

/** A dispatcher that counts every call and logs server failures. */
export function createReportingDispatcher({
  log,
  metrics,
  forwards = false,
  ...authenticators
}: Reporting): Dispatcher {
  return new Dispatcher({
    ...authenticators,
    reportFailure: (failure, method, call) => {
      const about = { err: failure.cause, rpc: method.toString(), request_id: call.requestId, caller: call.service };
      log.error(about, "unexpected failure");
    },
    observeCall: ({ method, outcome, code = "", waited, durationMs }) => {
      const called = { service: method.parent.typeName, method: method.name, code: outcome };
      metrics.observeRpc({ ...called, waited, seconds: durationMs / 1000 });
      if (FULL_CODES.has(code) && !forwards) metrics.countRequestShed(code);
    },
  });
}
