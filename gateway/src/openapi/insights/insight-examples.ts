/** A continuous search. */
export const QUERY_EXAMPLE = {
  query: {
    keywords: '"electric cars" OR #ev',
    platforms: ["news", "twitter"],
    dimensions: ["textual"],
    follow: { feeds: ["https://news.example.com/rss.xml"] },
  },
};

export const INSIGHT_EXAMPLE = {
  id: 12,
  status: "running",
  query: {
    keywords: '"electric cars" OR #ev',
    platforms: ["news", "twitter"],
    dimensions: ["textual"],
    location: null,
    sneak_peek: false,
    follow: { feeds: ["https://news.example.com/rss.xml"], subreddits: [], pages: [], organisations: [] },
  },
  terms: '"electric cars" OR #ev',
  posting_count: 41,
  unanalysed_count: 2,
  platforms: [
    {
      platform: "news",
      state: "waiting",
      next_at: "2026-01-31T12:05:00.000Z",
      last_success_at: "2026-01-31T12:00:00.000Z",
      last_error: null,
      counts: { requests: 3, fetched: 90, matched: 44, stored: 41, duplicates: 3, skipped: 0 },
      warnings: [],
    },
    {
      platform: "twitter",
      state: "not_configured",
      next_at: null,
      last_success_at: null,
      last_error: "Set TWITTER_BEARER_TOKEN to collect from twitter.",
      counts: { requests: 0, fetched: 0, matched: 0, stored: 0, duplicates: 0, skipped: 0 },
      warnings: [],
    },
  ],
  created_at: "2026-01-31T11:50:00.000Z",
  finished_at: null,
};

export const CHECK_EXAMPLE = {
  terms: ['"electric cars" OR #ev'],
  platforms: [
    {
      platform: "news",
      state: "waiting",
      mode: "follow",
      queries: ["https://news.example.com/rss.xml"],
      narrowed_locally: true,
      cost: "1 request per feed",
      warnings: [],
    },
  ],
  warnings: [],
};

export const PLATFORMS_EXAMPLE = {
  platforms: [
    { platform: "news", state: "waiting", mode: "follow", missing: null },
    {
      platform: "twitter",
      state: "not_configured",
      mode: "search",
      missing: "Set TWITTER_BEARER_TOKEN to collect from twitter.",
    },
  ],
};

export const COVERAGE_EXAMPLE = {
  platforms: [
    {
      platform: "news",
      spans: [
        {
          start: "2026-01-31T00:00:00.000Z",
          end: "2026-01-31T11:50:00.000Z",
          completeness: "unknown",
          reasons: ["before_window"],
        },
        {
          start: "2026-01-31T11:50:00.000Z",
          end: "2026-02-01T00:00:00.000Z",
          completeness: "complete",
          reasons: [],
        },
      ],
    },
  ],
};

export const POSTINGS_NDJSON_EXAMPLE =
  '{"platform":"news","post_date":"1/31/2026","post_time":"12:00:00","text_of_post":"The queue was far too long."}\n';

export const POSTINGS_CSV_EXAMPLE =
  "platform,post_date,post_time,text_of_post,like_count\r\nnews,1/31/2026,12:00:00,The queue was far too long.,3\r\n";
