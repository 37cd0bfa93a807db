import type { JsonWebKey, KeyObject } from "node:crypto";
import type { AuthService, GetUserResponse } from "@hourglass/proto/auth/v1/auth_service";
import QuickLRU from "quick-lru";
import { AppError, rootReason } from "../errors/app-error.js";
import type { Logger } from "../log.js";
import type { Authenticate, Principal, AuthenticateService, Client } from "../rpc/service.js";
import { roleOf } from "./access.js";
import { looksLikeApiKey, prefixOfApiKey } from "./api-keys.js";
import { TokenVerifier, type VerificationKeys } from "./token-verifier.js";
import {
  USER_TOKENS,
  TOKEN_EXPIRED,
  tokenExpired,
  KEY_EXPIRED,
  keyExpired,
  unauthenticated,
  SERVICE_TOKENS,
  serviceTokenNeeded,
  PRINCIPAL_FRESH_MS,
  readPublicKey,
  KEY_REFRESH_INTERVAL_MS,
} from "./tokens.js";

const GET_USER_TIMEOUT_MS = 5000;

interface TokenAuthenticatorOptions {
  auth: Pick<Client<typeof AuthService>, "getUser" | "listKeys">;
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/**
 * Checks tokens and API keys in every process except Auth's own. The signature of a token is checked here with Auth's
 * public keys, the checksum of an API key too; the current state of user, key, company and products is requested from Auth,
 * at most once a second per token or key. Do not use it to call Auth itself.
 */
export function createTokenAuthenticator({ auth, log, now = Date.now }: TokenAuthenticatorOptions): Authenticate {
  const verifier = new TokenVerifier(USER_TOKENS, new RemoteKeys(auth, log, now), now);
  return cachePrincipals(async (token) => {
    try {
      if (!looksLikeApiKey(token)) await verifier.verify(token);
      else if (prefixOfApiKey(token) === undefined) throw unauthenticated();
      return toPrincipal(await auth.getUser({}, { token, timeoutMs: GET_USER_TIMEOUT_MS }));
    } catch (error) {
      throw toFailure(error, log);
    }
  }, now);
}

/** The caller as Auth describes it. */
function toPrincipal({ user, key, expiresAt }: GetUserResponse): Principal {
  if (user?.company === undefined) throw new AppError("internal", "The user could not be read. Try again later.");
  return {
    userId: user.id === 0n ? undefined : Number(user.id),
    companyId: Number(user.company.id),
    companyName: user.company.name,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    products: user.company.products.map(({ uid, active }) => ({ uid, active })),
    role: roleOf(user.role),
    ...(expiresAt && { expiresAt: Number(expiresAt.seconds) }),
    ...(key && { key: { id: Number(key.id), name: key.name, scopes: key.scopes, readOnly: key.readOnly } }),
  };
}

function toFailure(error: unknown, log: Logger): AppError {
  const failure = AppError.from(error);
  if (failure.kind === "unauthenticated") {
    if (failure.code === KEY_EXPIRED) return keyExpired(failure);
    return failure.code === TOKEN_EXPIRED ? tokenExpired(failure) : unauthenticated(failure);
  }
  logUnchecked(log, failure, "a token could not be checked");
  return new AppError("unavailable", "Your access token cannot be checked at the moment. Try again later.", {
    cause: failure,
    retryAfterMs: 1000,
  });
}

type ServiceAuthenticatorOptions = Omit<TokenAuthenticatorOptions, "auth"> & {
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

/** Logs why a token could not be checked: a stack only if the failure may be a bug. Auth may be starting or unavailable. */
function logUnchecked(log: Logger, failure: AppError, message: string): void {
  const isOutage = failure.kind === "unavailable" || failure.kind === "deadline";
  log.warn(isOutage ? { reason: rootReason(failure) } : { err: failure }, message);
}

const ACCEPTED_MAX = 10_000;
const REFUSED_MAX = 1000;

interface CachedPrincipal {
  requestedAt: number;
  principal: Promise<Principal>;
}

/**
 * Caches results of `authenticate` for one second from the time of the request; concurrent callers with the same token
 * share one request. Refusals are cached separately, so that floods of bad tokens cannot evict good ones.
 */
export function cachePrincipals(authenticate: Authenticate, now: () => number = Date.now): Authenticate {
  const accepted = new QuickLRU<string, CachedPrincipal>({ maxSize: ACCEPTED_MAX });
  const refused = new QuickLRU<string, CachedPrincipal>({ maxSize: REFUSED_MAX });
  const pending = new Map<string, CachedPrincipal>();

  function fresh(cached: CachedPrincipal | undefined): CachedPrincipal | undefined {
    if (cached === undefined) return undefined;
    const age = now() - cached.requestedAt; // negative after the clock was set back
    return age >= 0 && age < PRINCIPAL_FRESH_MS ? cached : undefined;
  }

  function request(token: string): Promise<Principal> {
    const cached: CachedPrincipal = { requestedAt: now(), principal: authenticate(token) };
    pending.set(token, cached);
    const forgetPending = (): void => {
      if (pending.get(token) === cached) pending.delete(token);
    };
    cached.principal.then(
      () => {
        forgetPending();
        accepted.set(token, cached);
      },
      (error: unknown) => {
        forgetPending();
        if (error instanceof AppError && error.kind === "unauthenticated") refused.set(token, cached);
      },
    );
    return cached.principal;
  }

  return (token) => {
    const cached = fresh(accepted.get(token)) ?? fresh(refused.get(token)) ?? fresh(pending.get(token));
    if (cached !== undefined) return cached.principal;
    return token === "" ? Promise.reject(unauthenticated()) : request(token);
  };
}

const LIST_TIMEOUT_MS = 5000;

interface RemoteKey {
  jwkJson: string;
  key: KeyObject;
}

/** The public keys that Auth lists. They are fetched again when a token names an unknown key, at most every 2 s. */
class RemoteKeys implements VerificationKeys {
  private keys: ReadonlyMap<string, RemoteKey> = new Map();
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly auth: Pick<Client<typeof AuthService>, "listKeys">,
    private readonly log: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  known(id: string): KeyObject | undefined {
    return this.keys.get(id)?.key;
  }

  async find(id: string): Promise<KeyObject | undefined> {
    const age = this.now() - this.refreshedAt;
    if (age >= KEY_REFRESH_INTERVAL_MS || age < 0) {
      this.refreshing ??= this.refresh().finally(() => {
        this.refreshing = undefined;
      });
      await this.refreshing;
    }
    return this.known(id);
  }

  private async refresh(): Promise<void> {
    const startedAt = this.now();
    const { keys } = await this.auth.listKeys({}, { timeoutMs: LIST_TIMEOUT_MS });
    const entries = keys.map(({ id, jwkJson }) => [id, this.load(id, jwkJson)] as const);
    this.keys = new Map(entries.filter((entry): entry is [string, RemoteKey] => entry[1] !== undefined));
    this.refreshedAt = startedAt;
  }

  private load(id: string, jwkJson: string): RemoteKey | undefined {
    const present = this.keys.get(id);
    if (present?.jwkJson === jwkJson) return present;
    try {
      return { jwkJson, key: readPublicKey(JSON.parse(jwkJson) as JsonWebKey) };
    } catch (error) {
      this.log.error({ err: error, keyId: id }, "a public key listed by Auth cannot be read");
      return undefined;
    }
  }
}
