import { TOKEN_ALGORITHM, TOKEN_AUDIENCE, TOKEN_ISSUER } from "@hourglass/runtime";
import { SignJWT } from "jose";
import type { SigningKey } from "./signing-key.js";

export interface TokenSubject {
  userId: number;
  /** Version of the user's sessions. */
  version: number;
}

/** How long a token is good for; both in seconds since 1970. */
export interface Validity {
  issuedAt: number;
  expiresAt: number;
}

/** Makes a bearer token for the user. */
export function signToken(key: SigningKey, subject: TokenSubject, { issuedAt, expiresAt }: Validity): Promise<string> {
  return new SignJWT({ ver: subject.version })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: key.id, typ: "JWT" })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setSubject(String(subject.userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key.privateKey);
}
