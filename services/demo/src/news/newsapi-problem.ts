import type { Reply } from "../upstream/exchange.js";

const STATUSES: Readonly<Record<string, number>> = {
  apiKeyMissing: 401,
  apiKeyInvalid: 401,
  apiKeyDisabled: 401,
  apiKeyExhausted: 401,
  parameterInvalid: 400,
  parametersMissing: 400,
  maximumResultsReached: 426,
  rateLimited: 429,
  unexpectedError: 500,
};

/** An error of NewsAPI by its code. */
export function newsapiProblem(code: string, message = `NewsAPI's code is ${code}.`): Reply {
  return { status: STATUSES[code] ?? 400, body: { status: "error", code, message } };
}
