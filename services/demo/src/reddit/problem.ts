import type { Reply } from "../upstream/exchange.js";

const MESSAGES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

/** An error of Reddit's data API; `reason` says why a subreddit is not shown. */
export function problem(status: number, reason?: "private" | "banned"): Reply {
  const body = { message: MESSAGES[status] ?? "Error", error: status, ...(reason !== undefined && { reason }) };
  return { status, body };
}
