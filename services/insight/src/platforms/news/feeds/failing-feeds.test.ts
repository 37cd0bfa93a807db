import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connector } from "../../connector.js";
import { feedOf, item, rss } from "../testing/feeds.js";
import { failureOf, HOUR, MINUTE, NewsWorld, Poller } from "../testing/news-world.js";

let world: NewsWorld;
let connector: Connector;

beforeEach(async () => {
  world = await NewsWorld.open();
  connector = await world.connector();
});
afterEach(() => world.close());

describe("a feed that fails", () => {
  it.each([
    ["is a web page", { body: "<!doctype html><html></html>" }, /web page/],
    ["is forbidden", { status: 403 }, /refuses/],
    ["does not exist", { status: 404 }, /no such feed/],
    ["has ended", { status: 410 }, /ended/],
    ["is broken", { body: "<rss><channel><item><a><b>" }, /broken/],
    ["has no end", { endless: true }, /larger than/],
    ["fails on its server", { status: 500 }, /retried/],
    ["redirects in a circle", { status: 302, headers: { Location: "/bad" } }, /redirects more than 5 times/],
  ])("because it %s is shown, and the others are read", async (_name, site, sentence) => {
    const feeds = [world.server.serve("/bad", site), world.server.serve("/good", { body: feedOf(1) })];
    const poller = new Poller(world, connector, feeds);
    const [page] = await poller.poll();
    expect(page?.postings).toHaveLength(1);
    expect(page?.warnings).toEqual([expect.stringMatching(sentence)]);
  });

  it("fails a search that follows no other, and says when it is asked again", async () => {
    const feed = world.server.serve("/a", { status: 404 });
    const failure = await failureOf(connector.fetchPage(world.request([feed])));
    expect(failure).toMatchObject({ kind: "temporary", retryAt: world.time + 10 * MINUTE });
    expect(failure.message).toContain(feed);
  });

  it("is asked less and less often, down to once a day", async () => {
    const feed = world.server.serve("/a", { status: 403 });
    for (let hour = 0; hour < 24 * 10; hour++) {
      await failureOf(connector.fetchPage(world.request([feed])));
      world.time += HOUR;
    }
    expect(world.server.statusesOf("/a").length).toBeLessThan(18);
    expect(world.server.statusesOf("/a").length).toBeGreaterThan(10);
  });

  it("is asked once a week after 410, and read again if it comes back", async () => {
    const feed = world.server.serve("/a", { status: 410 });
    for (let day = 0; day < 20; day++) {
      const failure = await failureOf(connector.fetchPage(world.request([feed])));
      expect(failure).toMatchObject({
        kind: "permanent",
        message: expect.stringMatching(/ended \(410\).*once a week/),
      });
      world.time += 24 * HOUR;
    }
    expect(world.server.statusesOf("/a")).toEqual([410, 410, 410]);
    world.server.serve("/a", { body: rss([item(1, { pubDate: "" })]) });
    world.time += 24 * HOUR;
    const [page] = await new Poller(world, connector, [feed]).poll();
    expect(page).toMatchObject({ warnings: [], postings: [{ text: "Ship 1" }] });
  });

  it("for good is asked again for a search that begins later, hourly at most", async () => {
    const feed = world.server.serve("/a", { status: 410 });
    await failureOf(connector.fetchPage(world.request([feed])));
    const begin = () => failureOf(connector.fetchPage(world.request([feed], { startedAt: world.time })));
    for (let minute = 0; minute < 120; minute += 30) {
      world.time += 30 * MINUTE;
      await begin();
    }
    expect(world.server.statusesOf("/a")).toEqual([410, 410, 410]);
  });

  it.each([
    ["was forbidden", { status: 403 }],
    ["was a web page", { body: "<!doctype html><html></html>" }],
  ])("because it %s is read at once by a search that begins when it is repaired", async (_name, site) => {
    const feed = world.server.serve("/a", site);
    for (let hour = 0; hour < 24 * 5; hour++) {
      await failureOf(connector.fetchPage(world.request([feed])));
      world.time += HOUR;
    }
    world.server.serve("/a", { body: feedOf(1) });
    const page = await connector.fetchPage(world.request([feed], { startedAt: world.time }));
    expect(page).toMatchObject({ warnings: [], postings: [{ text: "Ship 1" }] });
  });

  it("is read again once it is well, without a warning", async () => {
    const feed = world.server.serve("/a", { status: 404 });
    await failureOf(connector.fetchPage(world.request([feed])));
    world.server.serve("/a", { body: feedOf(1) });
    world.time += HOUR;
    const [page] = await new Poller(world, connector, [feed]).poll();
    expect(page).toMatchObject({ warnings: [], postings: [{ text: "Ship 1" }] });
  });

  it("at its new address is asked at the one that was named", async () => {
    const feed = world.server.serve("/old", { status: 301, headers: { Location: "/new" } });
    world.server.serve("/new", { body: feedOf(1) });
    const poller = new Poller(world, connector, [feed]);
    await poller.poll();
    world.server.sites.delete("/new");
    world.time += HOUR;
    await failureOf(poller.poll());
    world.server.serve("/old", { body: feedOf(2, 1) });
    world.time += HOUR;
    expect(await poller.titles()).toEqual(["Ship 2"]);
  });

  it("still gives out the items that are stored", async () => {
    const feed = world.server.serve("/a", { body: feedOf(1) });
    await new Poller(world, connector, [feed]).poll();
    world.server.serve("/a", { status: 500 });
    world.time += HOUR;
    expect(await new Poller(world, connector, [feed]).titles()).toEqual(["Ship 1"]);
  });

  it.each([
    ["seconds", () => "7200"],
    ["a date", () => new Date(world.time + 2 * HOUR).toUTCString()],
  ])("with a Retry-After in %s is not asked before, whatever interval the operator set", async (_name, retryAfter) => {
    const eager = await world.connector({ collectInterval: { intervalMs: 1000, isExplicit: true } });
    const feed = world.server.serve("/a", { status: 429, headers: { "Retry-After": retryAfter() } });
    const failure = await failureOf(eager.fetchPage(world.request([feed])));
    expect(failure).toMatchObject({ kind: "rate", retryAt: world.time + 2 * HOUR });
    world.time += 2 * HOUR - 1;
    await failureOf(eager.fetchPage(world.request([feed])));
    expect(world.server.statusesOf("/a")).toEqual([429]);
  });

  it("at a private address is refused without a request", async () => {
    const careful = await world.connector({}, { allowPrivateUrls: false });
    const feed = world.server.serve("/a", { body: feedOf(1) });
    expect((await failureOf(careful.fetchPage(world.request([feed])))).message).toMatch(/public/);
    expect(world.server.seen).toEqual([]);
  });

  it("leaves the feed to others if the poll is cancelled", async () => {
    const stop = new AbortController();
    const feed = world.server.serve("/a", { body: feedOf(1), before: async () => stop.abort(new Error("paused")) });
    await expect(connector.fetchPage(world.request([feed], { signal: stop.signal }))).rejects.toThrow("paused");
    world.server.serve("/a", { body: feedOf(1) });
    expect(await new Poller(world, connector, [feed]).titles()).toEqual(["Ship 1"]);
  });
});
