/** The answer to a true request: three imported postings from 30 to 31 January, with lists of three values at most. */
export const SUMMARY_EXAMPLE = {
  start: "2026-01-30T00:00:00.000Z",
  end: "2026-02-01T00:00:00.000Z",
  interval: "day",
  totals: {
    postings: 3,
    platforms: {
      values: [
        { value: "news", count: 2 },
        { value: "reddit", count: 1 },
      ],
      other: 0,
    },
    sentiments: {
      values: [
        { value: "annoyance", count: 2 },
        { value: "pleasantness", count: 1 },
      ],
      other: 0,
    },
    polarities: {
      values: [
        { value: "negative", count: 2 },
        { value: "positive", count: 1 },
      ],
      other: 0,
    },
    intentions: { values: [{ value: "valuation", count: 3 }], other: 0 },
    spam: { values: [{ value: "ham", count: 3 }], other: 0 },
    languages: { values: [{ value: "en", count: 3 }], other: 0 },
    countries: {
      values: [
        { value: null, count: 2 },
        { value: "PT", count: 1 },
      ],
      other: 0,
    },
    types: {
      values: [
        { value: null, count: 2 },
        { value: "post", count: 1 },
      ],
      other: 0,
    },
    engagement: [{ name: "like_count", sum: "7", postings: 2 }],
  },
  series: [
    {
      start: "2026-01-30T00:00:00.000Z",
      end: "2026-01-31T00:00:00.000Z",
      completeness: "unknown",
      postings: 1,
      platforms: { values: [{ value: "news", count: 1 }], other: 0 },
      sentiments: { values: [{ value: "annoyance", count: 1 }], other: 0 },
      polarities: { values: [{ value: "negative", count: 1 }], other: 0 },
      intentions: { values: [{ value: "valuation", count: 1 }], other: 0 },
      spam: { values: [{ value: "ham", count: 1 }], other: 0 },
      languages: { values: [{ value: "en", count: 1 }], other: 0 },
      countries: { values: [{ value: "PT", count: 1 }], other: 0 },
      types: { values: [{ value: null, count: 1 }], other: 0 },
      engagement: [{ name: "like_count", sum: "3", postings: 1 }],
    },
    {
      start: "2026-01-31T00:00:00.000Z",
      end: "2026-02-01T00:00:00.000Z",
      completeness: "unknown",
      postings: 2,
      platforms: {
        values: [
          { value: "news", count: 1 },
          { value: "reddit", count: 1 },
        ],
        other: 0,
      },
      sentiments: {
        values: [
          { value: "annoyance", count: 1 },
          { value: "pleasantness", count: 1 },
        ],
        other: 0,
      },
      polarities: {
        values: [
          { value: "negative", count: 1 },
          { value: "positive", count: 1 },
        ],
        other: 0,
      },
      intentions: { values: [{ value: "valuation", count: 2 }], other: 0 },
      spam: { values: [{ value: "ham", count: 2 }], other: 0 },
      languages: { values: [{ value: "en", count: 2 }], other: 0 },
      countries: { values: [{ value: null, count: 2 }], other: 0 },
      types: {
        values: [
          { value: null, count: 1 },
          { value: "post", count: 1 },
        ],
        other: 0,
      },
      engagement: [{ name: "like_count", sum: "4", postings: 1 }],
    },
  ],
  top: {
    topics: {
      values: [
        { value: "charging stations", count: 1, share: 0.3333333333333333 },
        { value: "line", count: 1, share: 0.3333333333333333 },
        { value: "lisbon", count: 1, share: 0.3333333333333333 },
      ],
      distinct: 5,
      error: 0,
      distinct_error: 0,
    },
    hashtags: {
      values: [
        { value: "ev", count: 2, share: 0.6666666666666666 },
        { value: "charging", count: 1, share: 0.3333333333333333 },
      ],
      distinct: 2,
      error: 0,
      distinct_error: 0,
    },
    authors: {
      values: [
        {
          platform: "news",
          author_id: null,
          author_username: null,
          author_name: "Ann",
          count: 2,
          share: 0.6666666666666666,
        },
        {
          platform: "reddit",
          author_id: "t2_1",
          author_username: "kestrel",
          author_name: null,
          count: 1,
          share: 0.3333333333333333,
        },
      ],
      distinct: 2,
      error: 0,
      distinct_error: 0,
    },
    labels: { values: [], distinct: 0, error: 0, distinct_error: 0 },
    domains: {
      values: [{ value: "news.example.com", count: 2, share: 0.6666666666666666 }],
      distinct: 1,
      error: 0,
      distinct_error: 0,
    },
  },
  coverage: {
    platforms: [
      {
        platform: "news",
        spans: [
          {
            start: "2026-01-30T00:00:00.000Z",
            end: "2026-02-01T00:00:00.000Z",
            completeness: "unknown",
            reasons: ["before_window"],
          },
        ],
      },
      {
        platform: "reddit",
        spans: [
          {
            start: "2026-01-30T00:00:00.000Z",
            end: "2026-02-01T00:00:00.000Z",
            completeness: "unknown",
            reasons: ["not_configured"],
          },
        ],
      },
    ],
  },
  spikes: {
    judgements: [
      { platform: null, metric: "postings", status: "incomplete", judged: 0 },
      { platform: null, metric: "negative_share", status: "incomplete", judged: 0 },
      { platform: "news", metric: "postings", status: "incomplete", judged: 0 },
      { platform: "news", metric: "negative_share", status: "incomplete", judged: 0 },
      { platform: "reddit", metric: "postings", status: "incomplete", judged: 0 },
      { platform: "reddit", metric: "negative_share", status: "incomplete", judged: 0 },
    ],
    spikes: [],
  },
};
