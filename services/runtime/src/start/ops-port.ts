import type { Metrics } from "../telemetry/metrics.js";
import { openPort } from "./open-port.js";
import { createOpsServer } from "./ops-server.js";
import type { ReadReadiness } from "../process/readiness.js";
import type { Foundation } from "./run-process.js";

/** Default port of processes that serve REST. */
export const GATEWAY_OPS_PORT = 9106;

export interface OpsPortOptions {
  readiness: ReadReadiness;
  metrics: Metrics;
  /** Default if OPS_PORT is not set. */
  port: number;
}

/**
 * Opens the port of a process for orchestrators and monitoring, on the address of its other ports, and returns its
 * number. The lifecycle closes it.
 */
export async function openOpsPort(
  { config, lifecycle }: Pick<Foundation, "config" | "lifecycle">,
  { readiness, metrics, port }: OpsPortOptions,
): Promise<number> {
  const ops = createOpsServer({ readiness, metrics, isStopping: () => lifecycle.signal.aborted });
  const place = { host: config.host, port: config.opsPort ?? port, variable: "OPS_PORT" } as const;
  const opened = await openPort(ops.listen(place.host, place.port), place);
  lifecycle.add("ops port", () => ops.close());
  return opened;
}
