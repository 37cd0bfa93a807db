import { createHash, timingSafeEqual } from "node:crypto";
import {
  AppError,
  looksLikeApiKey,
  SERVICE_TOKEN_TTL_SECONDS,
  SERVICE_TOKENS,
  TOKEN_ALGORITHM,
  TOKEN_CLOCK_TOLERANCE_SECONDS,
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
  type UserSession,
} from "@hourglass/runtime";
import jwt from "jsonwebtoken";
import { toPrincipal, type Accounts, type CompanyRecord, type UserRecord } from "./accounts.js";
import type { ApiKeys } from "./api-keys.js";
import { newSession, type EndedSessions } from "./sessions.js";
import type { KeyRing, SigningKey } from "./signing-keys.js";

export interface TokensOptions {
  accounts: Accounts;
  apiKeys: ApiKeys;
  ended: EndedSessions;
  keys: KeyRing;
  /** Lifetime of users' tokens. */
  ttlSeconds: number;
  /** How long a session can be renewed. */
  sessionSeconds: number;
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

/** A token of a user, and what it belongs to. */
interface UserToken {
  user: UserRecord;
  session: UserSession;
  /** Of the token. */
  version: number;
  /** Of the token, in seconds since 1970. */
  expiresAt: number;
}

/** Bearer tokens of users and services: issues them, and checks those of users, and API keys. */
export class Tokens {
  private readonly verifier: TokenVerifier<UserClaims>;
  private warnedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: TokensOptions) {
    this.verifier = new TokenVerifier(USER_TOKENS, options.keys, options.now);
  }

  /** Issues a token for a user who has signed in; `expiresAt` in seconds since 1970. */
  issueUserToken(user: UserRecord): { token: string; expiresAt: number } {
    const now = this.seconds();
    return this.issue(user, newSession(now), now + this.options.ttlSeconds);
  }

  /**
   * Issues another token for the session of a token, valid as long as one from signing in, but not beyond the end of the
   * session. AppError `forbidden` if that has come.
   */
  async renew(token: string): Promise<{ token: string; expiresAt: number }> {
    const { ttlSeconds, sessionSeconds } = this.options;
    const { user, session, expiresAt } = await this.read(token);
    const now = this.seconds();
    const endsAt = session.signedInAt + sessionSeconds;
    if (endsAt <= now) {
      throw new AppError("forbidden", "Your session cannot be renewed any more. Sign in again.", {
        code: "session_over",
      });
    }
    // A token lives longer than a session only where it is configured to.
    return this.issue(user, session, Math.min(now + ttlSeconds, Math.max(endsAt, expiresAt)));
  }

  /** Ends the session of a token. */
  async end(token: string): Promise<void> {
    const { ended, ttlSeconds, sessionSeconds } = this.options;
    const { user, session, expiresAt } = await this.read(token);
    const last = Math.max(expiresAt, session.signedInAt + sessionSeconds, this.seconds() + ttlSeconds);
    await ended.end(session, user, last + TOKEN_CLOCK_TOLERANCE_SECONDS);
  }

  private issue(user: UserRecord, session: UserSession, expiresAt: number): { token: string; expiresAt: number } {
    const issuedAt = this.seconds();
    const claims = { sub: String(user.id), ver: user.token_version, sid: session.id, auth_time: session.signedInAt };
    return { token: sign(this.options.keys.current(), USER_TOKENS, { issuedAt, expiresAt, claims }), expiresAt };
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

  /**
   * Checks a user's token or an API key against the records: the user is active, their session has not been ended, products
   * and roles are current.
   */
  async authenticate(token: string): Promise<Principal> {
    const { accounts, apiKeys } = this.options;
    if (looksLikeApiKey(token)) return apiKeys.authenticate(token);
    const { user, expiresAt } = await this.read(token);
    const company = await accounts.activeCompany(user.company_id);
    if (company === undefined) throw unauthenticated();
    return { ...toPrincipal({ user, company }), expiresAt };
  }

  /** The user and the session of a user's token. Fails with AppError `unauthenticated` if either has ended. */
  async read(token: string): Promise<UserToken> {
    const { accounts, ended } = this.options;
    const claims = await this.verifier.verify(token);
    const { userId, version, session, expiresAt } = claims;
    const [user, hasEnded] = await Promise.all([accounts.user(userId), ended.has(session)]);
    if (user === undefined || hasEnded || !user.active) throw unauthenticated();
    const { token_version, kept_session: kept } = user;
    const isKept = kept?.id === session.id && kept.version === version;
    if (token_version !== version && !isKept) throw unauthenticated();
    return { user, session, version, expiresAt };
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
