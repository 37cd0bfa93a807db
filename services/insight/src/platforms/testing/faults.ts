import type { Fault } from "@hourglass/demo";
import type { SearchStatus } from "../../records/search.js";

/** What becomes of a search after a fault, and what its owner reads. */
export interface Consequence {
  readonly status: SearchStatus;
  readonly sentence: RegExp;
}

const WHOLE_BODY = 50_000_000;

/** Faults of every platform over HTTP, and what they mean unless a platform says more. */
export const FAULTS = {
  "credentials that are rejected": [{ kind: "status", status: 401 }, "auth_failed", /rejects the credentials.*renew/],
  "an app without the permission": [{ kind: "status", status: 403 }, "auth_failed", /forbids.*access/],
  "too many requests": [{ kind: "status", status: 429, headers: { "Retry-After": "600" } }, "failing", /too many/],
  "a wrong request": [{ kind: "status", status: 400 }, "failing", /refuses the request \(400\)/],
  "a missing address": [{ kind: "status", status: 404 }, "failing", /404/],
  "an error of the server": [{ kind: "status", status: 500 }, "failing", /500.*asked again/],
  "a server in maintenance": [{ kind: "status", status: 503 }, "failing", /503.*asked again/],
  "a web page": [{ kind: "web-page" }, "failing", /web page/],
  "a redirect to a sign-in page": [{ kind: "sign-in-page" }, "auth_failed", /sign-in/],
  "half of the answer": [{ kind: "broken-json" }, "failing", /no JSON/],
  "an empty answer": [{ kind: "empty" }, "failing", /nothing/],
  "an answer of 50 MB": [{ kind: "padded", bytes: WHOLE_BODY }, "failing", /larger than/],
  "an answer without end": [{ kind: "endless" }, "failing", /larger than/],
  "an answer that stops": [{ kind: "stalled" }, "failing", /./],
  "a connection that is cut": [{ kind: "cut" }, "failing", /./],
  silence: [{ kind: "silent" }, "failing", /./],
} as const satisfies Record<string, readonly [Fault, SearchStatus, RegExp]>;

export type FaultName = keyof typeof FAULTS;
