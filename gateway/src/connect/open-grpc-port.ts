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
import { OverQuota } from "../http/errors.js";
import type { SharedLimits } from "../http/limits/shared-limits.js";
import { forwardingRoutes } from "./forwarding-routes.js";
import { holdInBudget } from "./message-budget.js";

/** Default address of gRPC in a single process. */
const DEFAULT_PLACE = { host: "127.0.0.1", port: 50_050 };

export interface GrpcPortDeps extends Foundation<ProcessConfig & { readonly gateway: GatewayConfig }> {
  readonly clients: Clients;
  readonly authenticate: Authenticate;
  readonly authenticateService: AuthenticateService;
  readonly metrics: Metrics;
  /** Those of the HTTP port, so that a second port gives nobody a second allowance. */
  readonly limits: SharedLimits;
}

/**
 * Opens the port on which all services answer gRPC, with health and reflection, and returns its number. It is
 * `GRPC_PORT` at `HOST`, by default 50050 on the loopback interface; if the default port is taken, only a warning is
 * logged. The lifecycle closes the port.
 */
export async function openGrpcPort(deps: GrpcPortDeps): Promise<number | undefined> {
  const { config, log, lifecycle, limits, metrics } = deps;
  const { bodyBytesMax } = config.gateway;
  const onShed = (code: string) => metrics.countRequestShed(code);
  const server = await createGrpcServer({
    routes: forwardingRoutes(deps.clients),
    dispatcher: createReportingDispatcher({ ...deps, authenticate: limited(deps, onShed), forwards: true }),
    log,
    maxMessageBytes: bodyBytesMax,
    holdMessages: holdInBudget({ budget: limits.budget, bodyBytesMax, onShed }),
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
function limited(
  { limits: { countRequest }, authenticate }: GrpcPortDeps,
  onShed: (code: string) => void,
): Authenticate {
  if (countRequest === undefined) return authenticate;
  return async (token) => {
    const principal = await authenticate(token);
    try {
      await countRequest({ rateHeaders: [] }, principal);
    } catch (error) {
      if (error instanceof OverQuota) onShed(error.code);
      throw error;
    }
    return principal;
  };
}
