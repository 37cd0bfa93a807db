import type { ProcessConfig } from "./process-config.js";
import { type Values, type Variables, integer, flag, hosts } from "./variables.js";

/** The variables of one owner, such as a service, and the configuration derived from them. */
export interface Settings<V extends Variables = Variables, C = unknown> {
  readonly variables: V;
  /** Throws ConfigError for inconsistent values. */
  toConfig(values: Values<V>, process: ProcessConfig): C;
}

/** The configuration type of settings. */
export type ConfigOf<S extends Settings> = ReturnType<S["toConfig"]>;

/** Declares settings with inferred types. */
export function defineSettings<V extends Variables, C>(
  variables: V,
  toConfig: (values: Values<V>, process: ProcessConfig) => C,
): Settings<V, C> {
  return { variables, toConfig };
}

/** Limits that a service enforces and the gateway also needs. Both include these schemas in their variables. */
export const SHARED_LIMITS = {
  /** Maximum size of an uploaded file, in bytes; enforced by media. */
  MAX_UPLOAD_BYTES: integer(1, 1_099_511_627_776, 104_857_600),
  /** Enforced by auth; 0: no limit. */
  SIGN_IN_ATTEMPTS_PER_MINUTE: integer(0, 10_000_000, 10),
  /** Maximum of one company's unfinished operations; more are refused with 429. Enforced by operation; 0: no limit. */
  MAX_UNFINISHED_OPERATIONS: integer(0, 10_000_000, 10_000),
} as const;

/** Settings of processes that fetch files from URLs given by users. */
export const outboundSettings = defineSettings(
  {
    ALLOW_PRIVATE_URLS: flag,
    /** Hosts from which files may be fetched, such as `media.example.com,*.example.org`; unset: any public host. */
    URL_ALLOWED_HOSTS: hosts(),
    /** Files that one process fetches concurrently; one company gets at most half of them. */
    URL_FETCHES: integer(1, 256, 8),
  },
  (values) => ({
    allowPrivateUrls: values.ALLOW_PRIVATE_URLS,
    allowedHosts: values.URL_ALLOWED_HOSTS,
    fetches: values.URL_FETCHES,
  }),
);

export type OutboundConfig = ConfigOf<typeof outboundSettings>;
