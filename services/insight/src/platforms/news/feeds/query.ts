import type { PlatformSearch } from "../../connector.js";

/** The feeds of a search. */
interface FollowedFeeds {
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

const CHARACTERS_MAX = 2048;

/** The URL of a feed in one spelling; undefined if it is none of the web. */
export function webFeedUrl(text: string): string | undefined {
  return feedUrl(text, ["https:", "http:"]);
}

/** Also the URL of a file, which only the operator may name. */
export function operatorFeedUrl(text: string): string | undefined {
  return feedUrl(text, ["https:", "http:", "file:"]);
}

/** A feed as users see it: of a file they see the name only. */
export function readerNameOf(url: string): string {
  return url.startsWith("file:") ? `file:${url.slice(url.lastIndexOf("/") + 1)}` : url;
}

function feedUrl(text: string, protocols: readonly string[]): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > CHARACTERS_MAX || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  url.hash = "";
  return protocols.includes(url.protocol) ? url.href : undefined;
}
