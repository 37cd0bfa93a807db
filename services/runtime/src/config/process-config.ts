import path from "node:path";
import * as z from "zod";
import { ConfigError, addresses, flag, integer, password, port, secret, text, url, type Values } from "./variables.js";

const LOG_FORMATS = ["json", "pretty"] as const;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Variables that every process reads. */
export const PROCESS_VARIABLES = {
  HOST: text(253).default("127.0.0.1"),
  DATA_DIR: text().default("./data"),
  MONGODB_URL: secret(url("mongodb", "mongodb+srv").optional()),
  AMQP_URL: secret(url("amqp", "amqps").optional()),
  /** Prefix of the names of all queues and exchanges, so that several deployments can share a broker. */
  AMQP_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "1 to 63 of a-z, 0-9, _ and -")
    .default("hourglass"),
  /** A worker that does not renew its lease for this long loses its job. */
  LEASE_SECONDS: integer(1, 600, 15),
  /** Connections between the parts are renewed at this age, so that callers find new replicas. */
  CONNECTION_AGE_SECONDS: integer(1, 86_400, 300),
  /** Ports of a process that serves one part of the product; each part has its own default. */
  GRPC_PORT: port().optional(),
  OPS_PORT: port().optional(),
  /** Addresses of the other parts. */
  AUTH_ADDRESS: addresses("127.0.0.1:50051"),
  MEDIA_ADDRESS: addresses("127.0.0.1:50052"),
  OPERATION_ADDRESS: addresses("127.0.0.1:50053"),
  INSIGHT_ADDRESS: addresses("127.0.0.1:50054"),
  EXPORT_ADDRESS: addresses("127.0.0.1:50055"),
  /** PEM files for the connections between the parts. */
  TLS_CERT_FILE: text().optional(),
  TLS_KEY_FILE: text().optional(),
  TLS_CA_FILE: text().optional(),
  /** Whether callers must present a certificate from `TLS_CA_FILE`. */
  TLS_CLIENT_CERTS: flag,
  /** Services authenticate with it when they request their tokens from Auth. */
  SERVICE_SECRET: secret(password(16).optional()),
  LOG_FORMAT: z.enum(LOG_FORMATS, `one of ${LOG_FORMATS.join(", ")}`).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(", ")}`).default("info"),
  /** Tracing, by the standard variables; off unless an endpoint is set. The exporter reads the other ones itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http", "https").optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url("http", "https").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secret(z.string().optional()),
  OTEL_SERVICE_NAME: text(255).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  OTEL_SDK_DISABLED: flag,
  /** The commit that the image was built from; the metrics show it. */
  REVISION: text(255).optional(),
  /** Test hooks, effective only under NODE_ENV=test: `name=nth,…` kills the process at the nth pass. */
  FAILPOINTS: z.string().optional(),
  NODE_ENV: z.string().optional(),
} as const;

type ProcessValues = Values<typeof PROCESS_VARIABLES>;

/** PEM files; with `clientCerts`, callers must present a certificate from the authority in `caFile`. */
interface TlsConfig {
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly caFile: string | undefined;
  readonly clientCerts: boolean;
}

/** The common configuration of every process. */
export interface ProcessConfig {
  /** Address of all ports of the process. */
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  readonly mongodbUrl: string | undefined;
  readonly amqpUrl: string | undefined;
  readonly amqpPrefix: string;
  readonly leaseMs: number;
  /** Age at which a part renews the connections of its callers. */
  readonly connectionAgeMs: number;
  /** Ports of a process that serves one part of the product; undefined: that part's default. */
  readonly grpcPort: number | undefined;
  readonly opsPort: number | undefined;
  /** Addresses of the parts, one or more for each. */
  readonly addresses: Record<"auth" | "media" | "operation" | "insight" | "export", readonly string[]>;
  /** For connections between the parts; undefined: plaintext. */
  readonly tls: TlsConfig | undefined;
  /** Shared by services that call each other on their own behalf; not needed in a single process. */
  readonly serviceSecret: string | undefined;
  readonly tracing: {
    enabled: boolean;
    serviceName: string | undefined;
    /** Headers of the requests to the collector, `name=value` with commas between. */
    headers?: string | undefined;
  };
  /** The commit that this process was built from. */
  readonly revision: string | undefined;
  readonly logLevel: ProcessValues["LOG_LEVEL"];
  /** Default: for people on a terminal, JSON elsewhere. */
  readonly logFormat: ProcessValues["LOG_FORMAT"];
  /** Armed failpoints; empty unless NODE_ENV=test. */
  readonly failpoints: string;
  /** The environment for child processes: only what programs need to run, and no secrets. */
  readonly childEnvironment: Readonly<Record<string, string>>;
}

/** Builds the configuration of a process; `environment` is that of the process. Throws ConfigError. */
export function toProcessConfig(values: ProcessValues, environment: Readonly<Record<string, string>>): ProcessConfig {
  return {
    host: values.HOST,
    dataDir: path.resolve(values.DATA_DIR),
    mongodbUrl: values.MONGODB_URL,
    amqpUrl: values.AMQP_URL,
    amqpPrefix: values.AMQP_PREFIX,
    leaseMs: values.LEASE_SECONDS * 1000,
    connectionAgeMs: values.CONNECTION_AGE_SECONDS * 1000,
    grpcPort: values.GRPC_PORT,
    opsPort: values.OPS_PORT,
    addresses: {
      auth: values.AUTH_ADDRESS,
      media: values.MEDIA_ADDRESS,
      operation: values.OPERATION_ADDRESS,
      insight: values.INSIGHT_ADDRESS,
      export: values.EXPORT_ADDRESS,
    },
    tls: toTls(values),
    serviceSecret: values.SERVICE_SECRET,
    tracing: {
      enabled:
        !values.OTEL_SDK_DISABLED &&
        (values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined,
      serviceName: values.OTEL_SERVICE_NAME,
      headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    },
    revision: values.REVISION,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    failpoints: values.NODE_ENV === "test" ? (values.FAILPOINTS ?? "") : "",
    childEnvironment: Object.fromEntries(Object.entries(environment).filter(([name]) => HARMLESS.has(name))),
  };
}

/** Variables that programs need to run. */
const HARMLESS: ReadonlySet<string> = new Set(
  "PATH HOME TMPDIR TEMP TMP LANG LC_ALL TZ LD_LIBRARY_PATH SystemRoot".split(" "),
);

function toTls(values: ProcessValues): TlsConfig | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile, TLS_CLIENT_CERTS: clientCerts } = values;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError("Wrong configuration: TLS_CERT_FILE and TLS_KEY_FILE go together, set both or none");
  }
  if (clientCerts && (certFile === undefined || caFile === undefined)) {
    throw new ConfigError("Wrong configuration: TLS_CLIENT_CERTS needs TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE");
  }
  if (certFile === undefined && caFile === undefined) return undefined;
  return { certFile, keyFile, caFile, clientCerts };
}
