import { PlatformError } from "../port/platform-error.js";
import type { JsonAnswer } from "./ask-json.js";
import { retryAfterOf } from "./retry-time.js";

const DETAIL_MAX = 200;

/** What the sentences of a failure name. */
export interface FailedAnswer {
  /** The platform's name, such as `X`. */
  readonly service: string;
  /** The variable that holds the credentials. */
  readonly credential: string;
  readonly answer: JsonAnswer;
  /** What the platform says about it, if anything. */
  readonly detail?: string | undefined;
  /** When the platform may be asked again, as its own headers state it, in milliseconds since the epoch. */
  readonly retryAt?: number | undefined;
  readonly now: number;
}

/** The failure that an HTTP status means on most platforms; what a platform does differently is decided before. */
export function failureOfStatus({ service, credential, answer, detail, retryAt, now }: FailedAnswer): PlatformError {
  const { status } = answer;
  const said = detail === undefined || detail === "" ? "" : ` It says: ${detail.slice(0, DETAIL_MAX)}`;
  const until = latest(retryAfterOf(answer, now), retryAt);
  if (status === 401) {
    const message = `${service} rejects the credentials (401). The operator must renew ${credential}.${said}`;
    return new PlatformError("auth", message);
  }
  if (status === 403) {
    const message = `${service} forbids the request (403). The operator must give the app of ${credential} this access.${said}`;
    return new PlatformError("auth", message);
  }
  if (status === 429) {
    return new PlatformError("rate", `${service} has had too many requests (429).${said}`, { retryAt: until });
  }
  if (status >= 500 || status === 408 || status === 425) {
    const message = `${service} fails at the moment (${status}). It is asked again.`;
    return new PlatformError("temporary", message, { retryAt: until });
  }
  return new PlatformError("permanent", `${service} refuses the request (${status}).${said}`);
}

function latest(...times: readonly (number | undefined)[]): number | undefined {
  const stated = times.filter((time) => time !== undefined);
  return stated.length === 0 ? undefined : Math.max(...stated);
}
