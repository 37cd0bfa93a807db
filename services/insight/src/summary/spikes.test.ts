import { Platform } from "@hourglass/proto/insight/v1/platform";
import { SpikeMetric, SpikeStatus } from "@hourglass/proto/insight/v1/summary";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostingDraft } from "../platforms/posting-draft.js";
import { PostingsWorld } from "../postings/testing/postings-world.js";
import { type InsightRecord, searchId, type SearchRecord } from "../store/records.js";
import { analyzeAll, countAll, day, pairs, summaryOf } from "./testing/summary-world.js";

const DAY_MS = 86_400_000;
const DAYS = 21;
const SPIKE_DAY = 18;

describe("spikes of a summary", () => {
  let world: PostingsWorld;
  let insight: InsightRecord;
  beforeAll(async () => {
    world = await PostingsWorld.open();
    world.time = Number(day(DAYS + 1).seconds) * 1000;
    insight = await world.insight();
    for (let number = 0; number < DAYS; number++) await world.save(insight, draftsOf(number));
    await analyzeAll(world, insight, ({ content }) => ({ sentiment: "joy", topics: [...(content.tags ?? [])] }));
    await countAll(world);
    const coverage = [{ from: Number(day(1).seconds) * 1000, to: world.time, completeness: "complete", reasons: [] }];
    const search = { id: searchId(insight.id, "twitter"), insightId: insight.id, platform: "twitter", coverage };
    await world.collections.searches.insert({ ...search, status: "waiting" } as unknown as SearchRecord);
  });
  afterAll(() => world.close());

  /** About 20 postings a day; on one day 60 more about a storm, a third of them reposts, and two that say the same. */
  function draftsOf(number: number): PostingDraft[] {
    const start = Number(day(number + 1).seconds) * 1000;
    const of = (index: number, values: Partial<PostingDraft>): PostingDraft => ({
      socialId: `${number}-${index}`,
      postedAt: start + ((index * 997_000) % DAY_MS),
      author: { id: `a${index % 7}` },
      ...values,
    });
    const usual = Array.from({ length: 18 + (number % 4) }, (_, index) =>
      of(index, { text: `Calm sea ${number} ${index}`, tags: ["calm"] }),
    );
    if (number !== SPIKE_DAY) return usual;
    const storm = Array.from({ length: 60 }, (_, index) =>
      of(100 + index, {
        text: index < 3 ? `Storm! @user${index} https://example.com/${index}` : `Storm number ${index}`,
        tags: ["Storm"],
        author: { id: "chaser", username: "chaser" },
        type: index >= 40 ? "repost" : "post",
      }),
    );
    return [...usual, ...storm];
  }

  it("name what is expected and seen, and what rose", async () => {
    const { spikes } = await summaryOf(world, insight, { filter: { start: day(15), end: day(DAYS + 1) } });
    expect(spikes?.judgements.map(({ platform, metric, status }) => [platform, metric, status])).toEqual([
      [Platform.UNSPECIFIED, SpikeMetric.POSTINGS, SpikeStatus.JUDGED],
      [Platform.UNSPECIFIED, SpikeMetric.NEGATIVE_SHARE, SpikeStatus.NOT_ENOUGH_HISTORY],
      [Platform.TWITTER, SpikeMetric.POSTINGS, SpikeStatus.JUDGED],
      [Platform.TWITTER, SpikeMetric.NEGATIVE_SHARE, SpikeStatus.NOT_ENOUGH_HISTORY],
      [Platform.NEWS, SpikeMetric.POSTINGS, SpikeStatus.INCOMPLETE],
      [Platform.NEWS, SpikeMetric.NEGATIVE_SHARE, SpikeStatus.INCOMPLETE],
    ]);
    expect(spikes?.spikes.map(({ platform, start }) => [platform, start?.seconds])).toEqual([
      [Platform.UNSPECIFIED, day(SPIKE_DAY + 1).seconds],
      [Platform.TWITTER, day(SPIKE_DAY + 1).seconds],
    ]);
    const [spike] = spikes?.spikes ?? [];
    if (spike === undefined) throw new Error("there is no spike");
    expect(spike.seen).toBe(80);
    expect(Math.abs(spike.expected - 20)).toBeLessThan(4);
    expect(pairs({ values: spike.hashtags })).toEqual([["Storm", 60]]);
    expect(spike.hashtags[0]).toMatchObject({ share: 0.75, usualShare: 0 });
    expect(pairs({ values: spike.topics })).toEqual([["Storm", 60]]);
    expect(spike.authors[0]).toMatchObject({ author: { authorId: "chaser", authorUsername: "chaser" }, count: 60n });
    expect(spike).toMatchObject({ examined: 80n, reposts: 20n, repeatedTexts: 2n });
    expect(spike.examples).toHaveLength(3);
    expect(spike.examples.every(({ textOfPost }) => textOfPost?.startsWith("Storm"))).toBe(true);
  });

  it("are also in the share of negative postings, of which neutral ones are a part", async () => {
    const calm = await world.insight();
    const coverage = [{ from: Number(day(1).seconds) * 1000, to: world.time, completeness: "complete", reasons: [] }];
    const search = { id: searchId(calm.id, "twitter"), insightId: calm.id, platform: "twitter", coverage };
    await world.collections.searches.insert({ ...search, status: "waiting" } as unknown as SearchRecord);
    for (let number = 0; number < DAYS; number++) {
      const start = Number(day(number + 1).seconds) * 1000;
      const drafts = Array.from({ length: 40 }, (_, index) => ({
        socialId: `${number}-${index}`,
        postedAt: start + index * 60_000,
        text: number === SPIKE_DAY && index < 20 ? "Bad." : "A ship left.",
      }));
      await world.save(calm, drafts);
    }
    await analyzeAll(world, calm, ({ content }) => ({
      moreInfo: { sentiment_simple: { value: content.text === "Bad." ? "negative" : "neutral", prob: 0.9 } },
    }));
    const { spikes } = await summaryOf(world, calm, { filter: { start: day(15), end: day(DAYS + 1) } });
    const found = (spikes?.spikes ?? []).filter(({ platform }) => platform === Platform.UNSPECIFIED);
    expect(found).toMatchObject([{ metric: SpikeMetric.NEGATIVE_SHARE, seen: 0.5 }]);
    expect(found[0]?.expected).toBeLessThan(0.02);
  });

  it("do not compare days of two queries, and say so", async () => {
    const at = Number(day(12).seconds) * 1000 + DAY_MS / 2;
    const { insights } = world.collections;
    await insights.update({ id: insight.id }, { set: { version: 2, versionAt: at } });
    const { spikes } = await summaryOf(world, insight, { filter: { start: day(13), end: day(DAYS + 1) } });
    await insights.update({ id: insight.id }, { set: { version: 1 } });
    expect(spikes?.spikes).toEqual([]);
    expect(spikes?.judgements[0]).toMatchObject({ status: SpikeStatus.QUERY_CHANGED, judged: 0 });
  });

  it("are not looked for with filters that no bucket has counted", async () => {
    const filter = { start: day(15), end: day(DAYS + 1), sentiment: "joy" };
    const { spikes } = await summaryOf(world, insight, { filter });
    expect(spikes?.judgements.map(({ status }) => status)).toEqual([SpikeStatus.FILTERED, SpikeStatus.FILTERED]);
    expect(spikes?.spikes).toEqual([]);
  });
});
