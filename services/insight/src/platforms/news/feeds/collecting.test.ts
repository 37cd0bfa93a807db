import { createHttpClient } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CollectorWorld } from "../../../collector/testing/collector-world.js";
import type { InsightRecord } from "../../../store/records.js";
import { openNews } from "../sources.js";
import { FeedServer } from "../testing/feed-server.js";
import { rss, type RssItem } from "../testing/feeds.js";
import { readFeed } from "./read-feed.js";

const HOUR = 60 * 60_000;
const KESTREL = "Kestrel seen";

let world: CollectorWorld;
let server: FeedServer;

beforeEach(async () => {
  world = await CollectorWorld.open();
  server = await FeedServer.start();
  const http = createHttpClient({ allowPrivateUrls: true, connectionsMax: 0 });
  const { store, log, now } = world;
  const deps = { http, store, log, now, spend: () => Promise.resolve() };
  const config = { newsFeeds: [], collectInterval: { intervalMs: 300_000, isExplicit: false } };
  world.platforms.set("news", await openNews(deps, config, async (document) => readFeed(document)));
});
afterEach(async () => {
  await server.close();
  await world.close();
});

const item = (number: number, title = KESTREL): RssItem => ({
  guid: `https://news.example.org/${number}`,
  title,
  pubDate: new Date(world.time - HOUR + number).toUTCString(),
});

function insight(...feeds: string[]): Promise<InsightRecord> {
  const follow = { feeds, subreddits: [], pages: [], organisations: [] };
  return world.insight({}, { platforms: ["news"], follow });
}

const numbersOf = async (record: InsightRecord) =>
  (await world.stored(record)).map((id) => Number(id?.split("/").at(-1))).sort();

describe("an insight on news", () => {
  it("stores what matches by title, body or category, once, and refreshes it", async () => {
    const inBody = item(2, "A bird");
    const extra = "<content:encoded><![CDATA[<p>It was a <b>kestrel</b>.</p>]]></content:encoded>";
    const items = [item(1), { ...inBody, description: "seen", extra }, item(3, "A sparrowhawk")];
    items.push({ ...item(4, "A bird"), extra: "<category>Kestrel</category>" });
    const record = await insight(server.serve("/a", { body: rss(items) }));
    await world.worker().pollNext();
    expect(await numbersOf(record)).toEqual([1, 2, 4]);

    server.serve("/a", { body: rss([{ ...item(1), title: "Kestrel seen again" }, ...items.slice(1)]) });
    world.time += HOUR;
    await world.worker().pollNext();
    const [first] = await world.collections.postings.find({ socialId: "https://news.example.org/1" });
    expect(first?.content.text).toBe("Kestrel seen again");
    expect(await numbersOf(record)).toEqual([1, 2, 4]);
    expect(server.statusesOf("/a")).toEqual([200, 200]);
  });

  it("refreshes an item that is older than a time in which another of its feeds was unavailable", async () => {
    const [old, other] = [item(1), item(2)];
    const [a, b] = [server.serve("/a", { body: rss([old]) }), server.serve("/b", { body: rss([other]) })];
    await insight(a, b);
    await world.worker().pollNext();
    for (const answer of [{ status: 500 }, { body: rss([other]) }, { body: rss([other]) }]) {
      server.serve("/b", answer);
      world.time += 3 * HOUR;
      await world.worker().poll();
    }
    server.serve("/a", { body: rss([{ ...old, title: "Kestrel seen again" }]) });
    world.time += HOUR;
    await world.worker().poll();
    const [first] = await world.collections.postings.find({ socialId: "https://news.example.org/1" });
    expect(first?.content.text).toBe("Kestrel seen again");
  });

  it("gets after a pause what another insight's polls found meanwhile", async () => {
    const feed = server.serve("/a", { body: rss([item(1)]) });
    const [paused, other] = [await insight(feed), await insight(feed)];
    world.time += HOUR;
    await world.worker().poll();
    await world.pause(paused);
    for (const number of [2, 3]) {
      world.time += HOUR;
      server.serve("/a", { body: rss([item(number)]) });
      await world.worker().poll();
    }
    expect([await numbersOf(paused), await numbersOf(other)]).toEqual([[1], [1, 2, 3]]);
    await world.resume(paused);
    world.time += HOUR;
    await world.worker().poll();
    expect(await numbersOf(paused)).toEqual([1, 2, 3]);
  });

  it("shows that its only feed fails, and collects again once the feed is well", async () => {
    const record = await insight(server.serve("/a", { status: 404 }));
    await world.worker().pollNext();
    const failing = await world.search(record, "news");
    expect(failing).toMatchObject({ status: "failing", lastError: expect.stringContaining("404") });
    server.serve("/a", { body: rss([item(1)]) });
    for (let polls = 0; polls < 3; polls++) await world.worker().pollNext();
    expect(await numbersOf(record)).toEqual([1]);
    expect(await world.search(record, "news")).toMatchObject({ status: "waiting", lastError: null });
  });

  it("shows that its only feed is gone, and asks for it again when it is resumed", async () => {
    const record = await insight(server.serve("/a", { status: 410 }));
    await world.worker().pollNext();
    const gone = { status: "failing", lastError: expect.stringContaining("ended (410)") };
    expect(await world.search(record, "news")).toMatchObject(gone);
    server.serve("/a", { body: rss([item(1)]) });
    world.time += 2 * HOUR;
    await world.worker().poll();
    expect(await world.search(record, "news")).toMatchObject(gone);
    await world.pause(record);
    await world.resume(record);
    await world.worker().pollNext();
    expect(await numbersOf(record)).toEqual([1]);
    expect(server.statusesOf("/a")).toEqual([410, 200]);
  });
});
