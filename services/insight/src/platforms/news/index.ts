import { definePlatform } from "../port/define-platform.js";
import type { Connector, PlatformDeps, PlatformModule, Readiness } from "../port/platform.js";
import { type NewsConfig, newsConfig, newsVariables } from "./config.js";
import { createNewsConnector } from "./connector.js";
import { followedFeeds } from "./followed-feeds.js";
import { GdeltFiles } from "./gdelt/fetch/gdelt-files.js";
import { createGdeltConnector } from "./gdelt/gdelt-connector.js";
import { GdeltStore } from "./gdelt/store/gdelt-store.js";
import { NewsapiApi } from "./newsapi/newsapi-api.js";
import { createNewsapiConnector } from "./newsapi/newsapi-connector.js";
import { createReadingThread, type ReadFeed } from "./reading/reading-thread.js";
import { composeSources } from "./sources/compose-sources.js";
import type { NewsSource } from "./sources/source.js";
import { feedsCursorOf } from "./sources/state.js";
import { FeedStore } from "./store/feed-store.js";
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
  open: (deps, values) => newsModule(createReadingThread).open(deps, newsConfig(values, deps.collectInterval)),
});

/** What the platform uses. */
type NewsDeps = Omit<PlatformDeps, "collectInterval">;

/** The platform with a reader of feeds. */
export function newsModule(createReader: () => ReadFeed): {
  open(deps: NewsDeps, config: NewsConfig): Promise<Readiness>;
} {
  return {
    async open(deps, config) {
      const { http, store, log, claimMs, now } = deps;
      const feeds = await FeedStore.open(store, now, claimMs === undefined ? {} : { claimMs });
      const readFeed = createReader();
      const pauses = config.collectInterval;
      const connector = createNewsConnector({ feeds, http, readFeed, pauses, log, now, serverFeeds: config.newsFeeds });
      return { connector: await openSources(deps, config, connector) };
    },
  };
}

/** The connector of all sources that the operator has switched on, with that of the feeds. */
async function openSources(deps: NewsDeps, config: NewsConfig, feeds: Connector): Promise<Connector> {
  const others = [await gdeltSource(deps, config), newsapiSource(deps, config)].filter(
    (source) => source !== undefined,
  );
  if (others.length === 0) return feedsAlone(feeds);
  const isReadBy: NewsSource["isReadBy"] = (search) => followedFeeds(search, config.newsFeeds).urls.length > 0;
  return composeSources([{ name: "feeds", connector: feeds, isReadBy }, ...others], deps.now);
}

/** The feeds go on where they stood beside other sources that have been switched off. */
function feedsAlone(feeds: Connector): Connector {
  return {
    ...feeds,
    fetchPage: (request) => feeds.fetchPage({ ...request, cursor: feedsCursorOf(request.cursor) }),
  };
}

async function gdeltSource(
  { http, store, claimMs, log, now }: NewsDeps,
  { gdelt }: NewsConfig,
): Promise<NewsSource | undefined> {
  if (gdelt === undefined) return undefined;
  const { streams, keepMs, baseUrl } = gdelt;
  const files = new GdeltFiles({ http, now, baseUrl });
  const opened = await GdeltStore.open(store, now, claimMs);
  const connector = createGdeltConnector({ store: opened, files, keepMs, log, now, streams });
  return { name: "gdelt", connector, isReadBy: () => true };
}

function newsapiSource(deps: NewsDeps, { newsapi }: NewsConfig): NewsSource | undefined {
  if (newsapi === undefined) return undefined;
  const connector = createNewsapiConnector({ api: new NewsapiApi(deps, newsapi), now: deps.now });
  return { name: "newsapi", connector, isReadBy: () => true };
}
