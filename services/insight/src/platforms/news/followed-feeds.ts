import type { PlatformSearch } from "../connector.js";
import { ENTRIES_MAX } from "./reading/read-feed.js";
import { readerNameOf, webFeedUrl } from "./fetch/feed-urls.js";
import type { FeedRecord } from "./store/feed-record.js";

/** The feeds of a search. */
export interface FollowedFeeds {
  /** Each once, in one spelling. */
  readonly urls: readonly string[];
  /** Sentences about what was named and is no URL of a feed. */
  readonly warnings: readonly string[];
}

/** The feeds of the server and those that the search names, which must be on the web. */
export function followedFeeds(
  { follow }: Pick<PlatformSearch, "follow">,
  serverFeeds: readonly string[],
): FollowedFeeds {
  const named = follow.feeds.map((text) => ({ text, url: webFeedUrl(text) }));
  const urls = named.flatMap(({ url }) => url ?? []);
  const wrong = named.filter(({ url }) => url === undefined);
  return {
    urls: [...new Set([...serverFeeds, ...urls])],
    warnings: wrong.map(({ text }) => `${text} is no URL of a feed. Give one that begins with https:// or http://.`),
  };
}

/** A sentence about a feed that cannot be read; undefined if it can. */
export function problemOf({ url, problem }: FeedRecord): string | undefined {
  return problem === null ? undefined : `The feed ${readerNameOf(url)} cannot be read. ${problem.message}`;
}

/** What the owner of a search should know about a feed. */
export function warningsOf(record: FeedRecord): string[] {
  const cut = `The feed ${readerNameOf(record.url)} has more than ${ENTRIES_MAX} entries. The first ones are read.`;
  return [problemOf(record) ?? [], record.isCut ? cut : []].flat();
}
