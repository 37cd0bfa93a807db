/** The claims of a token whose signature was checked: JSON, nothing more is known of it. */
export type TokenPayload = Readonly<Record<string, unknown>>;

/** When a token is good, in seconds since 1970. */
export interface TokenTimes {
  issuedAt: number;
  expiresAt: number;
}

/** What a user's token says once its signature, issuer, audience and times were checked. */
export interface UserClaims extends TokenTimes {
  userId: number;
  /** Version of the user's sessions; a later one in the user's record makes the token void. */
  version: number;
}

/** What a service's token says once its signature, issuer, audience and times were checked. */
export interface ServiceClaims extends TokenTimes {
  /** Such as `operation`. */
  service: string;
  companyId: number;
}

/** Tokens of one purpose. Type and audience of two kinds differ, so that neither passes for the other. */
export interface TokenKind<C extends TokenTimes> {
  /** `typ` of the header. */
  readonly type: string;
  /** The one `aud`. */
  readonly audience: string;
  /** A token that claims to be good for longer is none of ours. */
  readonly lifetimeSecondsMax: number;
  /** Undefined when a claim is missing or not as Auth writes it. The times were read before. */
  read(payload: TokenPayload, times: TokenTimes): C | undefined;
}

/** Tokens that users sign in for. */
export const USER_TOKENS: TokenKind<UserClaims> = {
  type: "JWT",
  audience: "hourglass",
  lifetimeSecondsMax: 10 * 366 * 86_400,
  read: ({ sub, ver }, times) => {
    const userId = typeof sub === "string" && /^[1-9]\d{0,15}$/.test(sub) ? Number(sub) : undefined;
    if (!isCount(userId) || !isCount(ver)) return undefined;
    return { userId, version: ver, ...times };
  },
};

/** For so long a service's token is good, in seconds: it cannot be revoked. */
export const SERVICE_TOKEN_TTL_SECONDS = 300;

/** What a service may be called. */
export const SERVICE_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Tokens by which services call each other of their own accord, each on behalf of one company. */
export const SERVICE_TOKENS: TokenKind<ServiceClaims> = {
  type: "service+jwt",
  audience: "hourglass-services",
  lifetimeSecondsMax: SERVICE_TOKEN_TTL_SECONDS,
  read: ({ sub, company }, times) => {
    if (typeof sub !== "string" || !SERVICE_NAME.test(sub) || !isCount(company) || company === 0) return undefined;
    return { service: sub, companyId: company, ...times };
  },
};

/** A whole number that JSON carries exactly, not below zero. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
