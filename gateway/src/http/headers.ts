import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { AppError } from "@hourglass/runtime";
import helmet, { type HelmetOptions } from "helmet";

/** Alternating names and values, as `ServerResponse.writeHead` takes them. */
export type HeaderList = readonly string[];

/** Response headers that a script of another origin may read. */
const EXPOSED_HEADERS = [
  "Authorization",
  "Location",
  "Idempotent-Replayed",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "WWW-Authenticate",
  "X-Request-Id",
  "ETag",
  "Accept-Ranges",
  "Content-Range",
  "Content-Disposition",
];

/**
 * Headers that a script of another origin may send. Tracing libraries add theirs to every request of a page, and a
 * browser sends none of the requests unless all of their headers are allowed.
 */
export const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Accept",
  "Idempotency-Key",
  "X-Request-Id",
  "X-Requested-With",
  "Traceparent",
  "Tracestate",
  "Baggage",
  "Sentry-Trace",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Range",
];

/** How long a browser may keep the answer to a preflight. */
export const PREFLIGHT_SECONDS = 600;

const CROSS_ORIGIN: HeaderList = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  EXPOSED_HEADERS.join(", "),
];

const POLICY: HelmetOptions = {
  // The host may serve more than this product, so the policy does not extend to its subdomains.
  strictTransportSecurity: { maxAge: 15_552_000, includeSubDomains: false },
  // Tokens are sent in a header, never in a cookie, so any origin may read what its token allows.
  crossOriginResourcePolicy: { policy: "cross-origin" },
};

/** Headers of every response with data. */
export const API_HEADERS: HeaderList = [
  ...learnHeaders({
    ...POLICY,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  }),
  ...CROSS_ORIGIN,
  "Cache-Control",
  "no-store",
];

/**
 * Headers of the bytes of a file, which may be anything that its uploader wanted: a browser shows it, but runs nothing in
 * it, and gives it no origin.
 */
export const FILE_HEADERS: HeaderList = [
  ...learnHeaders({
    ...POLICY,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        imgSrc: ["'self'"],
        mediaSrc: ["'self'"],
        // Browsers lay out a single picture or film by styles of their own.
        styleSrc: ["'unsafe-inline'"],
        frameAncestors: ["'none'"],
        sandbox: [],
      },
    },
  }),
  ...CROSS_ORIGIN,
  "Cache-Control",
  "no-store",
];

/** Headers of a response that is a page or part of one. Scripts within the page run only by their hashes. */
export function pageHeaders(scriptHashes: readonly string[] = []): HeaderList {
  return learnHeaders({
    ...POLICY,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", "data:"],
        scriptSrc: ["'self'", ...scriptHashes],
        // The page's components set style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
  });
}

/** Those of a page without scripts within. */
export const PAGE_HEADERS: HeaderList = pageHeaders();

/**
 * Headers of the web console. It shows texts of strangers, so nothing may run or be loaded that did not come with it, and no
 * script can be made of a text.
 */
export const CONSOLE_HEADERS: HeaderList = learnHeaders({
  ...POLICY,
  crossOriginResourcePolicy: { policy: "same-origin" },
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "blob:", "data:"],
      mediaSrc: ["'self'", "blob:"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
  },
});

/** Runs helmet once, on a response that is never sent: as middleware it would set equal headers on every request. */
function learnHeaders(options: HelmetOptions): HeaderList {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, (error) => {
    if (error !== undefined) throw error instanceof Error ? error : new Error("helmet failed");
  });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [canonical(name), String(value)]);
}

function canonical(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * Headers that are refused if they occur twice. Node would take the first or join them, while a proxy before this
 * server may have used the other one.
 */
const SINGLE: ReadonlyMap<string, string> = new Map(
  ["Host", "Authorization", "Content-Type", "Idempotency-Key"].map((name) => [name.toLowerCase(), name]),
);
const SINGLE_LENGTHS = new Set([...SINGLE.keys()].map(({ length }) => length));

/** Fails with AppError `invalid` if the headers of a request are malformed, whatever it requests. */
export function requireSoundHeaders(req: IncomingMessage): void {
  if (req.headers.host === undefined && req.httpVersion === "1.1")
    throw malformed("The request has no Host header. Send one.");
  const repeated = repeatedHeader(req.rawHeaders);
  if (repeated !== undefined) throw malformed(`The header ${repeated} came more than once. Send it only once.`);
}

/** Whether the request has a body; a chunked body may be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen: Set<string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!SINGLE_LENGTHS.has(name.length)) continue; // skips most names cheaply
    const single = SINGLE.get(name.toLowerCase());
    if (single === undefined) continue;
    if (seen?.has(single) === true) return single;
    seen = (seen ?? new Set<string>()).add(single);
  }
  return undefined;
}

function malformed(message: string): AppError {
  return new AppError("invalid", message, { code: "malformed_request" });
}

/** Returns the media type of a Content-Type header in lower case without parameters; empty without a header. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Returns the charset a Content-Type header names, in lower case. */
export function charset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(contentType ?? "")?.[1]?.toLowerCase();
}
