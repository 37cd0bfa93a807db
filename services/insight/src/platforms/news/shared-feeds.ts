import { declared } from "@hourglass/runtime";
import type { SharedUse } from "../connector.js";
import { webFeedUrl } from "./fetch/feed-urls.js";
import { GDELT_COLLECTIONS } from "./gdelt/store/gdelt-store.js";
import { FEED_ITEMS, FEEDS, feedIdOf } from "./store/feed-store.js";

/** A feed that searches name is read once for all of them. Those of the server are never forgotten. */
export function sharedFeeds(serverFeeds: readonly string[]): SharedUse {
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
