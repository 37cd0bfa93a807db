import path from "node:path";
import { z } from "zod";
import type { TrustedProxies } from "../address/trusted-proxies.js";
import { type AnalysisConfig, toAnalysis } from "./analysis-config.js";
import { SECRET_VARIABLES, type Values, VARIABLES } from "./variables.js";

const schema = z.object(VARIABLES);

/** What a file may be at most, uploaded or fetched. */
export interface MediaLimits {
  imagePixelsMax: number;
  durationMsMax: number;
}

/** PEM files; with `clientCerts` callers must show a certificate of the authority in `caFile`. */
export interface TlsConfig {
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly caFile: string | undefined;
  readonly clientCerts: boolean;
}

/** What a process needs to know of its environment, checked and typed. Made once, at start, by `readConfig`. */
export interface Config {
  readonly http: {
    host: string;
    port: number;
    bodyBytesMax: number;
    rateLimitPerMinute: number;
    trustedProxies: TrustedProxies;
  };
  /** Absolute path. */
  readonly dataDir: string;
  readonly mongodbUrl: string | undefined;
  readonly amqpUrl: string | undefined;
  readonly amqpPrefix: string;
  /** Ports of a process that serves one part of the product; undefined: that part's default. */
  readonly grpcPort: number | undefined;
  readonly opsPort: number | undefined;
  /** Where the parts are, each at one address or several. */
  readonly addresses: Record<"auth" | "media" | "operation" | "insight" | "export", readonly string[]>;
  /** For the connections between the parts; undefined: in the clear. */
  readonly tls: TlsConfig | undefined;
  /** Shared by services that call each other of their own accord; one process needs none. */
  readonly serviceSecret: string | undefined;
  readonly workerRoles: readonly string[];
  readonly tracing: { enabled: boolean; serviceName: string | undefined };
  readonly auth: {
    bootstrap: { email: string; password: string | undefined; company: string };
    tokenTtlSeconds: number;
    /** 0: no limit. */
    signInAttemptsPerMinute: number;
    adminPassword: string | undefined;
    signingKeyPassphrase: string | undefined;
  };
  readonly operation: {
    contentsMax: number;
    textCharactersMax: number;
    concurrency: number;
    leaseMs: number;
    /** 0: no limit. */
    unfinishedMax: number;
    /** Of all companies together; 0: no limit. */
    backlogMax: number;
  };
  readonly media: {
    uploadBytesMax: number;
    unusedFileDays: number;
    limits: MediaLimits;
  };
  /** Of fetching files by URL. */
  readonly outbound: {
    allowPrivateUrls: boolean;
    /** Such as `media.example.com` or `*.example.org`; undefined: any public host. */
    allowedHosts: readonly string[] | undefined;
    /** At a time. */
    fetches: number;
  };
  readonly insight: { collectIntervalSeconds: number };
  readonly analysis: AnalysisConfig;
  readonly logLevel: Values["LOG_LEVEL"];
  /** Armed failpoints; empty unless NODE_ENV=test. */
  readonly failpoints: string;
}

/** The environment is wrong; `message` is one line that names every bad variable, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the configuration; an empty variable counts as unset. Throws ConfigError. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const result = schema.safeParse(present);
  if (!result.success) throw new ConfigError(describe(result.error, env));
  return toConfig(result.data, harmless(present));
}

/** Variables that programs need to run at all. */
const HARMLESS = new Set([
  "PATH",
  "HOME",
  "TMPDIR",
  "TEMP",
  "TMP",
  "LANG",
  "LC_ALL",
  "TZ",
  "LD_LIBRARY_PATH",
  "SystemRoot",
]);

function harmless(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.filter(([name]) => HARMLESS.has(name)));
}

function describe(error: z.ZodError, env: Readonly<Record<string, string | undefined>>): string {
  const problems = error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const value = SECRET_VARIABLES.has(name) ? "(not shown)" : JSON.stringify(env[name]);
    return `${name} is ${value}, allowed: ${issue.message}`;
  });
  return `Wrong configuration: ${problems.join("; ")}`;
}

function toConfig(values: Values, environment: Record<string, string>): Config {
  const dataDir = path.resolve(values.DATA_DIR);
  return {
    http: {
      host: values.HOST,
      port: values.PORT,
      bodyBytesMax: values.MAX_BODY_BYTES,
      rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
      trustedProxies: values.TRUSTED_PROXIES,
    },
    dataDir,
    mongodbUrl: values.MONGODB_URL,
    amqpUrl: values.AMQP_URL,
    amqpPrefix: values.AMQP_PREFIX,
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
    workerRoles: values.WORKER_ROLES,
    tracing: {
      enabled:
        !values.OTEL_SDK_DISABLED &&
        (values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined,
      serviceName: values.OTEL_SERVICE_NAME,
    },
    auth: {
      bootstrap: {
        email: values.BOOTSTRAP_EMAIL,
        password: values.BOOTSTRAP_PASSWORD,
        company: values.BOOTSTRAP_COMPANY,
      },
      tokenTtlSeconds: values.JWT_TTL_SECONDS,
      signInAttemptsPerMinute: values.SIGN_IN_ATTEMPTS_PER_MINUTE,
      adminPassword: values.ADMIN_PASSWORD,
      signingKeyPassphrase: values.SIGNING_KEY_PASSPHRASE,
    },
    operation: {
      contentsMax: values.MAX_CONTENTS,
      textCharactersMax: values.MAX_TEXT_CHARACTERS,
      concurrency: values.OPERATION_CONCURRENCY,
      leaseMs: values.LEASE_SECONDS * 1000,
      unfinishedMax: values.MAX_UNFINISHED_OPERATIONS,
      backlogMax: values.MAX_BACKLOG_OPERATIONS,
    },
    media: toMedia(values),
    outbound: toOutbound(values),
    insight: { collectIntervalSeconds: values.COLLECT_INTERVAL_SECONDS },
    analysis: toAnalysis(values, { dataDir, environment }),
    logLevel: values.LOG_LEVEL,
    failpoints: values.NODE_ENV === "test" ? (values.FAILPOINTS ?? "") : "",
  };
}

function toOutbound(values: Values): Config["outbound"] {
  return {
    allowPrivateUrls: values.ALLOW_PRIVATE_URLS,
    allowedHosts: values.URL_ALLOWED_HOSTS,
    fetches: values.URL_FETCHES,
  };
}

function toMedia(values: Values): Config["media"] {
  return {
    uploadBytesMax: values.MAX_UPLOAD_BYTES,
    unusedFileDays: values.UNUSED_FILE_DAYS,
    limits: { imagePixelsMax: values.MAX_IMAGE_PIXELS, durationMsMax: values.MAX_MEDIA_SECONDS * 1000 },
  };
}

function toTls(values: Values): TlsConfig | undefined {
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
