import * as z from "zod";
import { errorOfStatus, type JsonResponse, retryAfterOf } from "../../http-json.js";
import { maybe } from "../../schemas.js";
import { budgetWindow } from "../../budget.js";
import { PlatformError } from "../../connector.js";

export const SERVICE = "YouTube";
const CREDENTIAL = "YOUTUBE_API_KEY";
const DETAIL_MAX = 200;

/** Google's older form of reasons, then its newer one. */
const errorSchema = z.object({
  error: z.object({
    message: maybe(z.string()),
    errors: maybe(z.array(maybe(z.object({ reason: maybe(z.string()) })))),
    details: maybe(z.array(maybe(z.object({ reason: maybe(z.string()) })))),
  }),
});

const SPENT = ["quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"];
const TOO_FAST = ["rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED"];
const BAD_KEY = ["keyInvalid", "keyExpired", "API_KEY_INVALID", "API_KEY_EXPIRED"];
const NOT_ENABLED = ["accessNotConfigured", "SERVICE_DISABLED"];
const RESTRICTED = [
  ...["ipRefererBlocked", "API_KEY_SERVICE_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED", "API_KEY_HTTP_REFERRER_BLOCKED"],
];
const PASSING = ["processingFailure", "backendError"];

/** The reasons that an answer with an error states, in both of Google's forms. */
export function reasonsOf({ body }: Pick<JsonResponse, "body">): string[] {
  const error = errorSchema.safeParse(body).data?.error;
  return [...(error?.errors ?? []), ...(error?.details ?? [])].flatMap((each) => each?.reason ?? []);
}

/** What an answer with an error means. */
export function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const reasons = reasonsOf(response);
  const has = (names: readonly string[]): boolean => reasons.some((reason) => names.includes(reason));
  const detail = detailOf(response);
  if (has(SPENT)) return quotaSpent(now);
  if (has(TOO_FAST)) {
    const message = `YouTube has received too many requests (${response.status}).${said(detail)}`;
    return new PlatformError("rate", message, { retryAt: retryAfterOf(response, now) });
  }
  if (has(BAD_KEY) || (response.status === 400 && /API key/i.test(detail))) {
    return new PlatformError("auth", `YouTube rejects the key. The operator must renew ${CREDENTIAL}.${said(detail)}`);
  }
  if (has(NOT_ENABLED)) return notAllowed("enable the YouTube Data API v3 in the project of", detail);
  if (has(RESTRICTED)) return notAllowed("let this server and the YouTube Data API v3 use the key of", detail);
  if (has(PASSING)) {
    const message = `YouTube is failing (${response.status}). It will be retried.`;
    return new PlatformError("temporary", message, { retryAt: retryAfterOf(response, now) });
  }
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, now });
}

/** Somebody else spends from the same project, or YouTube counts otherwise than this server. */
function quotaSpent(now: number): PlatformError {
  const retryAt = budgetWindow("Pacific day", now).to;
  const message =
    `YouTube says that the day's quota of ${CREDENTIAL} is spent. It resets at ${new Date(retryAt).toISOString()}. ` +
    "If this happens daily, lower YOUTUBE_SEARCHES_PER_DAY and YOUTUBE_UNITS_PER_DAY to what the project has.";
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

function notAllowed(remedy: string, detail: string): PlatformError {
  return new PlatformError(
    "auth",
    `YouTube forbids the request: the operator must ${remedy} ${CREDENTIAL}.${said(detail)}`,
  );
}

/** YouTube's messages hold links in HTML. */
function detailOf({ body }: JsonResponse): string {
  const message = errorSchema.safeParse(body).data?.error.message ?? "";
  return message.replaceAll(/<[^>]*>/g, "").slice(0, DETAIL_MAX);
}

function said(detail: string): string {
  return detail === "" ? "" : ` It says: ${detail}`;
}
