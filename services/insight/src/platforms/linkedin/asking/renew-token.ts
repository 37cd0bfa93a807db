import { fetchJson, errorOfStatus } from "../../http-json.js";
import type { AppToken } from "../../app-tokens.js";
import type { PlatformDeps } from "../../connector.js";
import { readGrant } from "./answer.js";
import { SERVICE } from "./failure.js";

const TOKEN_PATH = "/oauth/v2/accessToken";
const SECOND_MS = 1000;

export interface RenewalSettings {
  readonly signInUrl: string;
  readonly refreshToken: string;
  readonly id: string;
  readonly secret: string;
}

/** Asks LinkedIn for an access token. Throws PlatformError if it gives none. */
export async function renewToken({
  http,
  now,
  signInUrl,
  refreshToken,
  id,
  secret,
}: RenewalSettings & Pick<PlatformDeps, "http" | "now">): Promise<AppToken> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: id, client_secret: secret };
  const response = await fetchJson(http, {
    url: new URL(TOKEN_PATH, signInUrl).href,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
    service: SERVICE,
  });
  const { access_token: value, expires_in: seconds, error_description: detail } = readGrant(response.body);
  if (response.status === 200 && value !== undefined) return { value, expiresAt: now() + seconds * SECOND_MS };
  // A refresh token that ended, or a client that is unknown, is answered with 400.
  const status = response.status <= 400 || response.status === 403 ? 401 : response.status;
  throw errorOfStatus({
    service: SERVICE,
    credential: "LINKEDIN_REFRESH_TOKEN, LINKEDIN_CLIENT_ID or LINKEDIN_CLIENT_SECRET",
    response: { ...response, status },
    detail,
    now: now(),
  });
}
