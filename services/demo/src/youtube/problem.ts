import type { Reply } from "../upstream/exchange.js";

const STATES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** An error of Google's APIs, such as `problem(403, "quotaExceeded")`; `detail` is a reason of its newer form. */
export function problem(status: number, reason: string, message: string = reason, detail?: string): Reply {
  return {
    status,
    body: {
      error: {
        code: status,
        message,
        errors: [{ message, domain: "youtube.demo", reason }],
        status: STATES[status] ?? "UNKNOWN",
        ...(detail !== undefined && {
          details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: detail, domain: "googleapis.com" }],
        }),
      },
    },
  };
}

/** A request that YouTube would answer with an error. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";

  constructor(
    readonly status: number,
    readonly reason: string,
    message: string = reason,
  ) {
    super(message);
  }
}
