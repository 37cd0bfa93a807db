/** One request of a search. */
export interface SearchParameters {
  readonly query: string;
  readonly pageSize: number;
  readonly nextToken: string | null;
  /** Only posts after this one; undefined: those since `from`. */
  readonly sinceId: string | undefined;
  /** In milliseconds since the epoch. */
  readonly from: number;
}

export interface SearchAddress {
  readonly baseUrl: string;
  readonly naming: "tweet" | "post";
}

const SEARCH_PATH = "/2/tweets/search/recent";
const LOOK_UP_PATH = "/2/tweets";
const COUNTS_PATH = "/2/tweets/counts/recent";
const POST_FIELDS = [
  ...["created_at", "author_id", "lang", "public_metrics", "entities", "geo", "conversation_id"],
  ...["referenced_tweets", "attachments", "possibly_sensitive", "note_tweet", "edit_history_tweet_ids"],
];
const EXPANSIONS = ["author_id", "geo.place_id", "attachments.media_keys"];
const USER_FIELDS = ["username", "name", "verified_type"];
const PLACE_FIELDS = ["full_name", "country", "country_code", "place_type", "geo"];
const MEDIA_FIELDS = ["type", "url", "preview_image_url", "duration_ms"];

/** The URL of a request to recent search. */
export function searchUrl(address: SearchAddress, parameters: SearchParameters): string {
  const { query, pageSize, nextToken, sinceId, from } = parameters;
  const url = new URL(SEARCH_PATH, address.baseUrl);
  url.search = new URLSearchParams({
    query,
    max_results: String(pageSize),
    sort_order: "recency",
    ...fieldsOf(address),
    ...(sinceId === undefined ? { start_time: secondsOf(from) } : { since_id: sinceId }),
    ...(nextToken !== null && { next_token: nextToken }),
  }).toString();
  return url.href;
}

/** The URL of a request for posts by their ids, of which X takes 100. */
export function lookUpUrl(address: SearchAddress, ids: readonly string[]): string {
  const url = new URL(LOOK_UP_PATH, address.baseUrl);
  url.search = new URLSearchParams({ ids: ids.join(","), ...fieldsOf(address) }).toString();
  return url.href;
}

/** Everything that a posting holds. */
function fieldsOf({ naming }: SearchAddress): Record<string, string> {
  return {
    [`${naming}.fields`]: POST_FIELDS.join(",").replaceAll("tweet", naming),
    expansions: EXPANSIONS.join(","),
    "user.fields": USER_FIELDS.join(","),
    "place.fields": PLACE_FIELDS.join(","),
    "media.fields": MEDIA_FIELDS.join(","),
  };
}

/** The URL of a request for the number of posts that a query finds, which reads none of them. */
export function countsUrl({ baseUrl }: SearchAddress, query: string): string {
  const url = new URL(COUNTS_PATH, baseUrl);
  url.search = new URLSearchParams({ query, granularity: "day" }).toString();
  return url.href;
}

/** As X takes it: without milliseconds. */
function secondsOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, "2026-11-22T09:15:00".length)}Z`;
}
