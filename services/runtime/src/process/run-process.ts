import { ConfigError, readConfig, type Config } from "../config/config.js";
import { createLogger, type Logger } from "../log/logger.js";
import { startTracing } from "../telemetry/tracing.js";
import { armFailpoints } from "./failpoint.js";
import { Lifecycle } from "./lifecycle.js";
import { stopOnSignals } from "./signals.js";

/** What every process stands on. */
export interface Foundation {
  config: Config;
  log: Logger;
  /** Receives every part as it starts; signals stop it. */
  lifecycle: Lifecycle;
}

/**
 * Runs a process from its environment to its end by a signal; `name` is what log and traces call it. One that cannot
 * start says why in one line, and exits with 1.
 */
export function runProcess(name: string, start: (foundation: Foundation) => Promise<void>): void {
  begin(name, start).catch((error: unknown) => {
    process.stderr.write(`Could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

async function begin(name: string, start: (foundation: Foundation) => Promise<void>): Promise<void> {
  const config = configOrExit();
  armFailpoints(config.failpoints);
  const log = createLogger(config.logLevel).child({ process: name });
  const lifecycle = new Lifecycle(log);
  stopOnSignals(lifecycle, log);
  const tracing = await startTracing({ config: config.tracing, process: name, log });
  lifecycle.add("tracing", () => tracing.stop());
  try {
    await start({ config, log, lifecycle });
  } catch (error) {
    // Told to stop while it was starting: the signal's way out is the right one.
    if (!lifecycle.signal.aborted) throw error;
  }
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
