import { AppError } from "../errors/app-error.js";
import type { AuthenticateService } from "../rpc/context.js";
import { RemoteKeys } from "./remote-keys.js";
import { logUnchecked } from "./unchecked-token.js";
import type { TokenAuthenticatorOptions } from "./token-authenticator.js";
import { SERVICE_TOKENS } from "../tokens/token-kinds.js";
import { TokenVerifier } from "../tokens/token-verifier.js";
import { serviceTokenNeeded } from "../tokens/token.js";

export type ServiceAuthenticatorOptions = Omit<TokenAuthenticatorOptions, "auth"> & {
  auth: Pick<TokenAuthenticatorOptions["auth"], "listKeys">;
};

/**
 * Checks tokens of services with Auth's public keys. Nothing else is requested from Auth: such a token is valid for
 * minutes, and Auth checked that the company exists when it issued the token.
 */
export function createServiceAuthenticator(options: ServiceAuthenticatorOptions): AuthenticateService {
  const { auth, log, now = Date.now } = options;
  const verifier = new TokenVerifier(SERVICE_TOKENS, new RemoteKeys(auth, log, now), now);
  return async (token) => {
    try {
      const { service, companyId } = await verifier.verify(token);
      return { service, companyId };
    } catch (error) {
      const failure = AppError.from(error);
      if (failure.kind === "unauthenticated") throw serviceTokenNeeded(failure);
      logUnchecked(log, failure, "a token of a service could not be checked");
      throw new AppError("unavailable", "Tokens of services cannot be checked at the moment. Try again later.", {
        cause: failure,
        retryAfterMs: 1000,
      });
    }
  };
}
