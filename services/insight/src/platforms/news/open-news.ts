import type { Connector, PlatformDeps, Readiness } from "../connector.js";
import type { NewsConfig } from "./config.js";
import { createNewsConnector } from "./connector.js";
import { followedFeeds } from "./followed-feeds.js";
import type { ReadFeed } from "./reading/reading-thread.js";
import type { NewsSource } from "./sources/source.js";
import { feedsCursorOf } from "./sources/state.js";
import { FeedStore } from "./store/feed-store.js";

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
  const others = [await gdeltSource(deps, config), await newsapiSource(deps, config)].filter(
    (source) => source !== undefined,
  );
  if (others.length === 0) return feedsAlone(feeds);
  const { composeSources } = await import("./sources/compose-sources.js");
  const isReadBy: NewsSource["isReadBy"] = (search) => followedFeeds(search, config.newsFeeds).urls.length > 0;
  return composeSources([{ name: "feeds", connector: feeds, isReadBy }, ...others], deps.now);
}

/** The feeds continue where they stood beside other sources that have been switched off. */
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
  const [{ GdeltFiles }, { createGdeltConnector }, { GdeltStore }] = await Promise.all([
    import("./gdelt/fetch/gdelt-files.js"),
    import("./gdelt/gdelt-connector.js"),
    import("./gdelt/store/gdelt-store.js"),
  ]);
  const { streams, keepMs, baseUrl } = gdelt;
  const files = new GdeltFiles({ http, now, baseUrl });
  const opened = await GdeltStore.open(store, now, claimMs);
  const connector = createGdeltConnector({ store: opened, files, keepMs, log, now, streams });
  return { name: "gdelt", connector, isReadBy: () => true };
}

async function newsapiSource(deps: NewsDeps, { newsapi }: NewsConfig): Promise<NewsSource | undefined> {
  if (newsapi === undefined) return undefined;
  const [{ NewsapiApi }, { createNewsapiConnector }] = await Promise.all([
    import("./newsapi/newsapi-api.js"),
    import("./newsapi/newsapi-connector.js"),
  ]);
  const connector = createNewsapiConnector({ api: new NewsapiApi(deps, newsapi), now: deps.now });
  return { name: "newsapi", connector, isReadBy: () => true };
}
