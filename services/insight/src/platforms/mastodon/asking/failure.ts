import { HttpFailure } from "@hourglass/runtime";
import * as z from "zod";
import { errorOfStatus, headerOf, type JsonResponse, retryAfterOf } from "../../http-json.js";
import { maybe } from "../../schemas.js";
import { SourceError } from "../../sources.js";
import { PlatformError } from "../../connector.js";

/** What servers answer whose timelines are for people who have signed in. */
const CLOSED: ReadonlySet<number> = new Set([401, 403, 422]);

const problemSchema = z.object({ error: maybe(z.string()) });

/** When a server takes requests again, in milliseconds since the epoch; undefined if it takes them now, or does not say. */
export function heldUntil(response: JsonResponse, now: number): number | undefined {
  const isUsedUp = headerOf(response, "x-ratelimit-remaining") === "0";
  if (response.status !== 429 && !isUsedUp) return undefined;
  const reset = Date.parse(headerOf(response, "x-ratelimit-reset"));
  const times = [reset, response.status === 429 ? (retryAfterOf(response, now) ?? Number.NaN) : Number.NaN];
  const stated = times.filter((time) => Number.isFinite(time));
  return stated.length === 0 ? undefined : Math.max(now, ...stated);
}

/** What an answer with an error means. */
export function errorOfResponse(response: JsonResponse, host: string, now: number): PlatformError {
  const detail = problemSchema.safeParse(response.body).data?.error;
  if (CLOSED.has(response.status)) {
    const message =
      `${host} shows tag timelines to people only who have signed in (${response.status}). ` +
      "The operator must name another server in MASTODON_SERVERS.";
    return new SourceError("permanent", message, { isForbidden: true });
  }
  const retryAt = heldUntil(response, now);
  return errorOfStatus({ service: host, credential: "MASTODON_SERVERS", response, detail, retryAt, now });
}

/** The failure of one server of several: the others can be read. Others than of platforms are returned as they are. */
export function asProblemOfOne(error: unknown): unknown {
  if (error instanceof SourceError) return error;
  if (error instanceof HttpFailure) return new SourceError("permanent", error.message);
  if (!(error instanceof PlatformError)) return error;
  const { kind, message, retryAt, requests } = error;
  const isLater = kind === "rate" || kind === "budget";
  return new SourceError(isLater ? "budget" : "permanent", message, {
    ...(retryAt !== undefined && { retryAt }),
    requests,
    isForbidden: kind === "auth",
  });
}
