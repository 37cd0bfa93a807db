import { type Config, type Owners, readConfig, unknownVariables } from "../config/config.js";
import type { ProcessConfig } from "../config/process-config.js";
import { ConfigError } from "../config/variables.js";
import { createLogger, type Logger } from "../log.js";
import { startTracing } from "../telemetry/tracing.js";
import { certificatesOf, watchCertificates } from "../tls-certificates.js";
import { armFailpoints } from "./failpoint.js";
import { Lifecycle, stopOnSignals } from "./lifecycle.js";
import { LogOutput, standardOutput } from "./log-output.js";
import { warnOfUnsupportedNode } from "./node-release.js";

/** Common dependencies of every process. */
export interface Foundation<C extends ProcessConfig = ProcessConfig> {
  config: C;
  log: Logger;
  /** Every part registers here when it starts; signals stop it. */
  lifecycle: Lifecycle;
}

/** Description of a process. */
export interface ProcessDescription<O extends Owners> {
  /** Name in logs, metrics and traces. */
  name: string;
  /** Settings from the environment, in addition to those of every process. */
  settings: O;
}

/** Runs a process until a signal stops it. If it cannot start, it logs a one-line reason and exits with 1. */
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
  const log = createLogger(config.logLevel, await logOutput(name, config.logFormat)).child({ process: name });
  warnOfUnsupportedNode(process.versions.node, { now: new Date(), log });
  for (const { variable, meant } of unknownVariables(process.env)) {
    log.warn({ variable, meant }, `${variable} is not a setting and has no effect; did you mean ${meant}?`);
  }
  const lifecycle = new Lifecycle(log);
  stopOnSignals(lifecycle, log);
  const tracing = await startTracing({ config: config.tracing, process: name, log });
  lifecycle.add("tracing", () => tracing.stop());
  if (config.tls !== undefined) {
    const watch = watchCertificates(await certificatesOf(config.tls), log);
    lifecycle.add("certificates", (graceMs) => watch.stop(graceMs));
  }
  try {
    await start({ config, log, lifecycle });
  } catch (error) {
    // If a signal arrived during the start, its handler ends the process.
    if (!lifecycle.signal.aborted) throw error;
  }
}

/** The log on standard output: by default lines for people on a terminal, and JSON lines elsewhere. */
async function logOutput(name: string, format: ProcessConfig["logFormat"]): Promise<LogOutput> {
  const { stdout } = process;
  const output = { sink: standardOutput(), process: name };
  if ((format ?? (stdout.isTTY ? "pretty" : "json")) === "json") return new LogOutput(output);
  const { prettyFactory } = await import("pino-pretty");
  const pretty = prettyFactory({
    colorize: stdout.isTTY && stdout.hasColors(),
    translateTime: "SYS:HH:MM:ss",
    ignore: "process",
    singleLine: true,
  });
  return new LogOutput({ ...output, format: pretty });
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

/** A port to open, and the variable that configures it. */
interface PortPlace {
  host: string;
  port: number;
  variable: "PORT" | "GRPC_PORT" | "OPS_PORT";
}

/** Waits until a port is open; a failure becomes one sentence for the operator that names the variable to change. */
export async function openPort<T>(opening: Promise<T>, place: PortPlace): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw new Error(explain(error, place), { cause: error });
  }
}

function explain(error: unknown, { host, port, variable }: PortPlace): string {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use by another program: stop that, or set ${variable} to a port that is free.`;
    case "EACCES":
      return `this user may not open port ${port}: set ${variable} to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `this machine has no address ${host}: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return `port ${port} of ${host} (${variable}) cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Node's error code, also if the error is wrapped by a library. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const { code, cause } = error as NodeJS.ErrnoException;
  if (typeof code === "string") return code;
  return cause === undefined
    ? /\b(EADDRINUSE|EACCES|EADDRNOTAVAIL|ENOTFOUND)\b/.exec(error.message)?.[1]
    : codeOf(cause);
}
