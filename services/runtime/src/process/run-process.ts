import { type Config, type Owners, readConfig } from "../config/config.js";
import { ConfigError } from "../config/config-error.js";
import type { ProcessConfig } from "../config/process-config.js";
import { createLogger, type Logger } from "../log/logger.js";
import { startTracing } from "../telemetry/tracing.js";
import { armFailpoints } from "./failpoint.js";
import { Lifecycle } from "./lifecycle.js";
import { stopOnSignals } from "./signals.js";

/** What every process stands on. */
export interface Foundation<C extends ProcessConfig = ProcessConfig> {
  config: C;
  log: Logger;
  /** Receives every part as it starts; signals stop it. */
  lifecycle: Lifecycle;
}

/** A process. */
export interface ProcessDescription<O extends Owners> {
  /** Names it in logs, metrics and traces. */
  name: string;
  /** What it reads of the environment, beside what every process does. */
  settings: O;
}

/** Runs a process from its environment to its end by a signal. One that cannot start says why in one line, and exits with 1. */
export function runProcess<O extends Owners>(
  description: ProcessDescription<O>,
  start: (foundation: Foundation<Config<O>>) => Promise<void>,
): void {
  begin(description, start).catch((error: unknown) => {
    process.stderr.write(`Could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

async function begin<O extends Owners>(
  { name, settings }: ProcessDescription<O>,
  start: (foundation: Foundation<Config<O>>) => Promise<void>,
): Promise<void> {
  const config = configOrExit(settings);
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

function configOrExit<O extends Owners>(settings: O): Config<O> {
  try {
    return readConfig(process.env, settings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
