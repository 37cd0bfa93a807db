import type { components } from "@hourglass/client";

type Schemas = components["schemas"];
type Counted = Omit<Schemas["PostingCounts"], "postings">;

const DAY_MS = 86_400_000;
const DAYS = 365;
const POSTINGS = 1_000_000;
/** Values of a list that the console asks for. */
const TOP = 50;
const START = Date.UTC(2025, 10, 1);

const PLATFORMS = [
  ...(["twitter", "reddit", "news", "youtube-videos", "youtube-comments"] as const),
  ...(["facebook", "instagram", "linkedin", "tiktok", "bluesky", "mastodon"] as const),
];
const SENTIMENTS =
  "joy anger sadness fear eagerness calmness dislike disgust acceptance pleasantness annoyance anxiety contentment melancholy serenity responsiveness disgust_self dislike_self acceptance_self pleasantness_self";
const VALUES = {
  platforms: PLATFORMS,
  sentiments: SENTIMENTS.split(" "),
  polarities: ["positive", "neutral", "negative"],
  intentions: "none valuation assertion wish proposal palinode contrition forecast inducement".split(" "),
  spam: ["ham", "spam"],
  languages: "en de fr es pt it nl pl sv da".split(" "),
  countries: "US GB DE FR ES PT IT NL PL SE".split(" "),
  types: "post comment video reply article image".split(" "),
} satisfies Record<keyof Omit<Counted, "engagement">, readonly string[]>;

/** An answer of the size of a year of a million postings by day: every value occurs on every day, and all lists are full. */
export function yearSummary(): { readonly summary: Schemas["Summary"]; readonly from: string; readonly to: string } {
  const [start, end] = [iso(START), iso(START + DAYS * DAY_MS)];
  const aDay = Math.floor(POSTINGS / DAYS);
  const summary: Schemas["Summary"] = {
    start,
    end,
    interval: "day",
    totals: { postings: aDay * DAYS, ...countedOf(aDay * DAYS) },
    series: Array.from({ length: DAYS }, (_, day) => {
      const postings = Math.round(aDay * (1 + Math.sin(day / 9) / 3));
      return {
        ...{ start: iso(START + day * DAY_MS), end: iso(START + (day + 1) * DAY_MS) },
        ...{ completeness: "complete" as const, postings, version: 1 },
        ...countedOf(postings),
      };
    }),
    top: {
      topics: topOf("topic"),
      hashtags: topOf("tag"),
      labels: topOf("label"),
      domains: topOf("domain"),
      authors: { ...topOf("author"), values: Array.from({ length: TOP }, (_, place) => authorAt(place)) },
    },
    coverage: {
      platforms: PLATFORMS.map((platform) => ({
        platform,
        spans: [{ start, end, completeness: "complete" as const, reasons: [] }],
      })),
    },
    spikes: {
      judgements: [{ platform: null, metric: "postings", status: "judged", judged: DAYS - 14 }],
      spikes: [],
    },
    time_zone: "UTC",
    versions: [],
    counted: false,
  };
  return { summary, from: start.slice(0, 10), to: iso(START + (DAYS - 1) * DAY_MS).slice(0, 10) };
}

function countedOf(postings: number): Counted {
  const breakdowns = Object.entries(VALUES).map(([name, values]) => [name, breakdownOf(values, postings)] as const);
  return {
    ...(Object.fromEntries(breakdowns) as Record<keyof typeof VALUES, Schemas["Breakdown"]>),
    engagement: ["like_count", "comment_count", "share_count"].map((name) => ({
      ...{ name, sum: String(postings * 7), postings },
    })),
  };
}

/** The n-th value is about 1/n as frequent as the first. */
function breakdownOf(values: readonly string[], postings: number): Schemas["Breakdown"] {
  const all = values.reduce((sum, _, at) => sum + 1 / (at + 1), 0);
  return { values: values.map((value, at) => ({ value, count: Math.floor(postings / (at + 1) / all) })), other: 0 };
}

function topOf(kind: string): Schemas["TopValues"] {
  const values = Array.from({ length: TOP }, (_, place) => ({ value: `${kind} ${place}`, ...countAt(place) }));
  return { values, distinct: 20_000, error: 0, distinct_error: 0 };
}

function authorAt(place: number): Schemas["TopAuthor"] {
  const [id, username] = [`a${place}`, `user${place}`];
  return { platform: "twitter", author_id: id, author_username: username, author_name: null, ...countAt(place) };
}

function countAt(place: number): { readonly count: number; readonly share: number } {
  const count = Math.ceil(POSTINGS / (place + 10));
  return { count, share: count / POSTINGS };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
