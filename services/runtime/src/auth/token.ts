import { AppError } from "../errors/app-error.js";

/** `iss` of every token. */
export const TOKEN_ISSUER = "hourglass";
/** The one signature algorithm: ECDSA on P-256. */
export const TOKEN_ALGORITHM = "ES256";
/** By how much the clocks of two machines may differ, in seconds. */
export const TOKEN_CLOCK_TOLERANCE_SECONDS = 5;
/**
 * For so long a process makes do with the public keys it has, whatever unknown key a token names. Auth lists a new key
 * for longer than this before it signs with it; so no good token is ever refused for it.
 */
export const KEY_REFRESH_INTERVAL_MS = 2000;

/** Code of the answer to a token that was good until its time was over. */
export const TOKEN_EXPIRED = "token_expired";

/** The answer to every missing, malformed, forged or revoked token; which of them it was stays untold. */
export function unauthenticated(cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError("unauthenticated", "A valid access token is needed. Sign in to get one.", options);
}

/** The answer to a token of ours, signature and claims included, whose time is over. */
export function tokenExpired(cause?: unknown): AppError {
  return new AppError("unauthenticated", "Your access token has expired. Sign in again to get a new one.", {
    code: TOKEN_EXPIRED,
    cause,
  });
}

/** The answer to a call without any token. */
export function tokenNeeded(): AppError {
  const message = "This method needs an access token. Sign in, and send it as authorization: Bearer <access token>.";
  return new AppError("unauthenticated", message);
}

/** The answer to whatever is no valid token of a service, where one is needed. */
export function serviceTokenNeeded(cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError(
    "unauthenticated",
    "This method is for services of this deployment: it needs a token of a service, not of a user.",
    options,
  );
}
