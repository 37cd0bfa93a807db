import { FILE_LIMIT_VARIABLES } from "@hourglass/analysis/formats";
import { EXTRA_PLATFORM_VARIABLES, platformNames, readRetentionDays, retentionVariables } from "@hourglass/posting";
import {
  defineSettings,
  NO_PROXIES,
  readTrustedProxies,
  SHARED_LIMITS,
  TRUSTED_PROXIES_FORM,
  variable,
  type ConfigOf,
  type TrustedProxies,
  type Values,
} from "@hourglass/runtime";
import * as z from "zod";

const proxies = z
  .string()
  .transform((value, context) => {
    const read = readTrustedProxies(value);
    if (read !== undefined) return read;
    context.addIssue({ code: "custom", message: TRUSTED_PROXIES_FORM });
    return z.NEVER;
  })
  .default(NO_PROXIES);

/** What the gateway tells of the server. */
const FACT_VARIABLES = {
  ...SHARED_LIMITS,
  ...FILE_LIMIT_VARIABLES,
  ...retentionVariables,
  /** Whether this is the demo, whose postings are invented. */
  DEMO: variable.flag,
};

/** The limits and the retention of a server, as its settings say. */
export type ServerFacts = ReturnType<typeof factsOf>;

function factsOf(values: Values<typeof FACT_VARIABLES>, revision?: string) {
  return {
    revision,
    demo: values.DEMO,
    limits: {
      contents: values.MAX_CONTENTS,
      textCharacters: values.MAX_TEXT_CHARACTERS,
      imagePixels: values.MAX_IMAGE_PIXELS,
      mediaSeconds: values.MAX_MEDIA_SECONDS,
      /** 0: no limit. */
      unfinishedExports: values.MAX_UNFINISHED_EXPORTS,
      exportRangeDays: values.MAX_EXPORT_RANGE_DAYS,
    },
    retention: {
      operationsDays: values.RETENTION_DAYS_OPERATIONS,
      /** 0: always. */
      exportsDays: values.EXPORT_DAYS,
      unusedFilesDays: values.UNUSED_FILE_DAYS,
      postingsDays: readRetentionDays(values),
    },
  };
}

/** The settings of the gateway. */
export const gatewaySettings = defineSettings(
  {
    ...FACT_VARIABLES,
    ...EXTRA_PLATFORM_VARIABLES,
    PORT: variable.integer(0, 65_535, 8080),
    /** Proxies in front of the gateway that are trusted to report the client's address. */
    TRUSTED_PROXIES: proxies,
    /** Maximum size of a JSON request body, in bytes. */
    MAX_BODY_BYTES: variable.integer(1024, 67_108_864, 20_971_520),
    RATE_LIMIT_PER_MINUTE: variable.integer(0, 10_000_000, 600),
  },
  (values, { revision }) => ({
    port: values.PORT,
    bodyBytesMax: values.MAX_BODY_BYTES,
    uploadBytesMax: values.MAX_UPLOAD_BYTES,
    /** 0: no limit. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    signInAttemptsPerMinute: values.SIGN_IN_ATTEMPTS_PER_MINUTE,
    unfinishedOperationsMax: values.MAX_UNFINISHED_OPERATIONS,
    trustedProxies: values.TRUSTED_PROXIES,
    platforms: platformNames(values.EXTRA_PLATFORMS),
    facts: factsOf(values, revision),
  }),
);

export type GatewayConfig = ConfigOf<typeof gatewaySettings>;

/** The settings of the gateway. Its configuration contains some of them; the others have defaults. */
export interface GatewaySettings {
  /** Maximum size of a request body, in bytes. */
  readonly bodyBytesMax: number;
  /** Maximum size of an uploaded file, in bytes; such a body is never held in memory. */
  readonly uploadBytesMax?: number;
  /** Requests of one user per minute, over all routes; 0: no limit. */
  readonly rateLimitPerMinute: number;
  /** Reported in the headers of a refused sign-in; the auth service counts. */
  readonly signInAttemptsPerMinute?: number;
  /** Reported in the headers of a refused operation; the operation service counts. */
  readonly unfinishedOperationsMax?: number;
  /** Proxies in front of this server that report the client of a request; none: the peer is the client. */
  readonly trustedProxies?: TrustedProxies;
  /** Names of the platforms of this server. Default: those of every server. */
  readonly platforms?: readonly string[];
  /** Default: those of a server without settings. */
  readonly facts?: ServerFacts;
  /** A body or a response in transfer must keep the pace in every period of this length. */
  readonly paceWindowMs?: number;
  /** The minimum pace. */
  readonly bytesPerSecondMin?: number;
  /** Bytes of bodies and large responses held at a time; half of it for one user. */
  readonly heldBytesMax?: number;
  /** Time for the headers of a request to be complete. */
  readonly headersTimeoutMs?: number;
  /** An idle connection is closed after this time. */
  readonly keepAliveMs?: number;
  /** How long an unwanted body is read, so that its sender can read the response. */
  readonly lingerMs?: number;
}

/** The settings with their defaults: every kind of slow client is cut within 35 seconds. */
export function withDefaults(settings: GatewaySettings): Required<GatewaySettings> {
  return {
    bodyBytesMax: settings.bodyBytesMax,
    uploadBytesMax: settings.uploadBytesMax ?? 104_857_600,
    rateLimitPerMinute: settings.rateLimitPerMinute,
    signInAttemptsPerMinute: settings.signInAttemptsPerMinute ?? 10,
    unfinishedOperationsMax: settings.unfinishedOperationsMax ?? 10_000,
    trustedProxies: settings.trustedProxies ?? NO_PROXIES,
    platforms: settings.platforms ?? platformNames(),
    facts: settings.facts ?? factsOf(z.object(FACT_VARIABLES).parse({})),
    // For one window, the kernel's buffers may make a client appear to read.
    paceWindowMs: settings.paceWindowMs ?? 15_000,
    bytesPerSecondMin: settings.bytesPerSecondMin ?? 65_536,
    heldBytesMax: settings.heldBytesMax ?? 268_435_456,
    headersTimeoutMs: settings.headersTimeoutMs ?? 10_000,
    keepAliveMs: settings.keepAliveMs ?? 20_000,
    lingerMs: settings.lingerMs ?? 3_000,
  };
}
