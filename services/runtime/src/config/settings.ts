import { ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { itemsMaxOf, lengthMaxOf } from "../rpc/validation/message-size.js";
import type { ProcessConfig } from "./process-config.js";
import { type Values, type Variables, integer, flag, hosts, optionalInteger } from "./variables.js";

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

/** The limits of the contract, which settings can only lower. */
const CONTENTS_MAX = itemsMaxOf(CreateOperationRequestSchema, "contents");
const TEXT_CHARACTERS_MAX = lengthMaxOf(ContentSchema, "text");

/** Limits that a service enforces and the gateway also needs. Both include these schemas in their variables. */
export const SHARED_LIMITS = {
  /** Maximum size of an uploaded file, in bytes; enforced by media. */
  MAX_UPLOAD_BYTES: integer(1, 1_099_511_627_776, 104_857_600),
  /** Enforced by auth; 0: no limit. */
  SIGN_IN_ATTEMPTS_PER_MINUTE: integer(0, 10_000_000, 10),
  /** Maximum of one company's unfinished operations; more are refused with 429. Enforced by operation; 0: no limit. */
  MAX_UNFINISHED_OPERATIONS: integer(0, 10_000_000, 10_000),
  /** Maximum number of contents in one operation; enforced by operation. */
  MAX_CONTENTS: integer(1, CONTENTS_MAX, CONTENTS_MAX),
  /** Maximum length of one text, in code points; enforced by operation. */
  MAX_TEXT_CHARACTERS: integer(1, TEXT_CHARACTERS_MAX, TEXT_CHARACTERS_MAX),
  /** Days for which an operation is kept after its end, with its files. Unset: until it is deleted. */
  RETENTION_DAYS_OPERATIONS: optionalInteger(1, 36_500),
  /** Files that no operation has used are deleted after this many days, by media. */
  UNUSED_FILE_DAYS: integer(1, 3650, 7),
  /** Days for which an export is kept. 0: always. */
  EXPORT_DAYS: integer(0, 36_500, 90),
  /** Longest range of dates of one export, in days; enforced by export. */
  MAX_EXPORT_RANGE_DAYS: integer(1, 366, 366),
  /** Unfinished exports of one company; more are refused with 429. Enforced by export; 0: no limit. */
  MAX_UNFINISHED_EXPORTS: integer(0, 10_000_000, 100),
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
