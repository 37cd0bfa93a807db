import { create } from "@bufbuild/protobuf";
import { CreateCompanyUserRequestSchema } from "@hourglass/proto/auth/v1/auth_service";
import { defineSettings, findViolations, SHARED_LIMITS, variable, type ConfigOf } from "@hourglass/runtime";
import * as z from "zod";

const DAY_SECONDS = 86_400;

/** By the rule for the e-mails of all other users. */
function isEmail(email: string): boolean {
  const request = create(CreateCompanyUserRequestSchema, { email });
  return findViolations(CreateCompanyUserRequestSchema, request).every(({ field }) => field !== "email");
}

/** The settings of Auth. */
export const authSettings = defineSettings(
  {
    SIGN_IN_ATTEMPTS_PER_MINUTE: SHARED_LIMITS.SIGN_IN_ATTEMPTS_PER_MINUTE,
    BOOTSTRAP_EMAIL: z
      .string()
      .refine(isEmail, "an e-mail address")
      .max(254, "at most 254 characters")
      .default("admin@example.com"),
    BOOTSTRAP_PASSWORD: variable.secret(variable.password(8).optional()),
    BOOTSTRAP_COMPANY: variable.text(200).default("Example"),
    JWT_TTL_SECONDS: variable.integer(1, 315_360_000, 86_400),
    SESSION_DAYS: variable.integer(1, 3650, 30),
    AUDIT_DAYS: variable.integer(1, 36_500, 365),
    /** Encrypts the signing keys stored in MongoDB. */
    SIGNING_KEY_PASSPHRASE: variable.secret(variable.password(16).optional()),
  },
  (values) => ({
    bootstrap: {
      email: values.BOOTSTRAP_EMAIL,
      password: values.BOOTSTRAP_PASSWORD,
      company: values.BOOTSTRAP_COMPANY,
    },
    tokenTtlSeconds: values.JWT_TTL_SECONDS,
    /** How long a session can be renewed. */
    sessionSeconds: values.SESSION_DAYS * DAY_SECONDS,
    /** How long the audit log is kept, in milliseconds. */
    auditMs: values.AUDIT_DAYS * DAY_SECONDS * 1000,
    /** 0: no limit. */
    signInAttemptsPerMinute: values.SIGN_IN_ATTEMPTS_PER_MINUTE,
    signingKeyPassphrase: values.SIGNING_KEY_PASSPHRASE,
  }),
);

export type AuthConfig = ConfigOf<typeof authSettings>;
