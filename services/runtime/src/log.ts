import { pino, type DestinationStream, type Logger as PinoLogger } from "pino";

/** Structured log, JSON lines. Log values as fields, not in sentences; never log a whole request or response. */
export type Logger = PinoLogger;

const SECRETS = ["authorization", "password", "token", "secret", "cookie", "email"];

/** Creates the log of a process; its parts use a `child({ service })`. Secrets are redacted by field name. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "(redacted)" },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
