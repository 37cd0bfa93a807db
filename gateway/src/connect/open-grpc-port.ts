import {
  createGrpcServer,
  createReportingDispatcher,
  openPort,
  type Authenticate,
  type AuthenticateService,
  type Foundation,
  type Metrics,
  type ProcessConfig,
} from "@hourglass/runtime";
import type { Clients } from "../clients.js";
import type { GatewayConfig } from "../config.js";
import { createUserLimit } from "../http/rate-limit.js";
import { forwardingRoutes } from "./forwarding-routes.js";

/** Default address of gRPC in a single process. */
const DEFAULT_PLACE = { host: "127.0.0.1", port: 50_050 };

export interface GrpcPortDeps extends Foundation<ProcessConfig & { readonly gateway: GatewayConfig }> {
  readonly clients: Clients;
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  readonly metrics: Metrics;
}

/**
 * Opens the port on which all services answer gRPC, with health and reflection, and returns its number. It is
 * `GRPC_PORT` at `HOST`, by default 50050 on the loopback interface; if the default port is taken, only a warning is
 * logged. The lifecycle closes the port.
 */
export async function openGrpcPort(deps: GrpcPortDeps): Promise<number | undefined> {
  const { config, log, lifecycle } = deps;
  const server = await createGrpcServer({
    routes: forwardingRoutes(deps.clients),
    dispatcher: createReportingDispatcher({ ...deps, authenticate: limited(deps) }),
    log,
    maxMessageBytes: config.gateway.bodyBytesMax,
    ...(config.tls === undefined ? {} : { tls: config.tls }),
  });
  const asked = config.grpcPort === undefined ? undefined : { host: config.host, port: config.grpcPort };
  const place = { ...(asked ?? DEFAULT_PLACE), variable: "GRPC_PORT" } as const;
  try {
    const port = await openPort(server.listen(place), place);
    lifecycle.addEntrance("gRPC port", (graceMs) => server.stop(graceMs));
    return port;
  } catch (error) {
    if (asked !== undefined) throw error;
    log.warn({ reason: error instanceof Error ? error.message : undefined }, "there is no gRPC port");
    return undefined;
  }
}

/** Every call authenticates its token exactly once, so the requests of a user are counted there. */
function limited({ config, authenticate }: GrpcPortDeps): Authenticate {
  const countRequest = createUserLimit(config.gateway.rateLimitPerMinute);
  if (countRequest === undefined) return authenticate;
  return async (token) => {
    const principal = await authenticate(token);
    await countRequest({ rateHeaders: [] }, principal);
    return principal;
  };
}
