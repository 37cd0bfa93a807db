import type { Stream } from "../stream.js";

/** Reddit gives no more a page. */
export const PAGE_THINGS = 100;

/** The URL of a request for things by their fullnames. */
export function lookUpUrl(baseUrl: string, ids: readonly string[]): string {
  const url = new URL("/api/info", baseUrl);
  url.search = new URLSearchParams({ id: ids.join(","), raw_json: "1" }).toString();
  return url.href;
}

/** The URL of a page of a stream, newest first. */
export function listingUrl(baseUrl: string, { kind, of }: Stream, after: string | null): string {
  const url = new URL(kind === "search" ? "/search" : `/r/${of}/${kind === "comments" ? "comments" : "new"}`, baseUrl);
  url.search = new URLSearchParams({
    ...(kind === "search" && { q: of, sort: "new", type: "link", include_over_18: "on" }),
    limit: String(PAGE_THINGS),
    // Otherwise texts are escaped for HTML.
    raw_json: "1",
    ...(after !== null && { after }),
  }).toString();
  return url.href;
}
