import type { JsonAnswer } from "./ask-json.js";

const SECOND_MS = 1000;

/** A header as one text; empty if there is none. */
export function headerOf({ headers }: Pick<JsonAnswer, "headers">, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : (value?.[0]?.trim() ?? "");
}

/** The time that `Retry-After` states, in milliseconds since the epoch; undefined if it states none. */
export function retryAfterOf(answer: Pick<JsonAnswer, "headers">, now: number): number | undefined {
  const text = headerOf(answer, "retry-after");
  if (/^\d{1,9}$/.test(text)) return now + Number(text) * SECOND_MS;
  const until = text === "" ? Number.NaN : Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(now, until + skewOf(answer, now));
}

/**
 * The time that a header states in seconds since the epoch, in milliseconds by this server's clock; undefined if there is
 * no such header.
 */
export function resetTimeOf(answer: Pick<JsonAnswer, "headers">, name: string, now: number): number | undefined {
  const text = headerOf(answer, name);
  if (!/^\d{1,11}$/.test(text)) return undefined;
  return Math.max(now, Number(text) * SECOND_MS + skewOf(answer, now));
}

/** By how much this server's clock is ahead of the platform's, if that is more than `Date`, which has whole seconds, hides. */
function skewOf(answer: Pick<JsonAnswer, "headers">, now: number): number {
  const theirs = Date.parse(headerOf(answer, "date"));
  if (Number.isNaN(theirs)) return 0;
  const skew = now - theirs;
  return Math.abs(skew) < 2 * SECOND_MS ? 0 : skew;
}
