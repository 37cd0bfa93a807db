import type { ProcessConfig } from "../config/process-config.js";
import type { Logger } from "../log/logger.js";
import type { Tracing } from "./span-export.js";

export type { Tracing };

export interface TracingOptions {
  config: ProcessConfig["tracing"];
  /** What this process is, such as `gateway`: the service is named `hourglass-gateway` unless the environment says otherwise. */
  process: string;
  log: Logger;
}

/**
 * Sends the traces of this process to the collector that the environment names. Call it first of all, and stop it last.
 * With tracing off it does nothing, and the packages for it are not even loaded.
 */
export async function startTracing({ config, process, log }: TracingOptions): Promise<Tracing> {
  if (!config.enabled) return { stop: () => Promise.resolve() };
  const { exportSpans } = await import("./span-export.js");
  return exportSpans({ serviceName: config.serviceName, process, log });
}
