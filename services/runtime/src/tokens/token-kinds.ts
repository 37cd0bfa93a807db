/** The claims of a token with a verified signature: arbitrary JSON. */
export type TokenPayload = Readonly<Record<string, unknown>>;

/** Validity period of a token, in seconds since 1970. */
export interface TokenTimes {
  issuedAt: number;
  expiresAt: number;
}

/** Claims of a user's token after its signature, issuer, audience and times were checked. */
export interface UserClaims extends TokenTimes {
  userId: number;
  /** Version of the user's sessions; a later one in the user's record revokes the token. */
  version: number;
}

/** Claims of a service's token after its signature, issuer, audience and times were checked. */
export interface ServiceClaims extends TokenTimes {
  /** For example `operation`. */
  service: string;
  companyId: number;
}

/** A kind of token. Kinds differ in type and audience, so that a token of one kind is not accepted as another. */
export interface TokenKind<C extends TokenTimes> {
  /** `typ` of the header. */
  readonly type: string;
  /** The only accepted `aud`. */
  readonly audience: string;
  /** A token with a longer lifetime was not issued by Auth and is refused. */
  readonly lifetimeSecondsMax: number;
  /** Undefined when a claim is missing or not in the form that Auth writes. The times have already been read. */
  read(payload: TokenPayload, times: TokenTimes): C | undefined;
}

/** Tokens that users get by signing in. */
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

/** Lifetime of a service's token, in seconds. It is short because such a token cannot be revoked. */
export const SERVICE_TOKEN_TTL_SECONDS = 300;

/** Format of a service's name. */
export const SERVICE_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Tokens for calls between services on their own behalf, each for one company. */
export const SERVICE_TOKENS: TokenKind<ServiceClaims> = {
  type: "service+jwt",
  audience: "hourglass-services",
  lifetimeSecondsMax: SERVICE_TOKEN_TTL_SECONDS,
  read: ({ sub, company }, times) => {
    if (typeof sub !== "string" || !SERVICE_NAME.test(sub) || !isCount(company) || company === 0) return undefined;
    return { service: sub, companyId: company, ...times };
  },
};

/** Whether the value is a non-negative safe integer. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
