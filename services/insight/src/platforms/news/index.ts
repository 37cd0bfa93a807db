import { declared } from "@hourglass/runtime";
import { definePlatform, type PlatformModule, type SharedUse } from "../connector.js";
import { newsConfig, newsVariables } from "./config.js";
import { webFeedUrl } from "./feeds/query.js";
import { FEED_ITEMS, feedIdOf, FEEDS } from "./feeds/store.js";
import { GDELT_COLLECTIONS } from "./gdelt/store.js";

/** Every step of fetching a feed at which a crash must neither lose an item nor give it out twice. */
export const NEWS_FAILPOINTS = ["collector.news.claimed", "collector.news.fetched", "collector.news.stored"] as const;

/** News: ready on every server, because feeds need no credentials. GDELT and NewsAPI are read if they are set up. */
export const NEWS: PlatformModule = definePlatform({
  name: "news",
  variables: newsVariables,
  origins: ({ NEWS_GDELT_BASE_URL: gdelt, NEWSAPI_BASE_URL: newsapi }) => [
    new URL(gdelt).origin,
    new URL(newsapi).origin,
  ],
  shared: ({ NEWS_FEEDS: serverFeeds }) => sharedFeeds(serverFeeds),
  open: async (deps, values) => {
    const [{ openNews }, { createReadingThread }] = await Promise.all([
      import("./sources.js"),
      import("./feeds/reading-thread.js"),
    ]);
    return openNews(deps, newsConfig(values, deps.collectInterval), createReadingThread());
  },
});

/** A feed that searches name is read once for all of them. Those of the server are never forgotten. */
function sharedFeeds(serverFeeds: readonly string[]): SharedUse {
  const kept = new Set(serverFeeds);
  return {
    platform: "news",
    collections: [declared(FEEDS), declared(FEED_ITEMS), ...GDELT_COLLECTIONS],
    namesOf: ({ follow }) => {
      const urls = follow.feeds.flatMap((text) => webFeedUrl(text) ?? []);
      return urls.filter((url) => !kept.has(url)).map(feedIdOf);
    },
    forget: async (store, names) => {
      const [feeds, items] = [await store.collection(FEEDS), await store.collection(FEED_ITEMS)];
      return {
        [FEED_ITEMS.name]: await items.delete({ feed: { in: names } }),
        [FEEDS.name]: await feeds.delete({ id: { in: names } }),
      };
    },
  };
}
