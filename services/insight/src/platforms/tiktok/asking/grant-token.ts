import { askJson } from "../../asking/ask-json.js";
import type { AppToken } from "../../asking/app-tokens.js";
import type { PlatformDeps } from "../../port/platform.js";
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
  const answer = await askJson(http, {
    url: new URL(TOKEN_PATH, baseUrl).href,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
    service: SERVICE,
  });
  const { access_token: value, expires_in: seconds, error_description: detail } = readGrant(answer.body);
  if (answer.status !== 200 || value === undefined) throw failureOfGrant(answer, detail, now());
  return { value, expiresAt: now() + seconds * SECOND_MS };
}
