import { errorOfStatus, type JsonResponse } from "../../http-json.js";
import { budgetWindow } from "../../budget.js";
import { PlatformError } from "../../connector.js";
import { readFault } from "./answer.js";

export const SERVICE = "TikTok";
const CREDENTIAL = "TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET";
/** Statuses of codes that arrive with another one. */
const STATUSES: Readonly<Record<string, number>> = {
  access_token_invalid: 401,
  invalid_params: 400,
  rate_limit_exceeded: 429,
  internal_error: 500,
};

/** Whether TikTok has rejected the token, rather than what the client may do with it. */
export function isTokenRejected(response: JsonResponse): boolean {
  const { code } = readFault(response.body);
  return code === "access_token_invalid" || (response.status === 401 && code !== "scope_not_authorized");
}

/** What an answer with an error means; undefined for one without. */
export function errorOfResponse(response: JsonResponse, now: number): PlatformError | undefined {
  const { code = "ok", message } = readFault(response.body);
  if (response.status === 200 && code === "ok") return undefined;
  if (code === "scope_not_authorized") return notApproved(message);
  if (code === "daily_quota_limit_exceeded") return quotaSpent(now);
  if (code === "invalid_params" && /search.?id/i.test(message ?? "")) return searchExpired();
  const status = response.status === 200 ? (STATUSES[code] ?? 500) : response.status;
  return errorOfStatus({
    service: SERVICE,
    credential: CREDENTIAL,
    response: { ...response, status },
    detail: message,
    now,
  });
}

/** What the answer to a request for a token means, which has no token. */
export function failureOfGrant(response: JsonResponse, detail: string | undefined, now: number): PlatformError {
  // TikTok answers 400, or even 200, to a client that it does not know.
  const isRejection = response.status < 400 || response.status === 400 || response.status === 403;
  const status = isRejection ? 401 : response.status;
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response: { ...response, status }, detail, now });
}

function notApproved(said: string | undefined): PlatformError {
  const message =
    `TikTok has not approved the client of ${CREDENTIAL} for its Research API (scope_not_authorized). The operator must ` +
    "apply for the scope research.data.basic, or have postings imported.";
  return new PlatformError(
    "auth",
    said === undefined || said === "" ? message : `${message} It says: ${said.slice(0, 200)}`,
  );
}

function quotaSpent(now: number): PlatformError {
  const retryAt = budgetWindow("day", now).to;
  const message =
    `TikTok's own quota of this client for today is spent. It resumes at ${new Date(retryAt).toISOString()}; the operator ` +
    "can lower TIKTOK_REQUESTS_PER_DAY so that the quota lasts.";
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

/** A known fault of TikTok: the same request may succeed a little later; otherwise the poll starts over. */
function searchExpired(): PlatformError {
  return new PlatformError(
    "temporary",
    "TikTok does not know the search of the page before any more. It will be retried.",
  );
}
