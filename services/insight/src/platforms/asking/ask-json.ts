import type { HttpAnswer, HttpClient, HttpRequest } from "@hourglass/runtime";
import { parseLongNumbers } from "@hourglass/runtime/json";
import { PlatformError } from "../port/platform-error.js";

/** A request for JSON. */
export interface JsonQuestion extends HttpRequest {
  readonly url: string;
  /** The platform's name in sentences, such as `X`. */
  readonly service: string;
  /** Reads a body; throws for what is no JSON. Default: as JSON with long numbers. */
  readonly parse?: (text: string) => unknown;
}

/** The answer of a platform. */
export interface JsonAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined if an answer with an error is no JSON. */
  readonly body: unknown;
}

/** The platform redirects to another page instead of answering, as it does where a person would sign in. */
export class Moved extends PlatformError {
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
export async function askJson(
  http: Pick<HttpClient, "request">,
  { url, service, parse = parseLongNumbers, ...request }: JsonQuestion,
): Promise<JsonAnswer> {
  const headers = { Accept: "application/json", ...request.headers };
  const answer = await http.request(url, { ...request, headers });
  const target = redirectOf(answer, url);
  const text = await answer.text();
  if (target !== undefined) throw new Moved(service, target);
  const body = parsed(text, parse);
  if (answer.status < 300 && body === undefined) throw noJson(service, text);
  return { status: answer.status, headers: answer.headers, body };
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
  return new PlatformError("temporary", `${service} ${verb} ${what}. It is asked again.`);
}
