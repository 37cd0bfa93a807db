import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet, { type HelmetOptions } from "helmet";

/** Alternating names and values, as `ServerResponse.writeHead` takes them. */
export type HeaderList = readonly string[];

/** Response headers that a script of another origin may read. */
export const EXPOSED_HEADERS = [
  "Authorization",
  "Location",
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

/** Headers of every response that is a page or part of one. */
export const PAGE_HEADERS: HeaderList = learnHeaders({
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
      scriptSrc: ["'self'"],
      // The page's components set style attributes.
      styleSrc: ["'self'", "'unsafe-inline'"],
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
