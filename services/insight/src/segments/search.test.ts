import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ListPostingsRequestSchema, PostingFilterSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { repeats } from "@hourglass/runtime/testing";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { PostingLists } from "../postings/list.js";
import { COMPANY, draft, PostingsWorld } from "../postings/testing/postings-world.js";
import { type InsightRecord, type PostingRecord } from "../store/records.js";
import { analyzeAll, countAll, day, pairs, summaryOf } from "../summary/testing/summary-world.js";
import { parseFilter } from "./filter.js";
import { PostingSearch } from "./search.js";
import { engagementOf, SegmentsBuilder } from "./segment.js";

type Request = Omit<MessageInitShape<typeof ListPostingsRequestSchema>, "id" | "$typeName">;
type Filter = NonNullable<Request["filter"]>;

const signal = new AbortController().signal;

/** The pages that a client reads by following the cursors. */
async function readAll(world: PostingsWorld, insight: InsightRecord, request: Request) {
  const lists = new PostingLists(world);
  const found: (string | undefined)[] = [];
  let total: { total: number; isExact: boolean } | undefined;
  for (let cursor = ""; total === undefined || cursor !== "";) {
    const asked = create(ListPostingsRequestSchema, { ...request, id: BigInt(insight.id), cursor, withTotal: true });
    const page = await lists.read(asked, { companyId: COMPANY, signal });
    found.push(...page.postings.map(({ id }) => id));
    cursor = page.nextCursor;
    total = { total: Number(page.total), isExact: page.totalIsExact === true };
  }
  return { found, ...total };
}

const EMOTIONS = ["joy", "anger", null] as const;
const WORDS = ["lisbon", "queue", "Council Vote", "x"];

interface Posted {
  hour: number;
  platform: "twitter" | "news";
  author: number;
  tag: number;
  likes: number | undefined;
  country: string | undefined;
}

const posted: fc.Arbitrary<Posted> = fc.record({
  hour: fc.integer({ min: 0, max: 60 }),
  platform: fc.constantFrom("twitter", "news"),
  author: fc.integer({ min: 0, max: 3 }),
  tag: fc.integer({ min: 0, max: 3 }),
  likes: fc.option(fc.integer({ min: -2, max: 4 }), { nil: undefined }),
  country: fc.constantFrom("PT", "gb", undefined),
});

function draftOf({ hour, author, tag, likes, country }: Posted, number: number) {
  return draft(hour, {
    socialId: `s${number}`,
    text: `About ${WORDS[number % 4] ?? ""} ${number}`,
    url: `https://www.Example${number % 2}.com/${number}`,
    ...(tag > 0 && { tags: WORDS.slice(0, tag).map((word) => `#${word}`) }),
    ...(author > 0 && {
      author: { ...(author < 3 && { id: `A${author}` }), username: `User${author}`, name: "Ann, B." },
    }),
    counts: { ...(likes !== undefined && { like_count: likes }), comment_count: number % 3 },
    ...(country !== undefined && { place: { countryCode: country } }),
  });
}

function resultsOf({ content, postedAt }: PostingRecord) {
  const number = Number(content.socialId?.slice(1));
  return {
    sentiment: EMOTIONS[number % 3] ?? null,
    intention: number % 2 === 0 ? "wish" : "none",
    topics: number % 4 === 0 ? [] : [WORDS[postedAt % 4] ?? "", "Lisbon"],
    labels: number % 5 === 0 ? ["cat"] : [],
    ...(number % 3 === 0 && { moreInfo: { spam: { value: number % 2 === 0 ? "spam" : "ham", prob: 0.9 } } }),
  };
}

const some = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });

/** Queries, and what the texts and tags of their postings look like. */
const QUERIES: Readonly<Record<string, RegExp>> = { queue: /queue/i, "about -x": /^(?!.*\bx\b)/, about: /about/i };

const filters: fc.Arbitrary<Filter> = fc.record(
  {
    platforms: some(Platform.TWITTER, Platform.NEWS),
    sentiments: some("joy", "anger", "fear", "none"),
    intention: fc.constantFrom("wish", "none"),
    countries: some("pt", "GB", "none"),
    spam: some("true", "false", "none"),
    authors: some("a1", "@USER2", "ann, b.", "none"),
    topics: some("LISBON", "council vote", "none"),
    hashtags: some("#queue", "Lisbon", "none"),
    domains: some("example0.com", "www.example1.com"),
    labels: some("cat", "none"),
    start: fc.integer({ min: 0, max: 60 }).map((hour) => timestampFromMs(draft(hour).postedAt - 1000)),
    end: fc.integer({ min: 61, max: 90 }).map((hour) => timestampFromMs(draft(hour).postedAt + 1000)),
    q: fc.constantFrom(...Object.keys(QUERIES)),
  },
  { requiredKeys: [] },
);

const has = (wanted: readonly string[] | undefined, own: readonly string[]) =>
  wanted === undefined ||
  wanted.some((value) =>
    value === "none" ? own.length === 0 : own.includes(value.toLowerCase().replace(/^[#@]|^www\./, "")),
  );

/** What a filter means, in plain words of a posting. */
function meets(
  { content, platform, sentiment, intention, postedAt, analysis }: PostingRecord,
  filter: Filter,
): boolean {
  const { author = {}, tags = [], text = "", url = "", place } = content;
  const lower = (values: readonly (string | null | undefined)[]) => values.flatMap((each) => each?.toLowerCase() ?? []);
  const spam = (analysis?.moreInfo.spam as { value: string } | undefined)?.value;
  const ms = (time: { seconds?: bigint; nanos?: number } | undefined, other: number) =>
    time === undefined ? other : Number(time.seconds) * 1000 + (time.nanos ?? 0) / 1e6;
  return (
    (filter.platforms?.includes(platform === "news" ? Platform.NEWS : Platform.TWITTER) ?? true) &&
    has(filter.sentiments, lower([sentiment])) &&
    (filter.intention === undefined || filter.intention === intention) &&
    has(filter.countries, lower([place?.countryCode])) &&
    has(filter.spam, spam === undefined ? [] : [String(spam === "spam")]) &&
    has(filter.authors, lower([author.id, author.username, author.name])) &&
    has(filter.topics, lower(analysis?.topics ?? [])) &&
    has(filter.hashtags, lower(tags.map((tag) => tag.slice(1)))) &&
    has(filter.domains, [new URL(url).hostname.replace("www.", "")]) &&
    has(filter.labels, analysis?.labels ?? []) &&
    postedAt >= ms(filter.start, -Infinity) &&
    postedAt < ms(filter.end, Infinity) &&
    QUERIES[filter.q ?? "about"]?.test(text + tags.join(" ")) === true
  );
}

function newestFirst(one: PostingRecord, other: PostingRecord): number {
  const [id = "", otherId = ""] = [one.content.socialId, other.content.socialId];
  return other.postedAt - one.postedAt || (id < otherId ? 1 : -1);
}

it("finds, sorts and counts what a look at every posting finds", { timeout: 120_000 }, async () => {
  const world = await PostingsWorld.open();
  const query = fc.record({
    filter: filters,
    limit: fc.integer({ min: 1, max: 7 }),
    ascending: fc.boolean(),
    sort: fc.constantFrom("", "posted_at", "like_count", "engagement"),
  });
  const steps = fc.array(fc.tuple(fc.array(posted, { maxLength: 12 }), fc.boolean()), { minLength: 1, maxLength: 4 });
  try {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(query, { minLength: 1, maxLength: 4 }), async (pages, queries) => {
        const insight = await world.insight();
        let number = 0;
        for (const [page, isCounted] of pages) {
          for (const each of page) await world.save(insight, [draftOf(each, number++)], { platform: each.platform });
          await analyzeAll(world, insight, resultsOf);
          if (isCounted) await countAll(world);
        }
        const all = (await world.stored(insight)).sort(newestFirst);
        for (const { sort, ...request } of queries) {
          const wanted = all.filter((posting) => meets(posting, request.filter));
          const isRanked = !["", "posted_at"].includes(sort) && request.filter.q === undefined;
          const value = (posting: PostingRecord) =>
            sort === "engagement" ? engagementOf(posting) : posting.content.counts?.like_count;
          if (request.ascending) wanted.reverse();
          if (isRanked) {
            const sign = request.ascending ? 1 : -1;
            wanted.sort((one, other) => {
              const [a, b] = [value(one), value(other)];
              if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
              return sign * (Number(a) - Number(b));
            });
          }
          const read = await readAll(world, insight, { ...request, sort: isRanked ? sort : "" });
          expect(read).toEqual({ found: wanted.map(({ id }) => id), total: wanted.length, isExact: true });
        }
      }),
      { numRuns: repeats(40) },
    );
  } finally {
    await world.close();
  }
});

/** More than a call takes as arguments. */
const OF_A_DAY = 130_000;

it("gathers the hits of a day with more of them than a call takes as arguments", async () => {
  const world = await PostingsWorld.open();
  onTestFinished(() => world.close());
  const { store, collections, now } = world;
  const { summaryBuckets, segments } = collections;
  const insight = await world.insight();
  await world.save(insight, [draft(0), draft(23)]);
  await analyzeAll(world, insight);
  await countAll(world);
  // The day gets the columns of as many postings as storing and counting would take minutes for.
  const [bucket] = await summaryBuckets.find({ insightId: insight.id, level: "day" });
  const [first] = await world.stored(insight);
  if (bucket === undefined || first === undefined) throw new Error("nothing was counted");
  const builder = new SegmentsBuilder(bucket);
  const idOf = (index: number) => `${insight.id}:${String(index).padStart(6, "0")}`;
  for (let index = 0; index < OF_A_DAY; index += 1) {
    builder.add({ ...first, id: idOf(index), postedAt: first.postedAt + 500 * index });
  }
  const built = builder.records(bucket.revision);
  await segments.delete({ bucket: bucket.id });
  await segments.insertMany(built?.records ?? []);
  await summaryBuckets.update({ id: bucket.id }, { set: { segments: built?.segments ?? 0 } });

  const filter = parseFilter(create(PostingFilterSchema, { platforms: [Platform.TWITTER] }));
  const search = await PostingSearch.open({ store, collections, now, signal }, insight, filter);
  for (const ascending of [true, false]) {
    const found: string[] = [];
    for await (const { hits } of search.inOrder({ after: undefined, ascending })) {
      for (const { id } of hits) found.push(id);
    }
    expect(found).toHaveLength(OF_A_DAY);
    expect([found[0], found.at(-1)]).toEqual([0, OF_A_DAY - 1].map(ascending ? idOf : (at) => idOf(OF_A_DAY - 1 - at)));
  }
});

describe("a filtered summary", () => {
  let world: PostingsWorld;
  let insight: InsightRecord;
  beforeEach(async () => {
    world = await PostingsWorld.open();
    insight = await world.insight();
  });
  afterEach(() => world.close());

  it.each([
    ["of the columns of segments", { topics: ["lisbon"], countries: ["pt", "none"] }],
    ["of postings whose text matches", { topics: ["lisbon"], q: "about" }],
  ])("counts the postings that a list shows, %s", async (_, asked) => {
    const drafts = fc.sample(posted, { numRuns: 120, seed: 7 });
    for (const [number, each] of drafts.entries()) {
      await world.save(insight, [draftOf(each, number)], { platform: each.platform });
    }
    await analyzeAll(world, insight, resultsOf);
    await countAll(world);
    const filter = { ...asked, start: day(1), end: day(5) };
    const wanted = (await world.stored(insight)).filter((posting) => meets(posting, filter));
    expect(wanted.length).toBeGreaterThan(10);
    const { totals, series, topTopics, topAuthors, counted } = await summaryOf(world, insight, { filter });
    const likes = wanted.flatMap(({ content }) => content.counts?.like_count ?? []);
    expect(counted).toBe(true);
    expect(Number(totals?.postings)).toBe(wanted.length);
    expect(totals?.engagement.find(({ name }) => name === "like_count")).toMatchObject({
      sum: String(likes.reduce<number>((sum, count) => sum + Number(count), 0)),
      postings: BigInt(likes.length),
    });
    expect(Object.fromEntries(pairs(topTopics))).toMatchObject({ lisbon: wanted.length });
    expect(pairs(totals?.sentiments)).toContainEqual([
      "joy",
      wanted.filter(({ sentiment }) => sentiment === "joy").length,
    ]);
    expect(series.reduce((sum, { counts }) => sum + Number(counts?.postings), 0)).toBe(wanted.length);
    const authors = topAuthors?.values.reduce((sum, { count }) => sum + Number(count), 0);
    expect(authors).toBe(wanted.filter(({ content }) => content.author !== undefined).length);
  });

  it.each([
    ["Asia/Kolkata", {}],
    ["Asia/Kolkata", { topics: ["lisbon"] }],
    ["Europe/Lisbon", { sentiments: ["joy"] }],
  ])("has the days of the time zone %s with the filter %j", async (timeZone, asked) => {
    for (const [number, each] of fc.sample(posted, { numRuns: 120, seed: 7 }).entries()) {
      // Every minute may be one of another day.
      const drafted = draftOf(each, number);
      const moved = { ...drafted, postedAt: drafted.postedAt + number * 60_000 };
      await world.save(insight, [moved], { platform: each.platform });
    }
    await analyzeAll(world, insight, resultsOf);
    await countAll(world);
    const request = { startDate: "2026-10-02", endDate: "2026-10-04", timeZone, filter: asked };
    const { totals, series, topHashtags, start, end } = await summaryOf(world, insight, request);
    const date = new Intl.DateTimeFormat("en-CA", { timeZone });
    const days = new Map<string, number>();
    const wanted = (await world.stored(insight)).filter((posting) => meets(posting, asked));
    for (const { postedAt } of wanted) {
      const day = date.format(postedAt);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    const named = series.map(({ start: at, counts }) => [
      date.format(Number(at?.seconds) * 1000),
      Number(counts?.postings),
    ]);
    expect(named).toEqual(["2026-10-02", "2026-10-03"].map((day) => [day, days.get(day)]));
    expect(Number(totals?.postings)).toBe((days.get("2026-10-02") ?? 0) + (days.get("2026-10-03") ?? 0));
    const inside = wanted.filter(
      ({ postedAt }) => postedAt >= Number(start?.seconds) * 1000 && postedAt < Number(end?.seconds) * 1000,
    );
    const tagged = inside.filter(({ content }) => content.tags?.includes("#lisbon"));
    expect(Object.fromEntries(pairs(topHashtags))).toMatchObject({ lisbon: tagged.length });
  });

  it("counts a day of many postings, of which each column is a record", async () => {
    const many = fc.sample(posted, { numRuns: 300, seed: 3 }).map((each) => ({ ...each, hour: each.hour % 24 }));
    for (const platform of ["twitter", "news"] as const) {
      const drafts = many.flatMap((each, number) => (each.platform === platform ? [draftOf(each, number)] : []));
      await world.save(insight, drafts, { platform });
    }
    await analyzeAll(world, insight, resultsOf);
    await countAll(world);
    expect(await world.collections.segments.count({ group: "topics" })).toBe(1);
    const all = (await world.stored(insight)).sort(newestFirst);
    for (const filter of [{ topics: ["lisbon"], sentiments: ["joy"] }, { hashtags: ["none"] }, { q: "queue" }]) {
      const wanted = all.filter((posting) => meets(posting, filter));
      expect(wanted.length).toBeGreaterThan(20);
      const read = await readAll(world, insight, { filter, limit: 50 });
      expect(read).toEqual({ found: wanted.map(({ id }) => id), total: wanted.length, isExact: true });
      const { totals } = await summaryOf(world, insight, { filter: { ...filter, start: day(1), end: day(2) } });
      expect(Number(totals?.postings)).toBe(wanted.length);
    }
    const ranked = await readAll(world, insight, { filter: { sentiments: ["joy"] }, sort: "like_count", limit: 50 });
    const likes = ranked.found.map((id) =>
      Number(all.find((posting) => posting.id === id)?.content.counts?.like_count ?? -9),
    );
    expect(likes).toEqual([...likes].sort((one, other) => other - one));
  });
});
