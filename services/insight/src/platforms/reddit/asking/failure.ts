import { errorOfStatus, headerOf, type JsonResponse, retryAfterOf } from "../../http-json.js";
import { PlatformError } from "../../connector.js";
import { readProblem } from "./answer.js";

export const SERVICE = "Reddit";
const CREDENTIAL = "REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET";

/** When Reddit's window of requests ends, in milliseconds since the epoch; undefined if its headers do not say so. */
export function windowEndOf(response: Pick<JsonResponse, "headers">, now: number): number | undefined {
  const seconds = headerOf(response, "x-ratelimit-reset");
  return /^\d{1,7}(\.\d+)?$/.test(seconds) ? now + Math.ceil(Number(seconds) * 1000) : undefined;
}

/** When Reddit takes requests again; undefined if it takes them now, or does not say. */
export function heldUntil(response: JsonResponse, now: number): number | undefined {
  const left = headerOf(response, "x-ratelimit-remaining");
  const isUsedUp = /^-?\d+(\.\d+)?$/.test(left) && Number(left) < 1;
  if (response.status !== 429 && !isUsedUp) return undefined;
  const times = [windowEndOf(response, now), response.status === 429 ? retryAfterOf(response, now) : undefined];
  const stated = times.filter((time) => time !== undefined);
  return stated.length === 0 ? undefined : Math.max(...stated);
}

/** Reddit's own limit for this app is used up. */
export function limitUsedUp(until: number): PlatformError {
  const message = `Reddit's limit of requests for this app is used up. It resumes at ${new Date(until).toISOString()}.`;
  return new PlatformError("budget", message, { retryAt: until });
}

/** What an answer with an error means. */
export function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const { message, reason } = readProblem(response.body);
  const detail = [message, reason].filter((part) => part !== undefined).join(", ");
  const retryAt = heldUntil(response, now);
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, retryAt, now });
}

/** Why there is no token: errors of OAuth come with status 400, and some with 200. */
export function failureOfToken(response: JsonResponse, now: number): PlatformError {
  const { error } = readProblem(response.body);
  if (typeof error === "string") {
    const message = `Reddit gives no token (${error.slice(0, 100)}). The operator must check ${CREDENTIAL}, and the type of the app.`;
    return new PlatformError("auth", message);
  }
  if (response.status < 300)
    return new PlatformError("temporary", "Reddit responds without a token. It will be retried.");
  return errorOfResponse(response, now);
}
