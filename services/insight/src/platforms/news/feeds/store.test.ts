import { afterEach, beforeEach, expect, it } from "vitest";
import type { PostingDraft } from "../../posting-draft.js";
import { HOUR, NewsWorld } from "../testing/news-world.js";
import { feedIdOf, FeedStore } from "./store.js";

const FEED = "https://news.example.org/rss";
let world: NewsWorld;

beforeEach(async () => {
  world = await NewsWorld.open();
});
afterEach(() => world.close());

const posting = (number: number): PostingDraft => ({
  socialId: `s${number}`,
  postedAt: number,
  text: `Ship ${number}`,
});

/** Fetches a document with these items; an hour has passed since the last one. */
async function fetched(feeds: FeedStore, ...numbers: number[]): Promise<void> {
  world.time += HOUR;
  const [record] = await feeds.recordsOf([FEED]);
  const claim = await feeds.claim(record!);
  expect(await feeds.settleWith(claim!, { dueAt: world.time }, numbers.map(posting))).toBe(true);
}

async function kept(feeds: FeedStore): Promise<(string | undefined)[]> {
  const items = await feeds.itemsAfter(feedIdOf(FEED), 0, 100);
  return items.map((item) => item.posting.socialId);
}

it("keeps items for a time, and longer while they stand in the feed", async () => {
  const feeds = await FeedStore.open(world.store, world.now, { retention: { keepMs: 2.5 * HOUR, itemsMax: 100 } });
  await fetched(feeds, 2, 1);
  await fetched(feeds, 3, 2);
  await fetched(feeds, 4, 2);
  expect(await kept(feeds)).toEqual(["s1", "s2", "s3", "s4"]);
  await fetched(feeds, 5, 2);
  expect(await kept(feeds)).toEqual(["s2", "s3", "s4", "s5"]);
});

it("keeps so many items of a feed, and more while they stand in it", async () => {
  const feeds = await FeedStore.open(world.store, world.now, { retention: { keepMs: 1000 * HOUR, itemsMax: 2 } });
  await fetched(feeds, 3, 2, 1);
  expect(await kept(feeds)).toEqual(["s1", "s2", "s3"]);
  await fetched(feeds, 4, 1);
  expect(await kept(feeds)).toEqual(["s1", "s3", "s4"]);
});

it("stores nothing for a claim that was lost, and numbers nothing twice", async () => {
  const feeds = await FeedStore.open(world.store, world.now);
  const [record] = await feeds.recordsOf([FEED]);
  const lost = await feeds.claim(record!);
  world.time += HOUR;
  await fetched(feeds, 1);
  expect(await feeds.settleWith(lost!, { dueAt: world.time }, [posting(2)])).toBe(false);
  expect(await feeds.settle(lost!, { dueAt: world.time })).toBe(false);
  await fetched(feeds, 3, 1);
  const items = await feeds.itemsAfter(feedIdOf(FEED), 0, 100);
  expect(items.map((item) => [item.seq, item.posting.socialId])).toEqual([
    [1, "s1"],
    [2, "s3"],
  ]);
});
