import { create } from "@bufbuild/protobuf";
import { PostingFilterSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Completeness } from "@hourglass/proto/insight/v1/coverage";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { SummaryInterval } from "@hourglass/proto/insight/v1/summary";
import { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeInsight } from "../change-insight.js";
import { draft, PostingsWorld } from "../postings/testing/postings-world.js";
import { type InsightRecord, searchId, type SearchRecord } from "../store/records.js";
import { recountDirty } from "./rollup.js";
import { analyzeAll, countAll, day, OCTOBER, pairs, summaryOf } from "./testing/summary-world.js";

const HOUR_S = 3_600n;
const PLATFORMS = new Map(["twitter", "news"].map((name) => [name, { missing: "It is not configured." }]));

const PLAIN = { sentiment: null, moreInfo: { sentiment_simple: { value: "neutral", prob: 0.7 } } };

describe("a summary", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  /** An insight with analyzed postings, one an hour from 1 October on. */
  async function insightWith(drafts: Parameters<typeof world.save>[1], platform = "twitter"): Promise<InsightRecord> {
    const insight = await world.insight();
    await world.save(insight, drafts, { platform });
    await analyzeAll(world, insight, ({ content }) => ({
      sentiment: content.text?.includes("bad") ? "anger" : "joy",
      intention: "none",
      topics: ["Kestrel"],
      labels: content.media ? ["bird"] : [],
      moreInfo: {
        spam: { value: "ham", prob: 0.9 },
        sentiment_simple: { value: content.text?.includes("bad") ? "negative" : "positive", prob: 0.8 },
      },
      ...(content.text?.includes("plain") && PLAIN),
    }));
    return insight;
  }

  const mistakesOf = async (asked: Promise<unknown>) => {
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).violations.map(({ field }) => field);
  };

  it("shows the queries of its span, and the steps in which they began", async () => {
    const insight = await insightWith([draft(1), draft(60)]);
    const at = (number: number) => Number(day(number).seconds) * 1000 + 3_600_000;
    const { insights } = world.collections;
    await insights.update({ id: insight.id }, { set: { createdAt: at(1) } });
    for (const [number, keywords] of [
      [3, "merlin"],
      [5, "falcon"],
      [5, "falcon OR merlin"],
    ] as const) {
      world.time = at(number);
      await changeInsight(
        { store: world.store, collections: world.collections, now: world.now, platforms: PLATFORMS },
        insight,
        { query: { keywords }, changedBy: { userId: 3, keyId: null, name: "Ann" } },
      );
    }
    const { versions, series } = await summaryOf(world, insight, { filter: { start: day(4), end: day(7) } });
    expect(versions).toMatchObject([
      { version: 2, keywords: "merlin", author: { userId: 3n, name: "Ann" }, at: { seconds: BigInt(at(3) / 1000) } },
      { version: 3, keywords: "falcon" },
      { version: 4, keywords: "falcon OR merlin", platforms: [Platform.TWITTER, Platform.NEWS] },
    ]);
    expect(series.map(({ version }) => version)).toEqual([undefined, 4, undefined]);
    const first = await summaryOf(world, insight, { filter: { start: day(1), end: day(3) } });
    expect(first.versions).toMatchObject([{ version: 1, keywords: "kestrel" }]);
    expect(first.series.map(({ version }) => version)).toEqual([undefined, undefined]);
  });

  it("takes polarities from sentiment-simple, also without an emotion", async () => {
    const insight = await insightWith([
      draft(1),
      draft(2, { text: "bad" }),
      draft(3, { text: "plain" }),
      draft(4, { text: "plain" }),
    ]);
    const { totals, series } = await summaryOf(world, insight);
    const expected = [
      ["neutral", 2],
      ["negative", 1],
      ["positive", 1],
    ];
    for (const counts of [totals, series[0]?.counts]) expect(pairs(counts?.polarities)).toEqual(expected);
    expect(pairs(totals?.sentiments)).toContainEqual([undefined, 2]);
  });

  it("states totals, engagement and lists with their shares", async () => {
    const insight = await insightWith([
      draft(1, {
        url: "https://www.example.com/a?b",
        tags: ["#Bird", "sky"],
        author: { id: "7", username: "ann" },
        counts: { like_count: 3, share_count: -1 },
        place: { countryCode: "pt" },
        language: "PT",
        type: "post",
      }),
      draft(2, { text: "A bad day.", tags: ["bird"], counts: { like_count: 4 }, media: ["https://example.com/x.jpg"] }),
    ]);
    const summary = await summaryOf(world, insight);
    const { totals } = summary;
    expect(totals?.postings).toBe(2n);
    expect(pairs(totals?.platforms)).toEqual([["twitter", 2]]);
    expect(pairs(totals?.sentiments)).toEqual([
      ["anger", 1],
      ["joy", 1],
    ]);
    expect(pairs(totals?.polarities)).toEqual([
      ["negative", 1],
      ["positive", 1],
    ]);
    expect(pairs(totals?.spam)).toEqual([["ham", 2]]);
    expect(pairs(totals?.countries)).toEqual([
      [undefined, 1],
      ["PT", 1],
    ]);
    expect(pairs(totals?.types)).toEqual([
      [undefined, 1],
      ["post", 1],
    ]);
    expect(totals?.engagement.map(({ name, sum, postings }) => [name, sum, postings])).toEqual([
      ["like_count", "7", 2n],
      ["share_count", "-1", 1n],
    ]);
    expect(pairs(summary.topHashtags)).toEqual([
      ["Bird", 2],
      ["sky", 1],
    ]);
    expect(summary.topHashtags?.values.map(({ share }) => share)).toEqual([1, 0.5]);
    expect(pairs(summary.topLabels)).toEqual([["bird", 1]]);
    expect(pairs(summary.topDomains)).toEqual([["example.com", 1]]);
    expect(summary.topAuthors?.values[0]).toMatchObject({
      platform: Platform.TWITTER,
      author: { authorId: "7", authorUsername: "ann" },
      count: 1n,
    });
    expect(summary.topTopics).toMatchObject({ distinct: 1n, error: 0n, distinctError: 0n });
  });

  it("adds up counts exactly, also beyond what a number holds", async () => {
    const insight = await insightWith([
      draft(1, { counts: { like_count: "9007199254740993" } }),
      draft(2, { counts: { like_count: Number.MAX_SAFE_INTEGER } }),
    ]);
    expect((await summaryOf(world, insight)).totals?.engagement[0]?.sum).toBe("18014398509481984");
  });

  it.each([
    [["Lisbon", "lisbon", "LISBON", "lisbon"], "lisbon"],
    [["Caf\u00E9", "Cafe\u0301", "CAFE"], "Caf\u00E9"],
    [["İstanbul", "istanbul", "İstanbul"], "İstanbul"],
    [["STRASSE", "Straße", "Straße"], "Straße"],
    [["ΟΔΟΣ", "οδός", "οδός"], "οδός"],
    [[" beta ", "#beta", "BETA", "beta"], "beta"],
    [["New\u00A0York", "New York"], "New York"],
  ])("counts %j once, in the most frequent spelling", async (written, shown) => {
    const insight = await world.insight();
    const drafts = written.map((word, index) => draft(index, { text: "x", tags: [word], author: { username: word } }));
    await world.save(insight, drafts);
    await analyzeAll(world, insight, ({ content: { tags = [] } }) => ({ topics: [...tags], labels: [...tags] }));
    for (const isCounted of [false, true]) {
      if (isCounted) await countAll(world);
      const { topHashtags, topLabels, topAuthors } = await summaryOf(world, insight);
      expect(pairs(topHashtags)).toEqual([[shown, written.length]]);
      expect(pairs(topLabels)).toEqual([[shown, written.length]]);
      const [author] = topAuthors?.values ?? [];
      expect([author?.author?.authorUsername, author?.count]).toEqual([shown, BigInt(written.length)]);
    }
  });

  it("counts words without case, and authors by their ids as they are written", async () => {
    const insight = await world.insight();
    const written = ["Lisbon", "lisbon", "lisbon"];
    const id = (index: number) => ["UCx", "ucX", "UCx"][index] ?? "";
    const drafts = written.map((word, index) => draft(index, { text: word, tags: [word], author: { id: id(index) } }));
    await world.save(insight, drafts);
    await analyzeAll(world, insight, ({ content: { text = "" } }) => ({ topics: [text], labels: [text] }));
    const { topTopics, topHashtags, topLabels, topAuthors } = await summaryOf(world, insight);
    for (const top of [topTopics, topHashtags, topLabels]) expect(pairs(top)).toEqual([["lisbon", 3]]);
    expect(topAuthors?.values.map(({ author, count }) => [author?.authorId, count])).toEqual([
      ["UCx", 2n],
      ["ucX", 1n],
    ]);
  });

  it("leaves out what is not analyzed yet", async () => {
    const insight = await insightWith([draft(1)]);
    await world.save(insight, [draft(2)]);
    expect((await summaryOf(world, insight)).totals?.postings).toBe(1n);
  });

  it.each([
    [SummaryInterval.HOUR, 30, [25, 49]],
    [SummaryInterval.DAY, 3, [1, 2]],
    // 1 October 2026 is a Thursday.
    [SummaryInterval.WEEK, 2, [0, 1]],
  ])("has a series by interval %i, with its steps cut to the span", async (interval, hours, places) => {
    const insight = await insightWith([draft(25), draft(interval === SummaryInterval.WEEK ? 24 * 7 : 49)]);
    const end = {
      seconds: day(1).seconds + HOUR_S * BigInt(interval === SummaryInterval.HOUR ? 50 : 24 * 10),
      nanos: 0,
    };
    const { series } = await summaryOf(world, insight, { interval, filter: { start: day(1), end } });
    expect(series.length).toBeGreaterThan(hours === 30 ? 49 : 1);
    expect(series.flatMap(({ counts }, index) => (counts?.postings ? [index] : []))).toEqual(places);
    expect(series[0]?.start?.seconds).toBe(day(1).seconds);
    expect(series.at(-1)?.end?.seconds).toBe(end.seconds);
    if (interval === SummaryInterval.WEEK) expect(series[0]?.end?.seconds).toBe(day(5).seconds);
  });

  it("is the same from hours, days and months", async () => {
    const drafts = Array.from({ length: 200 }, (_, number) => draft(number * 5, { tags: [`t${number % 7}`] }));
    const insight = await insightWith(drafts);
    const filter = { start: day(-20), end: { seconds: day(45).seconds - 5n * HOUR_S, nanos: 0 } };
    const fresh = await summaryOf(world, insight, { filter });
    await countAll(world);
    expect(await world.collections.dirtyBuckets.count({})).toBe(0);
    expect(await summaryOf(world, insight, { filter })).toEqual(fresh);
    expect(fresh.totals?.postings).toBe(200n);
  });

  it("is the same from hours, days and months of postings that no list has anything of", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2), draft(40), draft(60, { tags: ["#late"] })]);
    await analyzeAll(world, insight);
    const fresh = await summaryOf(world, insight);
    await countAll(world);
    expect(await summaryOf(world, insight)).toEqual(fresh);
    expect(fresh.totals?.postings).toBe(4n);
  });

  it("has all of a day whose hours are counted together with it", async () => {
    const { dirtyBuckets } = world.collections;
    const insight = await insightWith([draft(1), draft(2)]);
    await recountDirty(world, await dirtyBuckets.find({}));
    await world.save(insight, [draft(3)]);
    await analyzeAll(world, insight);
    expect((await dirtyBuckets.find({})).map(({ level }) => level).sort()).toEqual(["day", "hour"]);
    await recountDirty(world, await dirtyBuckets.find({}));
    await countAll(world);
    const { totals } = await summaryOf(world, insight);
    expect(totals?.postings).toBe(3n);
  });

  it("answers filters by platform from what is counted, and all others from the postings", async () => {
    const insight = await insightWith([
      draft(1, { language: "de" }),
      draft(2, { text: "A bad day in Lisbon", language: "en-GB" }),
    ]);
    await world.save(insight, [draft(3, { text: "A bad day", language: "pt" })], { platform: "news" });
    await analyzeAll(world, insight, () => ({ sentiment: "anger", intention: "wish" }));
    const count = async (filter: object) => {
      const summary = await summaryOf(world, insight, { filter: { ...OCTOBER, ...filter } });
      const inSeries = summary.series.reduce((sum, { counts }) => sum + Number(counts?.postings), 0);
      expect(inSeries).toBe(Number(summary.totals?.postings));
      return inSeries;
    };
    expect(await count({ platforms: [Platform.NEWS] })).toBe(1);
    expect(await count({ platforms: [Platform.NEWS, Platform.TWITTER] })).toBe(3);
    expect(await count({ sentiment: "anger" })).toBe(2);
    expect(await count({ sentiment: "anger", platforms: [Platform.TWITTER] })).toBe(1);
    expect(await count({ intention: "wish" })).toBe(1);
    expect(await count({ language: "en" })).toBe(1);
    expect(await count({ q: "lisbon" })).toBe(1);
  });

  it("states by how much a list of more than 50,000 values may be wrong, from hours, days and months", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2), draft(26)]);
    // Each hour has 20,000 values that no other hour has, and one that all of them have; the first one has 40,000 more.
    const own = (count: number, hour: number) => Array.from({ length: count }, (_, index) => `t${hour}-${index}`);
    await analyzeAll(world, insight, ({ postedAt }) => {
      const hour = (postedAt - draft(0).postedAt) / 3_600_000;
      return { topics: ["everywhere", ...own(hour === 1 ? 60_000 : 20_000, hour)] };
    });
    const ask = async () =>
      (await summaryOf(world, insight, { filter: { start: day(1), end: day(32) }, top: 1 })).topTopics;
    // The first hour keeps 50,000 of 60,001.
    const byHour = await ask();
    expect(byHour).toMatchObject({ distinct: 90_000n, error: 1n, distinctError: 10_001n });
    expect(pairs(byHour)).toEqual([["everywhere", 3]]);
    await countAll(world);
    // Its day has 70,000 left and its month 70,000 again, of which 50,000 are kept.
    const byMonth = await ask();
    expect(byMonth).toMatchObject({ distinct: 50_000n, error: 3n, distinctError: 50_001n });
    expect(pairs(byMonth)).toEqual([["everywhere", 3]]);
  });

  it("compares the share of voice by postings and authors", async () => {
    const by = (id: string) => ({ author: { id } });
    const own = await insightWith([draft(1, by("a")), draft(2, by("a")), draft(3, by("b"))]);
    const other = await insightWith([draft(1, by("a"))]);
    const { shareOfVoice } = await summaryOf(world, own, { compare: [BigInt(other.id), BigInt(own.id)] });
    expect(
      shareOfVoice.map(({ id, postings, postingShare, authors }) => [id, postings, postingShare, authors]),
    ).toEqual([
      [BigInt(own.id), 3n, 0.75, 2n],
      [BigInt(other.id), 1n, 0.25, 1n],
    ]);
    expect(shareOfVoice[0]?.authorShare).toBeCloseTo(2 / 3);
  });

  it("counts again what changes while it is counted", async () => {
    const insight = await insightWith([draft(1)]);
    let changes = 0;
    const commit: typeof world.store.commit = async (steps) => {
      if (changes++ === 0) await world.save(insight, [draft(1, { counts: { like_count: 9 } })]);
      return world.store.commit(steps);
    };
    const [mark] = await world.collections.dirtyBuckets.find({});
    if (mark === undefined) throw new Error("nothing is marked");
    await recountDirty({ store: { commit }, collections: world.collections, now: world.now }, [mark]);
    expect(changes).toBe(2);
    expect((await summaryOf(world, insight)).totals?.engagement[0]?.sum).toBe("9");
  });

  it("states for each step how completely it was collected", async () => {
    const insight = await insightWith([draft(1)]);
    const platform = "twitter";
    const from = Number(day(1).seconds) * 1000;
    const coverage = [
      { from, to: from + 86_400_000, completeness: "complete" as const, reasons: [] },
      { from: from + 86_400_000, to: from + 1.5 * 86_400_000, completeness: "thin" as const, reasons: ["budget"] },
    ];
    const search = { id: searchId(insight.id, platform), insightId: insight.id, platform, coverage, status: "waiting" };
    await world.collections.searches.insert(search as unknown as SearchRecord);
    const { series } = await summaryOf(world, insight);
    expect(series.slice(0, 3).map(({ completeness }) => completeness)).toEqual([
      Completeness.COMPLETE,
      Completeness.UNKNOWN,
      Completeness.UNKNOWN,
    ]);
  });

  it("covers the last 30 days by default, today included", async () => {
    const insight = await insightWith([draft(30 * 24)]);
    const { start, end, totals } = await summaryOf(world, insight, { filter: create(PostingFilterSchema) });
    // It is 1 November.
    expect([start?.seconds, end?.seconds]).toEqual([day(3).seconds, day(33).seconds]);
    expect(totals?.postings).toBe(1n);
  });

  it("refuses spans that are too long, backwards or no whole hours, and insights of others", async () => {
    const insight = await insightWith([]);
    const stranger = await world.insight({ companyId: 99 });
    const ask = (request: object) => mistakesOf(summaryOf(world, insight, request));
    expect(await ask({ filter: { start: day(1), end: day(368) } })).toEqual(["filter.start"]);
    expect(await ask({ filter: { start: day(1), end: day(33) }, interval: SummaryInterval.HOUR })).toEqual([
      "filter.start",
    ]);
    expect(await ask({ filter: { start: day(2), end: day(2) } })).toEqual(["filter.start"]);
    expect(await ask({ filter: { start: { seconds: 1n, nanos: 0 }, end: { seconds: 2n, nanos: 0 } } })).toEqual([
      "filter.start",
      "filter.end",
    ]);
    expect(await ask({ compare: [BigInt(insight.id), BigInt(stranger.id), 12_345n] })).toEqual([
      "compare[1]",
      "compare[2]",
    ]);
    expect(await ask({ filter: { ...OCTOBER, q: '"open' } })).toEqual(["filter.q"]);
    const longest = await summaryOf(world, insight, { filter: { start: day(1), end: day(367) } });
    expect(longest.series).toHaveLength(366);
    await expect(summaryOf(world, stranger)).rejects.toMatchObject({ kind: "not-found" });
  });
});
