import { errorOfStatus, type JsonResponse, retryAfterOf } from "../../http-json.js";
import { budgetWindow } from "../../budget.js";
import { PlatformError } from "../../connector.js";
import { readProblem } from "./answer.js";

export const SERVICE = "NewsAPI";
const CREDENTIAL = "NEWSAPI_KEY";
const DETAIL_MAX = 200;
/** The developer plan counts over half a day, and does not say when a request is free again. */
const RATE_MS = 60 * 60_000;

const BAD_KEY = ["apiKeyInvalid", "apiKeyMissing"];
const REFUSED = ["parameterInvalid", "parametersMissing", "sourcesTooMany", "sourceDoesNotExist"];

/** Whether the plan gives no further results of a search, only the newest ones. */
export function isBeyondPlan({ status, body }: Pick<JsonResponse, "status" | "body">): boolean {
  const { code } = readProblem(body);
  return code === "maximumResultsReached" || (status === 426 && code === undefined);
}

/** What an answer with an error means; `now` in milliseconds since the epoch. */
export function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const { code = "", message } = readProblem(response.body);
  const detail = (message ?? "").slice(0, DETAIL_MAX);
  if (BAD_KEY.includes(code)) {
    return new PlatformError("auth", `NewsAPI rejects the key. The operator must renew ${CREDENTIAL}.${said(detail)}`);
  }
  if (code === "apiKeyDisabled") {
    const sentence = `NewsAPI has disabled the key. The operator must renew ${CREDENTIAL}, or ask NewsAPI why.`;
    return new PlatformError("auth", `${sentence}${said(detail)}`);
  }
  if (code === "apiKeyExhausted") return exhausted(now);
  if (code === "rateLimited") return rateLimited(response, { now, detail });
  if (isBeyondPlan(response)) {
    const remedy = "Narrow the keywords, or have the operator take a larger plan.";
    return new PlatformError("permanent", `NewsAPI's plan gives no more results of this search. ${remedy}`);
  }
  if (REFUSED.includes(code)) return refused(response, detail);
  if (code === "unexpectedError") {
    const retryAt = retryAfterOf(response, now);
    return new PlatformError("temporary", `NewsAPI is failing (${response.status}). It will be retried.`, {
      retryAt,
    });
  }
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, now });
}

/** Somebody else uses the same key, or NewsAPI counts otherwise than this server. */
function exhausted(now: number): PlatformError {
  const retryAt = budgetWindow("day", now).to;
  const message =
    `NewsAPI says that the requests of ${CREDENTIAL} are used up. It resumes at ${new Date(retryAt).toISOString()}. ` +
    "If this happens often, the operator must lower NEWSAPI_REQUESTS_PER_DAY, or take a larger plan.";
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}

function rateLimited(response: JsonResponse, { now, detail }: { now: number; detail: string }): PlatformError {
  const retryAt = retryAfterOf(response, now) ?? now + RATE_MS;
  const remedy = "If this happens often, the operator must lower NEWSAPI_REQUESTS_PER_DAY to what the plan has.";
  return new PlatformError(
    "rate",
    `NewsAPI has received too many requests (${response.status}). ${remedy}${said(detail)}`,
    {
      retryAt,
    },
  );
}

function refused({ status }: JsonResponse, detail: string): PlatformError {
  if (/too far in the past/i.test(detail)) {
    const message = "NewsAPI's plan does not reach as far back as this search does.";
    return new PlatformError("permanent", `${message} The operator may take a larger plan.${said(detail)}`);
  }
  const message = `NewsAPI refuses the request (${status}). Simplify the keywords; if that does not help, tell the operator.`;
  return new PlatformError("permanent", `${message}${said(detail)}`);
}

function said(detail: string): string {
  return detail === "" ? "" : ` It says: ${detail}`;
}
