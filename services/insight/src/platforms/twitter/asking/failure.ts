import { budgetWindow } from "../../port/budget-window.js";
import { PlatformError } from "../../port/platform-error.js";
import type { JsonAnswer } from "../../asking/ask-json.js";
import type { Page } from "../../port/platform.js";
import { headerOf, resetTimeOf } from "../../asking/retry-time.js";
import { failureOfStatus } from "../../asking/status-failure.js";
import { readProblem } from "./answer.js";

export const SERVICE = "X";
const CREDENTIAL = "TWITTER_BEARER_TOKEN";
const DAY_MS = 24 * 60 * 60_000;

/** When X takes requests again, as its headers state it, in milliseconds since the epoch; undefined if it takes them now. */
export function resetOf(answer: JsonAnswer, now: number): number | undefined {
  return resetTimeOf(answer, "x-rate-limit-reset", now);
}

/** A window that is used up is not asked before it ends. */
export function pauseOf(answer: JsonAnswer, now: number): Pick<Page, "notBefore"> {
  const reset = headerOf(answer, "x-rate-limit-remaining") === "0" ? resetOf(answer, now) : undefined;
  return reset === undefined ? {} : { notBefore: reset };
}

/** What an answer with an error means. */
export function failureOfAnswer(answer: JsonAnswer, now: number): PlatformError {
  const { type = "", title, detail = title } = readProblem(answer.body);
  if (answer.status === 402 || /usage-capped|credits/.test(type)) return outOfCredit(detail, now);
  const retryAt = answer.status === 429 ? resetOf(answer, now) : undefined;
  return failureOfStatus({ service: SERVICE, credential: CREDENTIAL, answer, detail, retryAt, now });
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
