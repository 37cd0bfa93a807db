import {
  SERVICE_TOKENS,
  TOKEN_ALGORITHM,
  TOKEN_ISSUER,
  USER_TOKENS,
  type ServiceClaims,
  type TokenKind,
  type TokenTimes,
  type UserClaims,
} from "@hourglass/runtime";
import { SignJWT, type JWTPayload } from "jose";
import type { SigningKey } from "./signing-key.js";

/** Makes a bearer token for a user. */
export function signUserToken(key: SigningKey, { userId, version, ...times }: UserClaims): Promise<string> {
  return sign(key, USER_TOKENS, { ...times, own: { sub: String(userId), ver: version } });
}

/** Makes a bearer token for a service. */
export function signServiceToken(key: SigningKey, { service, companyId, ...times }: ServiceClaims): Promise<string> {
  return sign(key, SERVICE_TOKENS, { ...times, own: { sub: service, company: companyId } });
}

function sign(
  key: SigningKey,
  { type, audience }: Pick<TokenKind<TokenTimes>, "type" | "audience">,
  { issuedAt, expiresAt, own }: TokenTimes & { own: JWTPayload },
): Promise<string> {
  return new SignJWT(own)
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: key.id, typ: type })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key.privateKey);
}
