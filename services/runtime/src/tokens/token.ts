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

/** The answer to every missing, malformed, forged or revoked token; it does not say which of these applies. */
export function unauthenticated(cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError("unauthenticated", "A valid access token is needed. Sign in to get one.", options);
}

/** The answer to a token with a valid signature and valid claims that has expired. */
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

/** The answer to anything other than a valid service token where one is required. */
export function serviceTokenNeeded(cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError(
    "unauthenticated",
    "This method is for services of this deployment: it needs a token of a service, not of a user.",
    options,
  );
}
