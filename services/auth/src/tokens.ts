import { createHash, timingSafeEqual } from "node:crypto";
import {
  AppError,
  SERVICE_TOKEN_TTL_SECONDS,
  SERVICE_TOKENS,
  TOKEN_ALGORITHM,
  TOKEN_ISSUER,
  TokenVerifier,
  unauthenticated,
  USER_TOKENS,
  type Logger,
  type Principal,
  type TokenKind,
  type TokenPayload,
  type TokenTimes,
  type UserClaims,
} from "@hourglass/runtime";
import jwt from "jsonwebtoken";
import { toPrincipal, type Accounts, type CompanyRecord, type UserRecord } from "./accounts.js";
import type { KeyRing, SigningKey } from "./signing-keys.js";

export interface TokensOptions {
  accounts: Accounts;
  keys: KeyRing;
  /** Lifetime of users' tokens. */
  ttlSeconds: number;
  /** The secret with which services obtain tokens; if undefined, every secret is rejected. */
  serviceSecret: string | undefined;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface ServiceTokenRequest {
  /** The calling service, for example `operation`. */
  service: string;
  companyId: number;
  /** The secret presented by the caller. */
  secret: string;
}

/**
 * The metrics count every refusal; the log is limited to one per interval, since anyone who reaches the port can cause
 * them.
 */
const WARN_EVERY_MS = 60_000;

/** Bearer tokens of users and services: issues them, and checks those of users. */
export class Tokens {
  private readonly verifier: TokenVerifier<UserClaims>;
  private warnedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: TokensOptions) {
    this.verifier = new TokenVerifier(USER_TOKENS, options.keys, options.now);
  }

  /** Issues a token for a user; `expiresAt` in seconds since 1970. */
  issueUserToken(user: UserRecord): { token: string; expiresAt: number } {
    const { keys, ttlSeconds } = this.options;
    const issuedAt = this.seconds();
    const expiresAt = issuedAt + ttlSeconds;
    const claims = { sub: String(user.id), ver: user.token_version };
    return { token: sign(keys.current(), USER_TOKENS, { issuedAt, expiresAt, claims }), expiresAt };
  }

  /**
   * Issues a token valid for SERVICE_TOKEN_TTL_SECONDS. AppError `unauthenticated` for a wrong secret, `not-found` for an
   * unknown company.
   */
  async issueServiceToken(request: ServiceTokenRequest): Promise<{ token: string; company: CompanyRecord }> {
    const { accounts, keys, serviceSecret } = this.options;
    if (serviceSecret === undefined || !isSame(request.secret, serviceSecret)) {
      this.warnOfWrongSecret(request.service);
      throw new AppError("unauthenticated", "This is not the SERVICE_SECRET of Auth.");
    }
    const company = await accounts.activeCompany(request.companyId);
    if (company === undefined) throw new AppError("not-found", "There is no company with this id.");
    const issuedAt = this.seconds();
    const expiresAt = issuedAt + SERVICE_TOKEN_TTL_SECONDS;
    const claims = { sub: request.service, company: request.companyId };
    return { token: sign(keys.current(), SERVICE_TOKENS, { issuedAt, expiresAt, claims }), company };
  }

  private warnOfWrongSecret(caller: string): void {
    const { log, now } = this.options;
    if (Math.abs(now() - this.warnedAt) < WARN_EVERY_MS) return;
    this.warnedAt = now();
    log.warn({ caller }, "a service token was requested with a wrong SERVICE_SECRET");
  }

  /** Checks a user's token against the records: the user exists, their sessions have not been ended, products are current. */
  async authenticate(token: string): Promise<Principal> {
    const { accounts } = this.options;
    const { userId, version } = await this.verifier.verify(token);
    const user = await accounts.user(userId);
    if (user?.token_version !== version) throw unauthenticated();
    const company = await accounts.activeCompany(user.company_id);
    if (company === undefined) throw unauthenticated();
    return toPrincipal({ user, company });
  }

  private seconds(): number {
    return Math.floor(this.options.now() / 1000);
  }
}

function sign(
  key: SigningKey,
  { type, audience }: Pick<TokenKind<TokenTimes>, "type" | "audience">,
  { issuedAt, expiresAt, claims }: TokenTimes & { claims: TokenPayload },
): string {
  const payload = { ...claims, iss: TOKEN_ISSUER, aud: audience, iat: issuedAt, exp: expiresAt };
  return jwt.sign(payload, key.privateKey, {
    algorithm: TOKEN_ALGORITHM,
    header: { alg: TOKEN_ALGORITHM, kid: key.id, typ: type },
  });
}

/** Constant-time comparison, independent of where the texts differ and of their length. */
function isSame(presented: string, secret: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(presented), digest(secret));
}
