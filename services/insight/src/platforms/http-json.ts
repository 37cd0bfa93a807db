import { type HttpAnswer, type HttpClient, HttpFailure, type HttpRequest } from "@hourglass/runtime";
import { parseLongNumbers } from "@hourglass/runtime/json";
import { PlatformError } from "./connector.js";

/** A request for JSON. */
interface JsonRequest extends HttpRequest {
  readonly url: string;
  /** The platform's name in sentences, such as `X`. */
  readonly service: string;
  /** Reads a body; throws for what is no JSON. Default: as JSON with long numbers. */
  readonly parse?: (text: string) => unknown;
}

/** The answer of a platform. */
export interface JsonResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined if an answer with an error is no JSON. */
  readonly body: unknown;
}

/** The platform redirects to another page instead of answering, as it does where a person would sign in. */
export class RedirectError extends PlatformError {
  constructor(
    service: string,
    readonly to: URL,
  ) {
    const message =
      `${service} redirects to ${to.host}${to.pathname} instead of answering, as sign-in pages do. ` +
      "The operator of this server must check the credentials, the address of the platform, and proxies.";
    super("auth", message);
  }
}

/**
 * Asks a platform. An answer with any status is returned, except one with status 200 that is no JSON: that throws
 * PlatformError. A redirect to another page throws Moved. Throws HttpFailure if there is no answer.
 */
export async function fetchJson(
  http: Pick<HttpClient, "request">,
  { url, service, parse = parseLongNumbers, ...request }: JsonRequest,
): Promise<JsonResponse> {
  const headers = { Accept: "application/json", ...request.headers };
  const response = await http.request(url, { ...request, headers });
  const target = redirectOf(response, url);
  const text = await response.text();
  if (target !== undefined) throw new RedirectError(service, target);
  const body = parsed(text, parse);
  if (response.status < 300 && body === undefined) throw noJson(service, text);
  return { status: response.status, headers: response.headers, body };
}

/** Where a redirect led, or would lead: the client follows those of GET only. */
function redirectOf({ url: arrived, status, headers }: HttpAnswer, asked: string): URL | undefined {
  if (pageOf(arrived) !== pageOf(asked)) return new URL(arrived);
  const { location } = headers;
  const isRedirect = status >= 300 && status < 400 && location !== undefined && URL.canParse(location, asked);
  return isRedirect ? new URL(location, asked) : undefined;
}

function pageOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Undefined for what is no JSON. */
function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function noJson(service: string, text: string): PlatformError {
  const what = /^\s*<(!doctype|html)/i.test(text) ? "with a web page" : text.trim() === "" ? "with nothing" : "no JSON";
  const verb = what === "no JSON" ? "answers what is" : "answers";
  return new PlatformError("temporary", `${service} ${verb} ${what}. It will be retried.`);
}

const DETAIL_MAX = 200;

/** What the sentences of a failure name. */
interface FailedResponse {
  /** The platform's name, such as `X`. */
  readonly service: string;
  /** The variable that holds the credentials. */
  readonly credential: string;
  readonly response: JsonResponse;
  /** What the platform says about it, if anything. */
  readonly detail?: string | undefined;
  /** When the platform may be asked again, as its own headers state it, in milliseconds since the epoch. */
  readonly retryAt?: number | undefined;
  readonly now: number;
}

/** The failure that an HTTP status means on most platforms; what a platform does differently is decided before. */
export function errorOfStatus({ service, credential, response, detail, retryAt, now }: FailedResponse): PlatformError {
  const { status } = response;
  const said = detail === undefined || detail === "" ? "" : ` It says: ${detail.slice(0, DETAIL_MAX)}`;
  const until = latest(retryAfterOf(response, now), retryAt);
  if (status === 401) {
    const message = `${service} rejects the credentials (401). The operator must renew ${credential}.${said}`;
    return new PlatformError("auth", message);
  }
  if (status === 403) {
    const message = `${service} forbids the request (403). The operator must give the app of ${credential} this access.${said}`;
    return new PlatformError("auth", message);
  }
  if (status === 429) {
    return new PlatformError("rate", `${service} has received too many requests (429).${said}`, { retryAt: until });
  }
  if (status >= 500 || status === 408 || status === 425) {
    const message = `${service} is failing (${status}). It will be retried.`;
    return new PlatformError("temporary", message, { retryAt: until });
  }
  return new PlatformError("permanent", `${service} refuses the request (${status}).${said}`);
}

function latest(...times: readonly (number | undefined)[]): number | undefined {
  const stated = times.filter((time) => time !== undefined);
  return stated.length === 0 ? undefined : Math.max(...stated);
}

const SECOND_MS = 1000;

/** A header as one text; empty if there is none. */
export function headerOf({ headers }: Pick<JsonResponse, "headers">, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : (value?.[0]?.trim() ?? "");
}

/** The time that `Retry-After` states, in milliseconds since the epoch; undefined if it states none. */
export function retryAfterOf(response: Pick<JsonResponse, "headers">, now: number): number | undefined {
  const text = headerOf(response, "retry-after");
  if (/^\d{1,9}$/.test(text)) return now + Number(text) * SECOND_MS;
  const until = text === "" ? Number.NaN : Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(now, until + skewOf(response, now));
}

/**
 * The time that a header states in seconds since the epoch, in milliseconds by this server's clock; undefined if there is
 * no such header.
 */
export function resetTimeOf(response: Pick<JsonResponse, "headers">, name: string, now: number): number | undefined {
  const text = headerOf(response, name);
  if (!/^\d{1,11}$/.test(text)) return undefined;
  return Math.max(now, Number(text) * SECOND_MS + skewOf(response, now));
}

/** By how much this server's clock is ahead of the platform's, if that is more than `Date`, which has whole seconds, hides. */
function skewOf(response: Pick<JsonResponse, "headers">, now: number): number {
  const theirs = Date.parse(headerOf(response, "date"));
  if (Number.isNaN(theirs)) return 0;
  const skew = now - theirs;
  return Math.abs(skew) < 2 * SECOND_MS ? 0 : skew;
}

/** What was asked for, or why it could not be had. */
type Attempt<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: { readonly message: string; readonly requests: number } };

/**
 * Asks for what postings can do without, so that a failure does not lose them. Throws the reason of the signal, and what
 * is no failure of the platform.
 */
export async function attempt<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<Attempt<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PlatformError) return { failure: error };
    if (error instanceof HttpFailure) return { failure: { message: error.message, requests: 1 } };
    throw error;
  }
}
