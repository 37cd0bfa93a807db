/** A posting as lists show it, as far as these tests read it. */
export interface ListedPosting extends Record<string, unknown> {
  platform: string;
  post_date: string;
}

interface Breakdown {
  values: { value: string | null; count: number }[];
  other: number;
}

interface Counts extends Record<string, unknown> {
  postings: number;
  platforms: Breakdown;
}

interface TopList {
  values: Record<string, unknown>[];
  distinct: number;
  error: number;
  distinct_error: number;
}

/** A summary as REST spells it, as far as these tests read it. */
export interface Summary {
  start: string;
  end: string;
  interval: string;
  totals: Counts;
  series: (Counts & { start: string; end: string; completeness: string })[];
  top: Record<"topics" | "hashtags" | "authors" | "labels" | "domains", TopList>;
  coverage: unknown;
  share_of_voice?: { id: number; postings: number }[];
  spikes: { judgements: { status: string }[]; spikes: unknown[] };
}

/** The postings of the summary in docs/insights.md and in the OpenAPI document. */
export const DOCUMENTED_POSTINGS: readonly object[] = [
  {
    platform: "news",
    post_date: "1/30/2026",
    post_time: "12:00:00",
    text_of_post: "The queue begins at the second gate.",
    social_url: "https://www.news.example.com/a",
    author_name: "Ann",
    text_post_tags: ["#Charging", "ev"],
    place_country_code: "pt",
    like_count: "3",
  },
  {
    platform: "news",
    post_date: "1/31/2026",
    post_time: "08:59:59",
    text_of_post: "I love the new charging stations in Lisbon. Lisbon is great.",
    social_url: "https://news.example.com/b",
    author_name: "Ann",
    text_post_tags: ["EV"],
    like_count: 4,
  },
  {
    platform: "reddit",
    post_date: "1/31/2026",
    post_time: "23:59:59",
    text_of_post: "I hate waiting in line at charging stations.",
    author_id: "t2_1",
    author_username: "kestrel",
    text_post_type: "post",
  },
];

/** Those, and some with rarer fields: counts below zero and beyond 32 bits, a topic and a tag written differently. */
export const STATED_POSTINGS: readonly object[] = [
  ...DOCUMENTED_POSTINGS,
  {
    platform: "reddit",
    post_date: "1/26/2026",
    post_time: "00:00:00",
    text_of_post: "Nobody uses the charging stations.",
    author_id: "t2_2",
    author_username: "merlin",
    like_count: "-3",
    comment_count: "9000000000",
  },
  {
    platform: "reddit",
    post_date: "2/1/2026",
    post_time: "23:59:59",
    text_of_post: "A charging station in LISBON. When will it open?",
    social_url: "https://WWW.Reddit.example:8443/r/ev?x=1",
    author_id: "t2_2",
    author_username: "merlin",
    text_post_type: "comment",
    text_post_tags: ["＃Ev", "lisbon"],
    place_country_code: "PT",
    like_count: "1",
  },
  {
    platform: "news",
    post_date: "1/28/2026",
    post_time: "13:00:00",
    text_of_post: "Je déteste attendre à la borne.",
    text_post_lang: "FR",
  },
];

/** What a summary must say of postings that are all in it, counted from their objects. */
export function recount(postings: readonly ListedPosting[]): { counts: Counts; top: Summary["top"] } {
  const of = (key: string) => postings.map((posting) => posting[key] as string | null);
  const noted = (name: string) =>
    postings.map(({ more_info: notes }) => (notes as Record<string, { value: string }>)[name]?.value ?? null);
  const tags = postings.map(({ text_post_tags: found }) =>
    ((found ?? []) as string[]).map((tag) => tag.replace(/^[#＃]/, "")),
  );
  const topics = postings.map((posting) => TOPIC_KEYS.flatMap((key) => (posting[key] as string | null) ?? []));
  return {
    counts: {
      postings: postings.length,
      platforms: breakdown(of("platform")),
      sentiments: breakdown(of("sentiments")),
      polarities: breakdown(noted("sentiment_simple")),
      intentions: breakdown(of("intentions")),
      spam: breakdown(noted("spam")),
      languages: breakdown(of("text_post_lang").map((code) => code?.toLowerCase() ?? null)),
      countries: breakdown(of("place_country_code").map((code) => code?.toUpperCase() ?? null)),
      types: breakdown(of("text_post_type")),
      engagement: ["comment_count", "like_count"].flatMap((name) => engagement(name, of(name))),
    },
    top: {
      topics: topList(topics, postings.length),
      hashtags: topList(tags, postings.length),
      authors: topAuthors(postings),
      labels: topList([], postings.length),
      domains: topList(of("social_url").map(domainsOf), postings.length),
    },
  };
}

const TOPIC_KEYS = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `topic_${number}`);

function breakdown(values: readonly (string | null)[]): Breakdown {
  return { values: frequencies(values).map(([value, count]) => ({ value, count })), other: 0 };
}

function engagement(
  name: string,
  counts: readonly (string | null)[],
): { name: string; sum: string; postings: number }[] {
  const stated = counts.filter((count) => count !== null);
  const sum = String(stated.reduce((total, count) => total + BigInt(count), 0n));
  return stated.length === 0 ? [] : [{ name, sum, postings: stated.length }];
}

/** A value counts once for each posting that has it, whatever its case; it is shown in its most frequent spelling. */
function topList(values: readonly string[][], postings: number): TopList {
  const once = values.flatMap((some) => [...new Map(some.map((value) => [value.toLowerCase(), value])).values()]);
  const found = frequencies(once.map((value) => value.toLowerCase()));
  const spellings = frequencies(once);
  const shown = (value: string | null) => spellings.find(([spelling]) => spelling?.toLowerCase() === value)?.[0];
  return extent(found.map(([value, count]) => ({ value: shown(value), count, share: count / postings })));
}

function topAuthors(postings: readonly ListedPosting[]): TopList {
  const names = (posting: ListedPosting) =>
    ["platform", "author_id", "author_username", "author_name"].map((key) => [key, posting[key]] as const);
  const known = postings.filter((posting) =>
    names(posting)
      .slice(1)
      .some(([, name]) => name !== null),
  );
  const found = frequencies(known.map((posting) => JSON.stringify(Object.fromEntries(names(posting)))));
  return extent(
    found.map(([author, count]) => ({
      ...(JSON.parse(author ?? "") as object),
      count,
      share: count / postings.length,
    })),
  );
}

function extent(values: Record<string, unknown>[]): TopList {
  return { values, distinct: values.length, error: 0, distinct_error: 0 };
}

function domainsOf(url: string | null): string[] {
  return url === null ? [] : [new URL(url).hostname.replace(/^www\./, "")];
}

/** Most frequent first, then by value. */
function frequencies(values: readonly (string | null)[]): [value: string | null, count: number][] {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([one, n], [other, m]) => m - n || ((one ?? "") < (other ?? "") ? -1 : 1));
}
