import {
  SERVICE_TOKENS,
  TOKEN_ALGORITHM,
  TOKEN_ISSUER,
  USER_TOKENS,
  type ServiceClaims,
  type TokenKind,
  type TokenPayload,
  type TokenTimes,
  type UserClaims,
} from "@hourglass/runtime";
import jwt from "jsonwebtoken";
import type { SigningKey } from "./signing-key.js";

/** Makes a bearer token for a user. */
export function signUserToken(key: SigningKey, { userId, version, ...times }: UserClaims): string {
  return sign(key, USER_TOKENS, { ...times, own: { sub: String(userId), ver: version } });
}

/** Makes a bearer token for a service. */
export function signServiceToken(key: SigningKey, { service, companyId, ...times }: ServiceClaims): string {
  return sign(key, SERVICE_TOKENS, { ...times, own: { sub: service, company: companyId } });
}

function sign(
  key: SigningKey,
  { type, audience }: Pick<TokenKind<TokenTimes>, "type" | "audience">,
  { issuedAt, expiresAt, own }: TokenTimes & { own: TokenPayload },
): string {
  const claims = { ...own, iss: TOKEN_ISSUER, aud: audience, iat: issuedAt, exp: expiresAt };
  return jwt.sign(claims, key.privateKey, {
    algorithm: TOKEN_ALGORITHM,
    header: { alg: TOKEN_ALGORITHM, kid: key.id, typ: type },
  });
}
