import type { Query } from "../../query/ast.js";
import { translate, type Translation } from "../../query/translate.js";
import type { PlatformSearch } from "../connector.js";
import { wordSearch } from "../word-search.js";

/** What the operator has followed. */
export interface FollowedByServer {
  readonly subreddits: readonly string[];
  readonly comments: boolean;
}

/** A search on Reddit. */
interface RedditSearch {
  readonly search: PlatformSearch;
  /** What Reddit is searched for, and the terms that it cannot be. */
  readonly queries: { readonly requests: readonly string[]; readonly unsent: readonly string[] };
  readonly server: FollowedByServer;
}

/** Subreddits of one request. */
const GROUP = 25;

/** The streams of a search: what Reddit is searched for, then what is new in the subreddits that it follows. */
export function streamsOf(asked: RedditSearch): readonly Stream[] {
  const { queries, server } = asked;
  const groups = groupsOf(followedBy(asked));
  return [
    ...queries.requests.map((query): Stream => ({ kind: "search", of: query })),
    ...groups.map((of): Stream => ({ kind: "submissions", of })),
    ...(server.comments ? groups.map((of): Stream => ({ kind: "comments", of })) : []),
  ];
}

/** What the owner of a search should know. */
export function warningsOf(asked: RedditSearch): string[] {
  const { search, queries, server } = asked;
  const isFollowing = followedBy(asked).length > 0;
  const instead = isFollowing ? "it is looked for in the followed subreddits only" : "nothing is collected for it";
  const pages = streamsOf(asked).length;
  return [
    ...queries.unsent.map((term) => `Reddit cannot be asked for ${term}, so ${instead}.`),
    ...(search.preview && pages > 1 ? [`The preview asks Reddit the first of ${pages} requests only.`] : []),
    ...(isFollowing && !server.comments && !search.preview
      ? ["Comments of the followed subreddits are not read: REDDIT_COMMENTS is not set."]
      : []),
  ];
}

/** Names in lower case, because Reddit does not distinguish case, sorted, so that equal lists have equal keys. */
function followedBy({ search: { follow }, server: { subreddits } }: RedditSearch): string[] {
  return [...new Set([...subreddits, ...follow.subreddits].map((name) => name.toLowerCase()))].sort();
}

function groupsOf(names: readonly string[]): string[] {
  const count = Math.ceil(names.length / GROUP);
  return Array.from({ length: count }, (_, index) => names.slice(index * GROUP, (index + 1) * GROUP).join("+"));
}

/** What a poll reads page by page: a search of all submissions, or what is new in some subreddits. */
export interface Stream {
  readonly kind: "search" | "submissions" | "comments";
  /** The query, or the names of the subreddits with `+` between. */
  readonly of: string;
}

/** The key of a stream in a cursor. */
export function keyOf({ kind, of }: Stream): string {
  return `${kind} ${of}`;
}

/** A stream as people read it. */
export function nameOf({ kind, of }: Stream): string {
  return kind === "search" ? of : `r/${of}/${kind === "comments" ? "comments" : "new"}`;
}

/** A stream of several subreddits as one for each of them. */
export function divided({ kind, of }: Stream): readonly Stream[] {
  return of.split("+").map((name) => ({ kind, of: name }));
}

/** How OR and a space bind is not documented by Reddit. */
const REDDIT_DIALECT = wordSearch({
  word: /^\w+$/,
  and: " ",
  // A URL has 2,048 characters; other parameters and the address take the rest.
  limits: { charactersMax: 512, encodedMax: 1700 },
});

/** The searches that Reddit is sent for a query. */
export function queriesFor(query: Query): Translation<string> {
  return translate(query, REDDIT_DIALECT);
}
