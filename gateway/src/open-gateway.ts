import type { Authenticate, Foundation, Metrics, ReadReadiness } from "@hourglass/runtime";
import type { Clients } from "./clients.js";
import { createGateway } from "./gateway.js";
import { settingsOf } from "./http/settings.js";

export interface OpenGatewayDeps extends Foundation {
  readonly clients: Clients;
  readonly authenticate: Authenticate;
  readonly readiness: ReadReadiness;
  readonly metrics: Metrics;
}

/** Opens the gateway of a process at its configured address, and returns its URL. The lifecycle closes it first of all. */
export async function openGateway({ config, log, lifecycle, metrics, ...deps }: OpenGatewayDeps): Promise<string> {
  const gateway = createGateway({
    ...deps,
    config: settingsOf(config),
    log,
    metrics: () => metrics.render(),
    onRequest: (request) => {
      metrics.observeHttp(request);
    },
    onShed: (code) => {
      metrics.countRequestShed(code);
    },
  });
  const { url } = await gateway.listen(config.http.host, config.http.port);
  lifecycle.addEntrance("REST port", (graceMs) => gateway.stop(graceMs));
  return url;
}
