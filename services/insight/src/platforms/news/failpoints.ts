/** Every step of fetching a feed at which a crash must neither lose an item nor give it out twice. */
export const NEWS_FAILPOINTS = ["collector.news.claimed", "collector.news.fetched", "collector.news.stored"] as const;
