import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { AppError } from "../errors/app-error.js";

/** `iss` of every token. */
export const TOKEN_ISSUER = "hourglass";
/** The only signature algorithm: ECDSA on P-256. */
export const TOKEN_ALGORITHM = "ES256";
/** Accepted difference between the clocks of two machines, in seconds. */
export const TOKEN_CLOCK_TOLERANCE_SECONDS = 5;
/**
 * Shortest interval between two fetches of the public keys, even if a token names an unknown key. Auth lists a new key
 * for longer than this before it signs with it, so no valid token is refused because its key is unknown.
 */
export const KEY_REFRESH_INTERVAL_MS = 2000;

/** Error code for a token that is valid except that it has expired. */
export const TOKEN_EXPIRED = "token_expired";

/** The error for every missing, malformed, forged or revoked token; it does not reveal which of these applies. */
export function unauthenticated(cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError("unauthenticated", "A valid access token or API key is needed. Sign in to get one.", options);
}

/** The error for a token with a valid signature and valid claims that has expired. */
export function tokenExpired(cause?: unknown): AppError {
  return new AppError("unauthenticated", "Your access token has expired. Sign in again to get a new one.", {
    code: TOKEN_EXPIRED,
    cause,
  });
}

/** Error code for an API key that has expired. */
export const KEY_EXPIRED = "key_expired";

/** The error for an API key that is known and has expired. */
export function keyExpired(cause?: unknown): AppError {
  return new AppError("unauthenticated", "This API key has expired. Make another one.", { code: KEY_EXPIRED, cause });
}

/** The error for a call without any token. */
export function tokenNeeded(): AppError {
  const message = "This method needs an access token. Sign in, and send it as authorization: Bearer <access token>.";
  return new AppError("unauthenticated", message);
}

/** The error for a known user or API key where the token of a service is required. */
export function servicesOnly(): AppError {
  const message = "This method is for services of this deployment. Users and API keys cannot call it.";
  return new AppError("forbidden", message, { code: "services_only" });
}

/** The error for anything other than a valid service token where one is required. */
export function serviceTokenNeeded(cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError(
    "unauthenticated",
    "This method is for services of this deployment: it needs a token of a service, not of a user.",
    options,
  );
}

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
  /** The session, which renewed tokens have in common. */
  session: UserSession;
}

/** What began with signing in. */
export interface UserSession {
  id: string;
  /** Seconds since 1970. */
  signedInAt: number;
}

/** Claims of a service's token after its signature, issuer, audience and times were checked. */
interface ServiceClaims extends TokenTimes {
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
  read: ({ sub, ver, sid, auth_time: signedInAt }, times) => {
    const userId = typeof sub === "string" && /^[1-9]\d{0,15}$/.test(sub) ? Number(sub) : undefined;
    if (!isCount(userId) || !isCount(ver) || typeof sid !== "string" || !isCount(signedInAt)) return undefined;
    return { userId, version: ver, session: { id: sid, signedInAt }, ...times };
  },
};

/** Lifetime of a service's token, in seconds. It is short because such a token cannot be revoked. */
export const SERVICE_TOKEN_TTL_SECONDS = 300;

/** Format of a service's name. */
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,31}$/;

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

/** Whether the key is on the curve of TOKEN_ALGORITHM. */
export function isTokenKey(key: KeyObject): boolean {
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
}

/** The public key that a JSON Web Key describes. Throws TypeError unless it is a P-256 key. */
export function readPublicKey(jwk: JsonWebKey): KeyObject {
  const key = createPublicKey({ key: jwk, format: "jwk" });
  if (!isTokenKey(key)) throw new TypeError("not a public key on P-256");
  return key;
}

/** How long the result of a token check is cached; a changed password or product takes effect everywhere after it. */
export const PRINCIPAL_FRESH_MS = 1000;
