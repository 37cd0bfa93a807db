import type { KeyObject } from "node:crypto";
import jwt from "jsonwebtoken";
import QuickLRU from "quick-lru";
import {
  isCount,
  type TokenKind,
  type TokenPayload,
  type TokenTimes,
  TOKEN_ALGORITHM,
  TOKEN_CLOCK_TOLERANCE_SECONDS,
  TOKEN_ISSUER,
  tokenExpired,
  unauthenticated,
} from "./tokens.js";

/** Source of the public keys. */
export interface VerificationKeys {
  /** The key with this id if it is cached and in use; the same object each time. */
  known(id: string): KeyObject | undefined;
  /** Like `known`, but also fetches new keys. Fails with AppError `unavailable` if they cannot be fetched. */
  find(id: string): Promise<KeyObject | undefined>;
}

const TOKEN_BYTES_MAX = 4096;
const VERIFIED_MAX = 10_000;
/**
 * Three base64url segments, the last one the 64 bytes of an ES256 signature. Its final character has 4 unused bits;
 * requiring them to be zero leaves one spelling of each token.
 */
const TOKEN_SHAPE = /^([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]$/;
const KEY_ID_SHAPE = /^[A-Za-z0-9_-]{1,64}$/;
const HEADER_FIELDS: ReadonlySet<string> = new Set(["alg", "kid", "typ"]);

interface VerifiedToken<C> {
  claims: C;
  keyId: string;
  key: KeyObject;
}

/** Checks tokens of one kind by signature and time. Valid signatures are cached, so a repeated token is cheap. */
export class TokenVerifier<C extends TokenTimes> {
  private readonly verified = new QuickLRU<string, VerifiedToken<C>>({ maxSize: VERIFIED_MAX });

  constructor(
    private readonly kind: TokenKind<C>,
    private readonly keys: VerificationKeys,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Fails with AppError `unauthenticated`, with code `token_expired` if the token is valid except that it has expired,
   * or `unavailable` if the keys cannot be fetched.
   */
  async verify(token: string): Promise<C> {
    return this.recall(token) ?? (await this.check(token));
  }

  private recall(token: string): C | undefined {
    const verified = this.verified.get(token);
    if (verified === undefined) return undefined;
    const { claims, keyId, key } = verified;
    if (this.keys.known(keyId) === key && !this.isOver(claims) && !this.isAhead(claims)) return claims;
    this.verified.delete(token);
    return undefined;
  }

  private async check(token: string): Promise<C> {
    const keyId = readKeyId(token, this.kind.type);
    if (keyId === undefined) throw unauthenticated();
    const key = this.keys.known(keyId) ?? (await this.keys.find(keyId));
    if (key === undefined) throw unauthenticated();
    const claims = this.readClaims(this.readPayload(token, key));
    if (claims === undefined || this.isAhead(claims)) throw unauthenticated();
    if (this.isOver(claims)) throw tokenExpired();
    this.verified.set(token, { claims, keyId, key });
    return claims;
  }

  private readPayload(token: string, key: KeyObject): TokenPayload {
    try {
      const payload = jwt.verify(token, key, {
        algorithms: [TOKEN_ALGORITHM],
        issuer: TOKEN_ISSUER,
        audience: this.kind.audience,
        clockTolerance: TOKEN_CLOCK_TOLERANCE_SECONDS,
        clockTimestamp: Math.floor(this.now() / 1000),
        // The library checks `exp` before issuer and audience, and accepts a token without it; checked below instead.
        ignoreExpiration: true,
      });
      // Claims that are not a JSON object are returned as text, without a check of issuer and audience.
      if (typeof payload === "string") throw new TypeError("the claims are no object");
      return payload;
    } catch (error) {
      throw unauthenticated(error);
    }
  }

  private readClaims(payload: TokenPayload): C | undefined {
    const { aud, iat, exp } = payload;
    if (aud !== this.kind.audience) return undefined; // the library also accepts a list that contains it
    if (!isCount(iat) || !isCount(exp)) return undefined;
    if (exp <= iat || exp - iat > this.kind.lifetimeSecondsMax) return undefined;
    return this.kind.read(payload, { issuedAt: iat, expiresAt: exp });
  }

  private isOver({ expiresAt }: TokenTimes): boolean {
    return expiresAt + TOKEN_CLOCK_TOLERANCE_SECONDS <= this.now() / 1000;
  }

  private isAhead({ issuedAt }: TokenTimes): boolean {
    return issuedAt - TOKEN_CLOCK_TOLERANCE_SECONDS > this.now() / 1000;
  }
}

/** The `kid` of a token that has the form of our tokens of that type; undefined for any other text. */
function readKeyId(token: string, type: string): string | undefined {
  const header = readHeader(token);
  if (header === undefined) return undefined;
  // Headers that name or carry a key (jwk, jku, x5c …) or change the processing (crit, b64, zip) are never ours.
  if (!Object.keys(header).every((field) => HEADER_FIELDS.has(field))) return undefined;
  if (header.alg !== TOKEN_ALGORITHM || header.typ !== type) return undefined;
  return typeof header.kid === "string" && KEY_ID_SHAPE.test(header.kid) ? header.kid : undefined;
}

/** Whether the text claims to be a token of that kind. The signature is not checked. */
export function looksLike(token: string, { type }: TokenKind<TokenTimes>): boolean {
  return readHeader(token)?.["typ"] === type;
}

function readHeader(token: string): Record<string, unknown> | undefined {
  return token.length > TOKEN_BYTES_MAX ? undefined : parseObject(TOKEN_SHAPE.exec(token)?.[1]);
}

function parseObject(segment: string | undefined): Record<string, unknown> | undefined {
  if (segment === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // not JSON, so not a token
  }
}
