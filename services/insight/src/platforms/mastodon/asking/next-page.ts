import { headerOf, type JsonResponse } from "../../http-json.js";

const LINK = /<([^<>]*)>([^<]*)/g;

/** The `max_id` of the page behind an answer, as its Link header states it; undefined if there is none. */
export function nextMaxId(response: Pick<JsonResponse, "headers">): string | undefined {
  for (const [, url = "", parameters = ""] of headerOf(response, "link").matchAll(LINK)) {
    if (!/;\s*rel\s*=\s*"?next\b/i.test(parameters) || !URL.canParse(url)) continue;
    // Only the id is taken over: the request goes to the server that the operator named.
    return new URL(url).searchParams.get("max_id") ?? undefined;
  }
  return undefined;
}
