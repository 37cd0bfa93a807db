import { availableParallelism } from "node:os";
import { z } from "zod";
import { NO_PROXIES, readTrustedProxies, TRUSTED_PROXIES_FORM } from "../address/trusted-proxies.js";

const integer = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `a whole number from ${min} to ${max}`)
    .default(fallback);

const text = (max = 4096) => z.string().min(1, "a text that is not empty").max(max, `at most ${max} characters`);

const flag = z
  .enum(["true", "false", "1", "0"], "true or false")
  .transform((value) => value === "true" || value === "1")
  .default(false);

const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value),
      `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    );

/** No default here: the analyses know theirs. */
const engine = (...allowed: readonly ["fast", ...("accurate" | "models")[]]) =>
  z.enum(allowed, allowed.join(", ")).optional();

/** Of analyses that look at pictures. */
const visualEngine = (...allowed: readonly ["builtin", ..."models"[]]) =>
  z.enum(allowed, allowed.join(", ")).optional();

/** Also the name of the folder in MODELS_DIR. */
const modelId = () =>
  z
    .string()
    .regex(/^\w[\w.-]*\/\w[\w.-]*(@\w[\w./-]*)?$/, "an id of Hugging Face, owner/name or owner/name@revision")
    .optional();

const HOST_PATTERN = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

const hosts = () =>
  z
    .string()
    .transform((value) => value.split(",").map((host) => host.trim().toLowerCase()))
    .refine((list) => list.every((host) => HOST_PATTERN.test(host)), "host names, *. before one for all below it")
    .optional();

const port = () =>
  z
    .string()
    .regex(/^\d+$/, "a whole number from 0 to 65535")
    .transform(Number)
    .refine((value) => value <= 65_535, "a whole number from 0 to 65535");

const ADDRESS = /^(dns:\/\/\/)?([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/;

const addresses = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) => value.split(",").map((address) => address.trim()))
    .refine((list) => list.every((address) => ADDRESS.test(address)), "host:port, several with commas between");

const proxies = () =>
  z
    .string()
    .transform((value, context) => {
      const read = readTrustedProxies(value);
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: TRUSTED_PROXIES_FORM });
      return z.NEVER;
    })
    .default(NO_PROXIES);

const list = <T extends string>(allowed: readonly T[]) =>
  z
    .string()
    .default(allowed.join(","))
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine((values) => values.every((value) => (allowed as readonly string[]).includes(value)), {
      error: `some of ${allowed.join(",")}, with commas between`,
    })
    .transform((values) => allowed.filter((entry) => values.includes(entry)));

/** What workers do: carry out operations, and put right what crashes left of them. */
export const WORKER_ROLES = ["operation.run", "operation.sweep"] as const;

const ENGINES = ["fast", "accurate", "models"] as const;

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Every variable that any process reads, with what it allows and its default. The names are the contract. */
export const VARIABLES = {
  HOST: text(253).default("127.0.0.1"),
  PORT: integer(0, 65_535, 8080),
  /** Proxies before the gateway whose word on the client's address is taken. */
  TRUSTED_PROXIES: proxies(),
  DATA_DIR: text().default("./data"),
  /** Ports of a process that serves one part of the product; each part has its own default. */
  GRPC_PORT: port().optional(),
  OPS_PORT: port().optional(),
  /** Where the other parts are: `host:port`, several with commas between, or `dns:///name:port`. */
  AUTH_ADDRESS: addresses("127.0.0.1:50051"),
  MEDIA_ADDRESS: addresses("127.0.0.1:50052"),
  OPERATION_ADDRESS: addresses("127.0.0.1:50053"),
  INSIGHT_ADDRESS: addresses("127.0.0.1:50054"),
  EXPORT_ADDRESS: addresses("127.0.0.1:50055"),
  /** PEM files for the connections between the parts. */
  TLS_CERT_FILE: text().optional(),
  TLS_KEY_FILE: text().optional(),
  TLS_CA_FILE: text().optional(),
  /** Whether callers must show a certificate of `TLS_CA_FILE`. */
  TLS_CLIENT_CERTS: flag,
  /** What a worker process does; several with commas between. */
  WORKER_ROLES: list(WORKER_ROLES),
  MONGODB_URL: url("mongodb", "mongodb+srv").optional(),
  AMQP_URL: url("amqp", "amqps").optional(),
  /** Begins the names of all queues and exchanges, so that several deployments can share a broker. */
  AMQP_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "1 to 63 of a-z, 0-9, _ and -")
    .default("hourglass"),
  BOOTSTRAP_EMAIL: z.email("an e-mail address").max(254, "at most 254 characters").default("admin@example.com"),
  BOOTSTRAP_PASSWORD: z.string().min(8, "at least 8 characters").max(1024, "at most 1024 characters").optional(),
  BOOTSTRAP_COMPANY: text(200).default("Example"),
  JWT_TTL_SECONDS: integer(1, 315_360_000, 86_400),
  MAX_UPLOAD_BYTES: integer(1, 1_099_511_627_776, 104_857_600),
  RATE_LIMIT_PER_MINUTE: integer(0, 10_000_000, 600),
  SIGN_IN_ATTEMPTS_PER_MINUTE: integer(0, 10_000_000, 10),
  /** Pixels of a picture, and of a frame of a video, at most. */
  MAX_IMAGE_PIXELS: integer(1, 268_435_456, 40_000_000),
  /** Length of sound and video at most. */
  MAX_MEDIA_SECONDS: integer(1, 86_400, 900),
  /** Files that no operation has used are deleted after so long. */
  UNUSED_FILE_DAYS: integer(1, 3650, 7),
  ALLOW_PRIVATE_URLS: flag,
  /** Where files may be fetched from, such as `media.example.com,*.example.org`; unset: any public host. */
  URL_ALLOWED_HOSTS: hosts(),
  /** Files that one process fetches at a time; one company's are half of them at most. */
  URL_FETCHES: integer(1, 256, 8),
  COLLECT_INTERVAL_SECONDS: integer(1, 86_400, 300),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(", ")}`).default("info"),
  MODELS_DIR: text().optional(),
  OFFLINE: flag,
  /** Contents of one operation at most. */
  MAX_CONTENTS: integer(1, 1000, 1000),
  /** Code points of one text at most. */
  MAX_TEXT_CHARACTERS: integer(1, 20_000, 20_000),
  /** Bytes of a JSON request body at most. */
  MAX_BODY_BYTES: integer(1024, 67_108_864, 20_971_520),
  /** Threads that analyse. */
  ANALYSIS_THREADS: integer(1, 64, Math.min(64, availableParallelism())),
  /** Processes that decode files and look at them, beside the threads. */
  MEDIA_PROCESSES: integer(1, 64, Math.min(64, Math.max(1, Math.floor(availableParallelism() / 2)))),
  /** Memory of one of those in MiB; a file that needs more becomes that file's error. */
  MEDIA_MEMORY_MB: integer(512, 65_536, 1536),
  /** The ffmpeg to call; unset: the one on the PATH, or the one that npm installed. */
  FFMPEG_PATH: text().optional(),
  /** Whether faces are given the names of people who were enrolled. */
  FACE_RECOGNITION: flag,
  /** Operations one process works on at a time. */
  OPERATION_CONCURRENCY: integer(1, 64, 4),
  /** A worker that gives no sign of life for so long loses its operation. */
  LEASE_SECONDS: integer(1, 600, 15),
  /** Operations of one company that may wait to be analysed; more are answered 429. 0: no limit. */
  MAX_UNFINISHED_OPERATIONS: integer(0, 10_000_000, 10_000),
  /** Unfinished operations of all companies; more are answered 503. 0: no limit. */
  MAX_BACKLOG_OPERATIONS: integer(0, 100_000_000, 100_000),
  /** Encrypts the signing keys that are kept in MongoDB. */
  SIGNING_KEY_PASSPHRASE: z.string().min(16, "at least 16 characters").max(1024, "at most 1024 characters").optional(),
  /** What Auth knows the other services by when they ask for tokens of their own. */
  SERVICE_SECRET: z.string().min(16, "at least 16 characters").max(1024, "at most 1024 characters").optional(),
  /** What makes the results of each analysis. */
  ENGINE_SENTIMENT_SIMPLE: engine(...ENGINES),
  ENGINE_SENTIMENT_REAL: engine(...ENGINES),
  ENGINE_TOPIC: engine(...ENGINES),
  ENGINE_SPAM_DETECTION: engine(...ENGINES),
  ENGINE_PERSONALITY_MB: engine("fast"),
  ENGINE_INTENTION: engine(...ENGINES),
  ENGINE_FACE_ID: visualEngine("builtin"),
  ENGINE_OBJECT_ID: visualEngine("builtin", "models"),
  ENGINE_ACTIVITY_ID: visualEngine("builtin", "models"),
  ENGINE_LOGO_ID: visualEngine("builtin", "models"),
  ENGINE_CAPTION: visualEngine("builtin", "models"),
  /** What the engine `models` uses in place of its defaults. */
  MODEL_SENTIMENT_SIMPLE: modelId(),
  MODEL_SENTIMENT_REAL: modelId(),
  MODEL_TOPIC: modelId(),
  MODEL_SPAM_DETECTION: modelId(),
  MODEL_INTENTION: modelId(),
  MODEL_OBJECT_ID: modelId(),
  MODEL_ACTIVITY_ID: modelId(),
  MODEL_LOGO_ID: modelId(),
  MODEL_CAPTION: modelId(),
  /** What hears; the default is a folder of MODELS_DIR too. */
  MODEL_SPEECH: modelId(),
  /** Where models are downloaded from. */
  HF_ENDPOINT: url("http", "https").default("https://huggingface.co"),
  HF_TOKEN: text().optional(),
  /** Tracing, by the standard variables; off unless an endpoint is set. The exporter itself reads the others of them. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http", "https").optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url("http", "https").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: text(255).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  OTEL_SDK_DISABLED: flag,
  /** Test hooks, honoured under NODE_ENV=test only: `name=nth,…` kills the process at the nth passing. */
  FAILPOINTS: z.string().optional(),
  NODE_ENV: z.string().optional(),
  /** Password for the admin command; never kept. */
  ADMIN_PASSWORD: z.string().min(8, "at least 8 characters").max(1024, "at most 1024 characters").optional(),
} as const;

/** What the variables hold once they are read. */
export type Values = z.output<z.ZodObject<typeof VARIABLES>>;

/** Values that must not be shown in a message. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  "BOOTSTRAP_PASSWORD",
  "ADMIN_PASSWORD",
  "MONGODB_URL",
  "SIGNING_KEY_PASSPHRASE",
  "SERVICE_SECRET",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "AMQP_URL",
  "HF_TOKEN",
]);
