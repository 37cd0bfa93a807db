import { fetchJson } from "../../http-json.js";
import type { AppToken } from "../../app-tokens.js";
import type { PlatformDeps } from "../../connector.js";
import { readGrant } from "./answer.js";
import { failureOfGrant, SERVICE } from "./failure.js";

const TOKEN_PATH = "/v2/oauth/token/";
const SECOND_MS = 1000;

export interface ClientCredentials {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
}

/** Asks TikTok for a token of the client. Throws PlatformError if it gives none. */
export async function grantToken({
  http,
  now,
  baseUrl,
  key,
  secret,
}: ClientCredentials & Pick<PlatformDeps, "http" | "now">): Promise<AppToken> {
  const form = { client_key: key, client_secret: secret, grant_type: "client_credentials" };
  const response = await fetchJson(http, {
    url: new URL(TOKEN_PATH, baseUrl).href,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
    service: SERVICE,
  });
  const { access_token: value, expires_in: seconds, error_description: detail } = readGrant(response.body);
  if (response.status !== 200 || value === undefined) throw failureOfGrant(response, detail, now());
  return { value, expiresAt: now() + seconds * SECOND_MS };
}
