import { QueryRefused } from "../query/query-reader.js";
import { readQuery } from "./query.js";
import type { DemoThing } from "./thing.js";

const QUERY_CHARACTERS_MAX = 512;
const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 100;

/** What a request lists. */
export interface ListingRequest {
  readonly wants: (thing: DemoThing) => boolean;
  /** Subreddits that it names, in lower case; empty: all. */
  readonly subreddits: readonly string[];
  readonly isSearch: boolean;
  readonly limit: number;
  /** Fullname of the last thing of the page before. */
  readonly after: string | undefined;
  readonly isRaw: boolean;
}

const PATH = /^(?:\/r\/([A-Za-z0-9_+]+))?\/(search|new|comments)\/?$/;

/** Reads a request for a listing; undefined for another path. Throws QueryRefused. */
export function readListing(path: string, query: URLSearchParams): ListingRequest | undefined {
  const [, names, what] = PATH.exec(path) ?? [];
  if (what === undefined) return undefined;
  const subreddits = names === undefined ? [] : names.toLowerCase().split("+");
  const isWithin = (thing: DemoThing) => subreddits.length === 0 || subreddits.includes(thing.subreddit.toLowerCase());
  const isFound =
    what === "search" ? foundBy(query) : ({ kind }: DemoThing) => (kind === "t1") === (what === "comments");
  const after = query.get("after") ?? "";
  if (after !== "" && !/^t[13]_[a-z0-9]+$/.test(after)) throw new QueryRefused(`${after} is no fullname.`);
  return {
    wants: (thing) => thing.removedBy === undefined && isWithin(thing) && isFound(thing),
    subreddits,
    isSearch: what === "search",
    limit: limitOf(query),
    after: after === "" ? undefined : after,
    isRaw: query.get("raw_json") === "1",
  };
}

/** Searches of other kinds than submissions, and in other orders, are none of this fake's business. */
function foundBy(query: URLSearchParams): (thing: DemoThing) => boolean {
  if (query.get("sort") !== "new" || query.get("type") !== "link") {
    throw new QueryRefused("This fake knows sort=new and type=link only.");
  }
  const matches = readQuery(query.get("q") ?? "", QUERY_CHARACTERS_MAX);
  return (thing) => thing.kind === "t3" && matches(thing);
}

/** Reddit gives 25 without a limit, and never more than 100. */
function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? LIMIT_DEFAULT);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, LIMIT_MAX) : LIMIT_DEFAULT;
}
