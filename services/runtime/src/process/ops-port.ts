import { ConfigError } from "../config/config.js";
import type { Metrics } from "../telemetry/metrics.js";
import { createOpsServer } from "./ops-server.js";
import type { ReadReadiness } from "./readiness.js";
import type { Foundation } from "./run-process.js";

/** Of processes that serve REST, unless configured. */
export const GATEWAY_OPS_PORT = 9106;

export interface OpsPortOptions {
  readiness: ReadReadiness;
  metrics: Metrics;
  /** Unless OPS_PORT says otherwise. */
  port: number;
}

/**
 * Opens the port for orchestrators and monitors of a process, on the address of its other ports, and returns its number.
 * The lifecycle closes it. Fails with ConfigError when the port is taken.
 */
export async function openOpsPort(
  { config, lifecycle }: Pick<Foundation, "config" | "lifecycle">,
  { readiness, metrics, port }: OpsPortOptions,
): Promise<number> {
  const ops = createOpsServer({ readiness, metrics, isStopping: () => lifecycle.signal.aborted });
  const wanted = config.opsPort ?? port;
  const opened = await ops.listen(config.http.host, wanted).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new ConfigError(`Port ${wanted} is taken by another program: set OPS_PORT to a free one`);
  });
  lifecycle.add("ops port", () => ops.close());
  return opened;
}
