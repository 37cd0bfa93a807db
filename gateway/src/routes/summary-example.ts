import { CREATED_BY_EXAMPLE } from "./created-by.js";

/** The values of a breakdown; `none` counts the postings without a value. */
function breakdown(counts: Readonly<Record<string, number>>, none?: number) {
  const named = Object.entries(counts).map(([value, count]) => ({ value, count }));
  const values = [...(none === undefined ? [] : [{ value: null, count: none }]), ...named];
  return { values: values.sort((a, b) => b.count - a.count), other: 0 };
}

const EXACT = { error: 0, distinct_error: 0 };

/** The values of a list of the most frequent ones, of three postings. */
function top(counts: Readonly<Record<string, number>>, distinct: number) {
  const values = Object.entries(counts).map(([value, count]) => ({ value, count, share: count / 3 }));
  return { values, distinct, ...EXACT };
}

function likes(sum: string, postings: number) {
  return [{ name: "like_count", sum, postings }];
}

const [DAY_1, DAY_2, DAY_3] = ["2026-01-30T00:00:00.000Z", "2026-01-31T00:00:00.000Z", "2026-02-01T00:00:00.000Z"];

function uncollected(platform: string, reason: string) {
  return { platform, spans: [{ start: DAY_1, end: DAY_3, completeness: "unknown", reasons: [reason] }] };
}

/** The answer to a true request: three imported postings from 30 to 31 January, with lists of three values at most. */
export const SUMMARY_EXAMPLE = {
  start: DAY_1,
  end: DAY_3,
  interval: "day",
  totals: {
    postings: 3,
    platforms: breakdown({ news: 2, reddit: 1 }),
    sentiments: breakdown({ annoyance: 1, pleasantness: 1 }, 1),
    polarities: breakdown({ negative: 1, neutral: 1, positive: 1 }),
    intentions: breakdown({ valuation: 2, assertion: 1 }),
    spam: breakdown({ ham: 3 }),
    languages: breakdown({ en: 3 }),
    countries: breakdown({ PT: 1 }, 2),
    types: breakdown({ post: 1 }, 2),
    engagement: likes("7", 2),
  },
  series: [
    {
      start: DAY_1,
      end: DAY_2,
      completeness: "unknown",
      postings: 1,
      platforms: breakdown({ news: 1 }),
      sentiments: breakdown({}, 1),
      polarities: breakdown({ neutral: 1 }),
      intentions: breakdown({ assertion: 1 }),
      spam: breakdown({ ham: 1 }),
      languages: breakdown({ en: 1 }),
      countries: breakdown({ PT: 1 }),
      types: breakdown({}, 1),
      engagement: likes("3", 1),
    },
    {
      start: DAY_2,
      end: DAY_3,
      completeness: "unknown",
      postings: 2,
      platforms: breakdown({ news: 1, reddit: 1 }),
      sentiments: breakdown({ annoyance: 1, pleasantness: 1 }),
      polarities: breakdown({ negative: 1, positive: 1 }),
      intentions: breakdown({ valuation: 2 }),
      spam: breakdown({ ham: 2 }),
      languages: breakdown({ en: 2 }),
      countries: breakdown({}, 2),
      types: breakdown({ post: 1 }, 1),
      engagement: likes("4", 1),
    },
  ],
  top: {
    topics: top({ "charging stations": 1, gate: 1, Lisbon: 1 }, 5),
    hashtags: top({ EV: 2, Charging: 1 }, 2),
    authors: {
      values: [
        { platform: "news", author_id: null, author_username: null, author_name: "Ann", count: 2, share: 2 / 3 },
        {
          platform: "reddit",
          author_id: "t2_1",
          author_username: "kestrel",
          author_name: null,
          count: 1,
          share: 1 / 3,
        },
      ],
      distinct: 2,
      ...EXACT,
    },
    labels: top({}, 0),
    domains: top({ "news.example.com": 2 }, 1),
  },
  coverage: { platforms: [uncollected("news", "before_window"), uncollected("reddit", "not_configured")] },
  spikes: {
    judgements: [null, "news", "reddit"].flatMap((platform) =>
      ["postings", "negative_share"].map((metric) => ({
        ...{ platform, metric, status: "incomplete", judged: 0 },
        needs: "one complete day: one that is over, and was collected or imported as complete",
      })),
    ),
    spikes: [],
  },
  time_zone: "UTC",
  versions: [
    {
      version: 1,
      at: "2026-01-31T11:50:00.000Z",
      created_by: CREATED_BY_EXAMPLE,
      keywords: '"electric cars" OR #ev',
      platforms: ["news", "reddit"],
      location: null,
      follow: null,
    },
  ],
  counted: false,
};
