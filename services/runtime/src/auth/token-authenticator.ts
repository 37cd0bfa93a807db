import type { AuthService, User } from "@hourglass/proto/auth/v1/auth_service";
import { AppError } from "../errors/app-error.js";
import type { Logger } from "../log/logger.js";
import type { Authenticate, Principal } from "../rpc/context.js";
import type { Client } from "../rpc/service.js";
import { cachePrincipals } from "./principal-cache.js";
import { RemoteKeys } from "./remote-keys.js";
import { logUnchecked } from "./unchecked-token.js";
import { USER_TOKENS } from "../tokens/token-kinds.js";
import { TokenVerifier } from "../tokens/token-verifier.js";
import { TOKEN_EXPIRED, tokenExpired, unauthenticated } from "../tokens/token.js";

const GET_USER_TIMEOUT_MS = 5000;

export interface TokenAuthenticatorOptions {
  auth: Pick<Client<typeof AuthService>, "getUser" | "listKeys">;
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/**
 * Checks tokens in every process except Auth's own. The signature is checked here with Auth's public keys; the current
 * state of user, company and products is requested from Auth, at most once a second per token. Do not use it to call
 * Auth itself.
 */
export function createTokenAuthenticator({ auth, log, now = Date.now }: TokenAuthenticatorOptions): Authenticate {
  const verifier = new TokenVerifier(USER_TOKENS, new RemoteKeys(auth, log, now), now);
  return cachePrincipals(async (token) => {
    try {
      await verifier.verify(token);
      const { user } = await auth.getUser({}, { token, timeoutMs: GET_USER_TIMEOUT_MS });
      return toPrincipal(user);
    } catch (error) {
      throw toAnswer(error, log);
    }
  }, now);
}

/** The principal of a user record. */
export function toPrincipal(user: User | undefined): Principal {
  if (user?.company === undefined) throw new AppError("internal", "The user could not be read. Try again later.");
  return {
    userId: Number(user.id),
    companyId: Number(user.company.id),
    companyName: user.company.name,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    products: user.company.products.map(({ uid, active }) => ({ uid, active })),
  };
}

function toAnswer(error: unknown, log: Logger): AppError {
  const failure = AppError.from(error);
  if (failure.kind === "unauthenticated") {
    return failure.code === TOKEN_EXPIRED ? tokenExpired(failure) : unauthenticated(failure);
  }
  logUnchecked(log, failure, "a token could not be checked");
  return new AppError("unavailable", "Your access token cannot be checked at the moment. Try again later.", {
    cause: failure,
    retryAfterMs: 1000,
  });
}
