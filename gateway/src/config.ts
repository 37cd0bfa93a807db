import { EXTRA_PLATFORM_VARIABLES, platformNames } from "@hourglass/posting";
import {
  defineSettings,
  NO_PROXIES,
  readTrustedProxies,
  SHARED_LIMITS,
  TRUSTED_PROXIES_FORM,
  variable,
  type ConfigOf,
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

/** The settings of the gateway. */
export const gatewaySettings = defineSettings(
  {
    ...SHARED_LIMITS,
    ...EXTRA_PLATFORM_VARIABLES,
    PORT: variable.integer(0, 65_535, 8080),
    /** Proxies in front of the gateway that are trusted to report the client's address. */
    TRUSTED_PROXIES: proxies,
    /** Maximum size of a JSON request body, in bytes. */
    MAX_BODY_BYTES: variable.integer(1024, 67_108_864, 20_971_520),
    RATE_LIMIT_PER_MINUTE: variable.integer(0, 10_000_000, 600),
  },
  (values) => ({
    port: values.PORT,
    bodyBytesMax: values.MAX_BODY_BYTES,
    uploadBytesMax: values.MAX_UPLOAD_BYTES,
    /** 0: no limit. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    signInAttemptsPerMinute: values.SIGN_IN_ATTEMPTS_PER_MINUTE,
    unfinishedOperationsMax: values.MAX_UNFINISHED_OPERATIONS,
    trustedProxies: values.TRUSTED_PROXIES,
    platforms: platformNames(values.EXTRA_PLATFORMS),
  }),
);

export type GatewayConfig = ConfigOf<typeof gatewaySettings>;
