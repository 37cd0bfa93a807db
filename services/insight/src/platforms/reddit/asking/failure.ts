import type { JsonAnswer } from "../../asking/ask-json.js";
import { headerOf, retryAfterOf } from "../../asking/retry-time.js";
import { failureOfStatus } from "../../asking/status-failure.js";
import { PlatformError } from "../../port/platform-error.js";
import { readProblem } from "./answer.js";

export const SERVICE = "Reddit";
const CREDENTIAL = "REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET";

/** When Reddit's window of requests ends, in milliseconds since the epoch; undefined if its headers do not say so. */
export function windowEndOf(answer: Pick<JsonAnswer, "headers">, now: number): number | undefined {
  const seconds = headerOf(answer, "x-ratelimit-reset");
  return /^\d{1,7}(\.\d+)?$/.test(seconds) ? now + Math.ceil(Number(seconds) * 1000) : undefined;
}

/** When Reddit takes requests again; undefined if it takes them now, or does not say. */
export function heldUntil(answer: JsonAnswer, now: number): number | undefined {
  const left = headerOf(answer, "x-ratelimit-remaining");
  const isUsedUp = /^-?\d+(\.\d+)?$/.test(left) && Number(left) < 1;
  if (answer.status !== 429 && !isUsedUp) return undefined;
  const times = [windowEndOf(answer, now), answer.status === 429 ? retryAfterOf(answer, now) : undefined];
  const stated = times.filter((time) => time !== undefined);
  return stated.length === 0 ? undefined : Math.max(...stated);
}

/** Reddit's own limit for this app is used up. */
export function limitUsedUp(until: number): PlatformError {
  const message = `Reddit's limit of requests for this app is used up. It goes on at ${new Date(until).toISOString()}.`;
  return new PlatformError("budget", message, { retryAt: until });
}

/** What an answer with an error means. */
export function failureOfAnswer(answer: JsonAnswer, now: number): PlatformError {
  const { message, reason } = readProblem(answer.body);
  const detail = [message, reason].filter((part) => part !== undefined).join(", ");
  const retryAt = heldUntil(answer, now);
  return failureOfStatus({ service: SERVICE, credential: CREDENTIAL, answer, detail, retryAt, now });
}

/** Why there is no token: errors of OAuth come with status 400, and some with 200. */
export function failureOfToken(answer: JsonAnswer, now: number): PlatformError {
  const { error } = readProblem(answer.body);
  if (typeof error === "string") {
    const message = `Reddit gives no token (${error.slice(0, 100)}). The operator must check ${CREDENTIAL}, and the type of the app.`;
    return new PlatformError("auth", message);
  }
  if (answer.status < 300) return new PlatformError("temporary", "Reddit answers without a token. It is asked again.");
  return failureOfAnswer(answer, now);
}
