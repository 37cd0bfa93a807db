import { definePlatform, type PlatformModule } from "../connector.js";
import { newsConfig, newsVariables } from "./config.js";
import { sharedFeeds } from "./shared-feeds.js";

export { NEWS_FAILPOINTS } from "./failpoints.js";

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
    const [{ newsModule }, { createReadingThread }] = await Promise.all([
      import("./open-news.js"),
      import("./reading/reading-thread.js"),
    ]);
    return newsModule(createReadingThread).open(deps, newsConfig(values, deps.collectInterval));
  },
});
