import { pino, type DestinationStream, type Logger as PinoLogger } from "pino";

/** Structured log, JSON lines. Log fields, not sentences with values in them; never a request or response whole. */
export type Logger = PinoLogger;

const SECRETS = ["authorization", "password", "token", "secret", "cookie", "email"];

/** Makes the log of a process; parts of it take a `child({ service })`. Secrets are cut out by their field names. */
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
