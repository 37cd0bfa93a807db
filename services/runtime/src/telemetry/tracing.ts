import type { ProcessConfig } from "../config/process-config.js";
import type { Logger } from "../log.js";
import type { Tracing } from "./opentelemetry.js";

export type { Tracing };

interface TracingOptions {
  config: ProcessConfig["tracing"];
  /** Name of the process, for example `gateway`: the default service name is then `hourglass-gateway`. */
  process: string;
  log: Logger;
}

/**
 * Sends the traces of this process to the collector configured in the environment. Start it first and stop it last. If
 * tracing is off, it does nothing, and its packages are not loaded.
 */
export async function startTracing({ config, process, log }: TracingOptions): Promise<Tracing> {
  if (!config.enabled) return { stop: () => Promise.resolve() };
  const { exportSpans } = await import("./opentelemetry.js");
  return exportSpans({ serviceName: config.serviceName, headers: config.headers, process, log });
}
