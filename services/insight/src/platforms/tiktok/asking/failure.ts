import type { JsonAnswer } from "../../asking/ask-json.js";
import { failureOfStatus } from "../../asking/status-failure.js";
import { budgetWindow } from "../../port/budget-window.js";
import { PlatformError } from "../../port/platform-error.js";
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
export function isTokenRejected(answer: JsonAnswer): boolean {
  const { code } = readFault(answer.body);
  return code === "access_token_invalid" || (answer.status === 401 && code !== "scope_not_authorized");
}

/** What an answer with an error means; undefined for one without. */
export function failureOfAnswer(answer: JsonAnswer, now: number): PlatformError | undefined {
  const { code = "ok", message } = readFault(answer.body);
  if (answer.status === 200 && code === "ok") return undefined;
  if (code === "scope_not_authorized") return notApproved(message);
  if (code === "daily_quota_limit_exceeded") return quotaSpent(now);
  if (code === "invalid_params" && /search.?id/i.test(message ?? "")) return searchExpired();
  const status = answer.status === 200 ? (STATUSES[code] ?? 500) : answer.status;
  return failureOfStatus({
    service: SERVICE,
    credential: CREDENTIAL,
    answer: { ...answer, status },
    detail: message,
    now,
  });
}

/** What the answer to a request for a token means, which has no token. */
export function failureOfGrant(answer: JsonAnswer, detail: string | undefined, now: number): PlatformError {
  // TikTok answers 400, or even 200, to a client that it does not know.
  const isRejection = answer.status < 400 || answer.status === 400 || answer.status === 403;
  const status = isRejection ? 401 : answer.status;
  return failureOfStatus({ service: SERVICE, credential: CREDENTIAL, answer: { ...answer, status }, detail, now });
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
    `TikTok's own quota of this client for today is spent. It goes on at ${new Date(retryAt).toISOString()}; the operator ` +
    "can lower TIKTOK_REQUESTS_PER_DAY so that the quota lasts.";
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

/** A known fault of TikTok: the same request may succeed a little later; if it does not, the poll begins anew. */
function searchExpired(): PlatformError {
  return new PlatformError(
    "temporary",
    "TikTok does not know the search of the page before any more. It is asked again.",
  );
}
