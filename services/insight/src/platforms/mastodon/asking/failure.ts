import { HttpFailure } from "@hourglass/runtime";
import * as z from "zod";
import type { JsonAnswer } from "../../asking/ask-json.js";
import { maybe } from "../../asking/lenient.js";
import { headerOf, retryAfterOf } from "../../asking/retry-time.js";
import { failureOfStatus } from "../../asking/status-failure.js";
import { SourceProblem } from "../../following/source-problem.js";
import { PlatformError } from "../../port/platform-error.js";

/** What servers answer whose timelines are for people who have signed in. */
const CLOSED: ReadonlySet<number> = new Set([401, 403, 422]);

const problemSchema = z.object({ error: maybe(z.string()) });

/** When a server takes requests again, in milliseconds since the epoch; undefined if it takes them now, or does not say. */
export function heldUntil(answer: JsonAnswer, now: number): number | undefined {
  const isUsedUp = headerOf(answer, "x-ratelimit-remaining") === "0";
  if (answer.status !== 429 && !isUsedUp) return undefined;
  const reset = Date.parse(headerOf(answer, "x-ratelimit-reset"));
  const times = [reset, answer.status === 429 ? (retryAfterOf(answer, now) ?? Number.NaN) : Number.NaN];
  const stated = times.filter((time) => Number.isFinite(time));
  return stated.length === 0 ? undefined : Math.max(now, ...stated);
}

/** What an answer with an error means. */
export function failureOfAnswer(answer: JsonAnswer, host: string, now: number): PlatformError {
  const detail = problemSchema.safeParse(answer.body).data?.error;
  if (CLOSED.has(answer.status)) {
    const message =
      `${host} shows tag timelines to people only who have signed in (${answer.status}). ` +
      "The operator must name another server in MASTODON_SERVERS.";
    return new SourceProblem("permanent", message, { isForbidden: true });
  }
  const retryAt = heldUntil(answer, now);
  return failureOfStatus({ service: host, credential: "MASTODON_SERVERS", answer, detail, retryAt, now });
}

/** The failure of one server of several: the others can be read. Others than of platforms are returned as they are. */
export function asProblemOfOne(error: unknown): unknown {
  if (error instanceof SourceProblem) return error;
  if (error instanceof HttpFailure) return new SourceProblem("permanent", error.message);
  if (!(error instanceof PlatformError)) return error;
  const { kind, message, retryAt, requests } = error;
  const isLater = kind === "rate" || kind === "budget";
  return new SourceProblem(isLater ? "budget" : "permanent", message, {
    ...(retryAt !== undefined && { retryAt }),
    requests,
    isForbidden: kind === "auth",
  });
}
