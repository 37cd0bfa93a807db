import type { Reply } from "../upstream/exchange.js";
import { envelope } from "./answer.js";

const PROBLEMS = {
  access_token_invalid: [401, "The access token is invalid or not found in the request."],
  scope_not_authorized: [401, "The user did not authorize the scope required for completing this request."],
  invalid_params: [400, "One or more fields in request is invalid."],
  rate_limit_exceeded: [429, "The API rate limit was exceeded. Please try again later."],
  daily_quota_limit_exceeded: [429, "Daily quota limit exceeded"],
  internal_error: [500, "Something went wrong. Please try again later."],
  not_found: [404, "The requested resource does not exist."],
} as const;

/** A request that TikTok would refuse with 400. */
export class ParamsRefused extends Error {
  override readonly name = "ParamsRefused";
}

/** An error of TikTok. */
export function tiktokProblem(code: keyof typeof PROBLEMS, said?: string): Required<Pick<Reply, "status" | "body">> {
  const [status, message] = PROBLEMS[code];
  return { status, body: envelope({}, code, said ?? message) };
}
