import { AppError, type Authenticate, type Principal } from "@hourglass/runtime";

const BEARER = /^Bearer +(\S+) *$/i;

/** Returns the token of an Authorization header. Fails with AppError `unauthenticated` if there is none. */
export function bearerToken(authorization: string | undefined): string {
  const token = BEARER.exec(authorization ?? "")?.[1];
  if (token !== undefined) return token;
  throw new AppError(
    "unauthenticated",
    "This route needs an access token. Sign in, and send it as Authorization: Bearer <access token>.",
  );
}

/** Returns the principal of the request and the token to pass on. */
export async function authenticateRequest(
  authorization: string | undefined,
  authenticate: Authenticate,
): Promise<{ token: string; principal: Principal }> {
  const token = bearerToken(authorization);
  return { token, principal: await authenticate(token) };
}
