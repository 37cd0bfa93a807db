import type { DemoPost } from "./post.js";
import { readQuery } from "./query.js";
import { timeOfSnowflake } from "./snowflake.js";

const QUERY_CHARACTERS_MAX = 512;
const RESULTS_MIN = 10;
const RESULTS_MAX = 100;
const WINDOW_MS = 7 * 24 * 60 * 60_000;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const IDS_MAX = 100;
const FIELDS = ["tweet.fields", "post.fields", "expansions", "user.fields", "place.fields", "media.fields"];
const KNOWN = new Set([
  ...["query", "max_results", "next_token", "pagination_token", "since_id", "until_id", "start_time", "end_time"],
  ...["sort_order", ...FIELDS],
]);

/** A request that X would refuse with 400. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
}

export interface SearchRequest {
  readonly matches: (post: DemoPost) => boolean;
  readonly limit: number;
  readonly token: string | undefined;
  readonly sinceId: string | undefined;
  /** Earliest time of posting, in milliseconds since the epoch. */
  readonly from: number;
  readonly expansions: ReadonlySet<string>;
}

/** Reads the parameters of a search. Throws RequestRefused or QueryRefused. */
export function readSearch(query: URLSearchParams, now: number): SearchRequest {
  mustKnow(query, KNOWN);
  const sinceId = query.get("since_id") ?? undefined;
  return {
    matches: readQuery(query.get("query") ?? "", QUERY_CHARACTERS_MAX),
    limit: limitOf(query.get("max_results") ?? String(RESULTS_MIN)),
    token: query.get("next_token") ?? query.get("pagination_token") ?? undefined,
    sinceId: sinceId === undefined ? undefined : checkedId(sinceId, now),
    from: query.has("start_time") ? timeOf(query.get("start_time") ?? "", now) : now - WINDOW_MS,
    expansions: new Set((query.get("expansions") ?? "").split(",")),
  };
}

/** The ids and expansions of a request for posts. Throws RequestRefused. */
export function readLookUp(query: URLSearchParams): { ids: readonly string[]; expansions: ReadonlySet<string> } {
  mustKnow(query, new Set(["ids", ...FIELDS]));
  const ids = (query.get("ids") ?? "").split(",");
  const wrong = ids.find((id) => !/^\d{1,19}$/.test(id));
  if (wrong !== undefined) throw new RequestRefused(`The ids query parameter value [${wrong}] is not valid.`);
  if (ids.length > IDS_MAX) throw new RequestRefused("The number of values in the ids query parameter exceeds 100.");
  return { ids: [...new Set(ids)], expansions: new Set((query.get("expansions") ?? "").split(",")) };
}

function mustKnow(query: URLSearchParams, known: ReadonlySet<string>): void {
  const unknown = [...query.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) throw new RequestRefused(`The query parameter [${unknown}] is not one of the known ones.`);
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= RESULTS_MIN && limit <= RESULTS_MAX) return limit;
  throw new RequestRefused(`The max_results query parameter value [${text}] is not between 10 and 100.`);
}

function checkedId(id: string, now: number): string {
  if (!/^\d{1,19}$/.test(id)) throw new RequestRefused(`The since_id query parameter value [${id}] is not valid.`);
  if (timeOfSnowflake(id) >= now - WINDOW_MS) return id;
  throw new RequestRefused(
    "'since_id' must be a tweet id created after 7 days ago. Please use a 'since_id' that is larger.",
  );
}

function timeOf(text: string, now: number): number {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new RequestRefused(`The start_time query parameter value [${text}] is not valid.`);
  if (time < now - WINDOW_MS) throw new RequestRefused("'start_time' must be on or after 7 days ago.");
  if (time > now - 10_000)
    throw new RequestRefused("'start_time' must be a minimum of 10 seconds prior to the request time.");
  return time;
}
