import { budgetWindow } from "../../budget.js";
import { type Page, PlatformError } from "../../connector.js";
import { errorOfStatus, headerOf, type JsonResponse, resetTimeOf } from "../../http-json.js";
import { readProblem } from "./answer.js";

export const SERVICE = "X";
const CREDENTIAL = "TWITTER_BEARER_TOKEN";
const DAY_MS = 24 * 60 * 60_000;

/** When X takes requests again, as its headers state it, in milliseconds since the epoch; undefined if it takes them now. */
export function resetOf(response: JsonResponse, now: number): number | undefined {
  return resetTimeOf(response, "x-rate-limit-reset", now);
}

/** A window that is used up is not asked before it ends. */
export function pauseOf(response: JsonResponse, now: number): Pick<Page, "notBefore"> {
  const reset = headerOf(response, "x-rate-limit-remaining") === "0" ? resetOf(response, now) : undefined;
  return reset === undefined ? {} : { notBefore: reset };
}

/** What an answer with an error means. */
export function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const { type = "", title, detail = title } = readProblem(response.body);
  if (response.status === 402 || /usage-capped|credits/.test(type)) return outOfCredit(detail, now);
  const retryAt = response.status === 429 ? resetOf(response, now) : undefined;
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, retryAt, now });
}

/** Somebody may buy credit at any time, so it is looked once a day whether there is some. */
function outOfCredit(detail: string | undefined, now: number): PlatformError {
  const retryAt = Math.min(now + DAY_MS, budgetWindow("month", now).to);
  const said = detail === undefined ? "" : ` It says: ${detail.slice(0, 200)}`;
  const message =
    `X has no more credit for this app, or its monthly cap is reached (${new Date(retryAt).toISOString()} is the next ` +
    `attempt). The operator must add credit in X's developer console, or wait for the next month.${said}`;
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}
