import {
  openPort,
  type Authenticate,
  type AuthenticateService,
  type Foundation,
  type Metrics,
  type ProcessConfig,
  type ReadReadiness,
} from "@hourglass/runtime";
import type { Clients } from "./clients.js";
import type { GatewayConfig } from "./config.js";
import { createGateway, type Gateway } from "./gateway.js";
import type { SharedLimits } from "./http/limits/shared-limits.js";

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
