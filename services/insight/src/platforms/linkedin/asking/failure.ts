import { errorOfStatus, type JsonResponse } from "../../http-json.js";
import { SourceError } from "../../sources.js";
import { budgetWindow } from "../../budget.js";
import { PlatformError } from "../../connector.js";
import { readFault } from "./answer.js";

export const SERVICE = "LinkedIn";
const CREDENTIAL = "LINKEDIN_ACCESS_TOKEN (or LINKEDIN_REFRESH_TOKEN)";

/** What an answer with an error means: SourceError if another organisation may be readable. */
export function errorOfResponse(response: JsonResponse, now: number): PlatformError {
  const detail = readFault(response.body);
  const said = detail === undefined ? "" : ` It says: ${detail.slice(0, 200)}`;
  const { status } = response;
  if (status === 403) {
    const message =
      `LinkedIn forbids it (403): the member of the token needs access to the organisation as its administrator, and ` +
      `the app needs the product Community Management API.${said}`;
    return new SourceError("permanent", message, { isForbidden: true });
  }
  if (status === 404) {
    return new SourceError(
      "permanent",
      `LinkedIn does not know it (404). Check the number of the organisation.${said}`,
    );
  }
  if (status === 426) {
    const message = `LinkedIn no longer answers this version of its API (426). The operator must raise LINKEDIN_VERSION.${said}`;
    return new PlatformError("permanent", message);
  }
  if (status === 429 && /throttle|day limit|daily/i.test(detail ?? "")) return quotaSpent(now, said);
  return errorOfStatus({ service: SERVICE, credential: CREDENTIAL, response, detail, now });
}

/** Limits of an app and of a member are counted by the day of UTC. */
function quotaSpent(now: number, said: string): PlatformError {
  const retryAt = budgetWindow("day", now).to;
  const message =
    `LinkedIn's own limit of requests for today is reached. It resumes at ${new Date(retryAt).toISOString()}; the operator ` +
    `can lower LINKEDIN_REQUESTS_PER_DAY so that it lasts.${said}`;
  return new PlatformError("budget", message, { retryAt, requests: 1 });
}
