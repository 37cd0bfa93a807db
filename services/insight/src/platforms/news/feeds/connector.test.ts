import { gzipSync } from "node:zlib";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Connector, type Page, PlatformError } from "../../connector.js";
import { feedOf, item, numberedItems, rss, type RssItem } from "../testing/feeds.js";
import { failureOf, HOUR, NewsWorld, Poller } from "../testing/news-world.js";
import { RETENTION } from "./store.js";

describe("the feeds of a search", () => {
  let world: NewsWorld;
  let connector: Connector;

  beforeEach(async () => {
    world = await NewsWorld.open();
    connector = await world.connector();
  });
  afterEach(() => world.close());

  describe("a search", () => {
    it("reads what is new since its own last poll, the oldest first", async () => {
      const feed = world.server.serve("/a", { body: feedOf(2, 1) });
      const poller = new Poller(world, connector, [feed]);
      expect(await poller.titles()).toEqual(["Ship 1", "Ship 2"]);
      world.server.serve("/a", { body: feedOf(4, 3, 2) });
      world.time += HOUR;
      expect(await poller.titles()).toEqual(["Ship 3", "Ship 4"]);
      world.time += HOUR;
      expect(await poller.titles()).toEqual([]);
    });

    it("looks back a week, also in a feed that dropped the items, and not further", async () => {
      const feed = world.server.serve("/a", { body: rss([item(1), item(2, { pubDate: "1 Nov 2026 10:00 GMT" })]) });
      await new Poller(world, connector, [feed]).poll();
      world.server.serve("/a", { body: feedOf(3) });
      world.time += HOUR;
      expect(await new Poller(world, connector, [feed]).titles()).toEqual(["Ship 1", "Ship 3"]);
    });

    it("misses nothing that stood in a feed between two of its polls only", async () => {
      const feed = world.server.serve("/a", { body: feedOf(1) });
      const [slow, quick] = [new Poller(world, connector, [feed]), new Poller(world, connector, [feed])];
      await slow.poll();
      for (const number of [2, 3, 4]) {
        world.server.serve("/a", { body: feedOf(number) });
        world.time += HOUR;
        await quick.poll();
      }
      expect(await slow.titles()).toEqual(["Ship 2", "Ship 3", "Ship 4"]);
    });

    it("gets a changed item again, with the time of first sight if the feed states none", async () => {
      const bare = { pubDate: "" };
      const feed = world.server.serve("/a", { body: rss([item(1, bare), item(2)]) });
      const poller = new Poller(world, connector, [feed]);
      const begun = world.time;
      await poller.poll();
      world.server.serve("/a", { body: rss([item(1, { ...bare, title: "Ship 1 sinks" }), item(2)]) });
      world.time += HOUR;
      await poller.poll();
      const [, , changed, ...others] = poller.postings;
      expect(changed).toMatchObject({ socialId: "https://news.example.org/1", text: "Ship 1 sinks", postedAt: begun });
      expect(others).toEqual([]);
    });

    it("reads many items page by page, from several feeds", async () => {
      const numbers = (first: number) => Array.from({ length: 250 }, (_, index) => first + index);
      const feeds = [
        world.server.serve("/a", { body: feedOf(...numbers(0)) }),
        world.server.serve("/b", { body: feedOf(...numbers(1000)) }),
      ];
      const poller = new Poller(world, connector, feeds);
      const pages = await poller.poll();
      expect(pages.length).toBeGreaterThan(2);
      expect(new Set(poller.postings.map(({ socialId }) => socialId)).size).toBe(500);
      expect(poller.postings).toHaveLength(500);
      expect(pages.map(({ requests }) => requests).reduce((a, b) => a + b)).toBe(2);
    });

    it("that previews gets the newest postings of all feeds at once", async () => {
      const feeds = [
        world.server.serve("/a", { body: feedOf(300, 100) }),
        world.server.serve("/b", { body: feedOf(200) }),
      ];
      const page = await connector.fetchPage(world.request(feeds, { search: world.search(feeds, true) }));
      expect(page.postings.map(({ text }) => text)).toEqual(["Ship 300", "Ship 200", "Ship 100"]);
      expect(page.nextPage).toBeNull();
    });

    it("follows the feeds of the server and its own, each once", async () => {
      const [a, b] = [world.server.serve("/a", { body: feedOf(1) }), world.server.serve("/b", { body: feedOf(2) })];
      const both = await world.connector({ newsFeeds: [a] });
      const plan = both.plan(world.search([b, a, "ftp://news.example.org/x", "file:///etc/passwd"]));
      expect(plan).toMatchObject({ queries: [a, b], narrowedLocally: true });
      expect(plan.warnings).toHaveLength(2);
      expect((await new Poller(world, both, [b, a]).titles()).sort()).toEqual(["Ship 1", "Ship 2"]);
    });

    it("without any feed is asked to name one", async () => {
      expect(connector.plan(world.search([])).warnings).toEqual([expect.stringContaining("query.follow.feeds")]);
      expect((await failureOf(connector.fetchPage(world.request([])))).kind).toBe("permanent");
    });
  });

  describe("a feed", () => {
    it("is fetched once for all searches until it is due again", async () => {
      const feed = world.server.serve("/a", { body: feedOf(1) });
      const pollers = [1, 2, 3].map(() => new Poller(world, connector, [feed]));
      for (const poller of pollers) expect(await poller.titles()).toEqual(["Ship 1"]);
      expect(world.server.statusesOf("/a")).toEqual([200]);
    });

    it("is fetched once by workers that come at the same time, and each search gets its items", async () => {
      const feed = world.server.serve("/a", { body: feedOf(1), before: () => new Promise((go) => setTimeout(go, 50)) });
      const workers = await Promise.all([1, 2, 3, 4].map(() => world.connector()));
      const titles = await Promise.all(workers.map((worker) => new Poller(world, worker, [feed]).titles()));
      expect(titles).toEqual(workers.map(() => ["Ship 1"]));
      expect(world.server.statusesOf("/a")).toEqual([200]);
    });

    it("gets its validators back exactly as they came", async () => {
      const validators = { etag: 'W/"odd \\" tag"', lastModified: "Sat, 1 Nov 26 7:00:00 +0000" };
      const feed = world.server.serve("/a", { body: feedOf(1), ...validators });
      const poller = new Poller(world, connector, [feed]);
      for (const expected of [["Ship 1"], [], []]) {
        expect(await poller.titles()).toEqual(expected);
        world.time += HOUR;
      }
      expect(world.server.statusesOf("/a")).toEqual([200, 304, 304]);
      expect(world.server.seen[2]?.headers).toMatchObject({
        "if-none-match": validators.etag,
        "if-modified-since": validators.lastModified,
      });
    });

    it("that moved for good is asked at its new address", async () => {
      const Location = "/new";
      const feed = world.server.serve("/old", { status: 301, headers: { Location } });
      world.server.serve("/new", { body: feedOf(1) });
      const poller = new Poller(world, connector, [feed]);
      expect(await poller.titles()).toEqual(["Ship 1"]);
      world.time += HOUR;
      await poller.poll();
      expect([world.server.statusesOf("/old"), world.server.statusesOf("/new")]).toEqual([[301], [200, 200]]);
    });

    it("that is packed is read", async () => {
      const feed = world.server.serve("/a", { body: feedOf(1), gzip: true });
      expect(await new Poller(world, connector, [feed]).titles()).toEqual(["Ship 1"]);
    });

    it.each([
      ["is packed and does not say so", { body: gzipSync(feedOf(1)) }],
      ["is packed twice", { body: gzipSync(feedOf(1)), gzip: true }],
      ["states a coding that is none", { body: feedOf(1), headers: { "Content-Encoding": "utf-8" } }],
    ])("that %s is read", async (_name, site) => {
      const feed = world.server.serve("/a", site);
      expect(await new Poller(world, connector, [feed]).titles()).toEqual(["Ship 1"]);
    });

    it("that unpacks to more than is read is refused", async () => {
      const feed = world.server.serve("/a", { body: gzipSync(Buffer.alloc(6 * 1024 * 1024, " ")) });
      expect((await failureOf(connector.fetchPage(world.request([feed])))).message).toContain("larger than");
    });

    it("that breaks off gives what is whole in it, and the rest once, with the next answer", async () => {
      const [document, etag] = [feedOf(3, 2, 1), '"1"'];
      const cut = document.slice(0, document.indexOf("<guid>https://news.example.org/1"));
      const feed = world.server.serve("/a", { body: cut, etag });
      const poller = new Poller(world, connector, [feed]);
      expect(await poller.titles()).toEqual(["Ship 2", "Ship 3"]);
      world.time += HOUR;
      expect(await poller.titles()).toEqual([]);
      world.server.serve("/a", { body: document, etag });
      world.time += HOUR;
      expect(await poller.titles()).toEqual(["Ship 1"]);
      expect(world.server.statusesOf("/a")).toEqual([200, 200, 200]);
    });

    it("that nobody has read for more than a week is emptied, and read whole when it is followed again", async () => {
      const feed = world.server.serve("/a", { body: feedOf(2, 1), etag: '"1"' });
      const paused = new Poller(world, connector, [feed]);
      await paused.poll();
      world.time += 8 * 24 * HOUR;
      await new Poller(world, connector, [world.server.serve("/b", { body: rss([]) })]).poll();
      const items = await world.store.collection<{ id: string }>({ name: "news_items" });
      expect(await items.count({})).toBe(0);

      world.server.serve("/a", { body: feedOf(3, 2), etag: '"1"' });
      expect(await paused.titles()).toEqual(["Ship 2", "Ship 3"]);
      expect(world.server.statusesOf("/a")).toEqual([200, 200]);
    });

    it("with too many entries is read from its beginning, and says so", async () => {
      const numbers = Array.from({ length: 1001 }, (_, index) => 2000 - index);
      const feed = world.server.serve("/a", { body: feedOf(...numbers) });
      const pages = await new Poller(world, connector, [feed]).poll();
      expect(pages.flatMap(({ postings }) => postings)).toHaveLength(1000);
      expect(pages[0]?.warnings).toEqual([expect.stringContaining("more than 1000 entries")]);
    });

    it("of the operator may be a file, of which users see the name only", async () => {
      const file = new URL("../testing/harbour.rss", import.meta.url).href;
      const local = await world.connector({ newsFeeds: [file] });
      const poller = new Poller(world, local, []);
      expect(await poller.titles()).toEqual(["Kestrel arrives"]);
      expect(poller.postings[0]?.moreInfo).toMatchObject({ feed: "file:harbour.rss" });
      expect(local.plan(world.search([])).queries).toEqual(["file:harbour.rss"]);
    });
  });

  describe("an item", () => {
    /** Ids of the postings of two polls, between which the feed changes. */
    async function idsOf(before: RssItem[], after: RssItem[]): Promise<(string | undefined)[]> {
      const feed = world.server.serve("/a", { body: rss(before) });
      const poller = new Poller(world, connector, [feed]);
      await poller.poll();
      world.server.serve("/a", { body: rss(after) });
      world.time += HOUR;
      await poller.poll();
      return [...new Set(poller.postings.map(({ socialId }) => socialId))];
    }

    it.each([
      ["https", "http://a.example/1", "https://a.example/1"],
      ["a slash at its end", "https://a.example/1", "https://a.example/1/"],
      ["capitals in its host", "https://A.example/1", "https://a.example/1"],
      ["what counts readers", "https://a.example/1?id=2", "https://a.example/1?id=2&amp;utm_source=rss&amp;fbclid=x"],
    ])("whose id gets %s stays the same posting", async (_name, guid, changed) => {
      expect(await idsOf([{ guid, title: "Ship" }], [{ guid: changed, title: "Ship sinks" }])).toEqual([guid]);
      expect(await idsOf([{ link: guid, title: "Boat" }], [{ link: changed, title: "Boat" }])).toHaveLength(1);
    });

    it("whose id counts the versions of its page stays the same posting", async () => {
      const versions = [0, 1].map((version) => ({
        guid: `https://a.example/1#${version}`,
        link: "https://a.example/1?at_medium=RSS",
        title: `Version ${version}`,
      }));
      expect(await idsOf([versions[0]!], [versions[1]!])).toEqual(["https://a.example/1#0"]);
    });

    it.each([
      ["part of a page", "https://a.example/live#1", "https://a.example/live#2"],
      ["query", "https://a.example/?p=1", "https://a.example/?p=2"],
      ["name", "urn:x:A", "urn:x:a"],
    ])("with another %s is another posting", async (_name, first, second) => {
      const items = [first, second].map((guid) => ({ guid, link: guid, title: "Ship" }));
      expect(await idsOf([items[0]!], [items[1]!])).toEqual([first, second]);
    });

    it("stays itself if the feed states both ways to write its id", async () => {
      const [plain, slash] = [
        { guid: "http://a.example/1", title: "Ship" },
        { guid: "https://a.example/1/", title: "Boat" },
      ];
      expect((await idsOf([plain, slash], [slash, plain])).sort()).toEqual([plain.guid, slash.guid]);
      expect((await idsOf([slash], [slash, plain])).sort()).toEqual([plain.guid, slash.guid]);
    });
  });

  describe("a search without a feed", () => {
    it("fails without a request, and says what to name", async () => {
      const failure = await failureOf(connector.fetchPage(world.request([])));
      expect(failure).toMatchObject({
        kind: "permanent",
        requests: 0,
        message: expect.stringContaining("follow.feeds"),
      });
    });
  });
});

describe("gaps of feeds", () => {
  let world: NewsWorld;
  let connector: Connector;

  beforeEach(async () => {
    world = await NewsWorld.open();
    connector = await world.connector();
  });
  afterEach(() => world.close());

  const BEGIN = Date.UTC(2026, 10, 22, 12);

  async function gapsOfPoll(poller: Poller): Promise<NonNullable<Page["gaps"]>> {
    return (await poller.poll()).flatMap(({ gaps = [] }) => gaps);
  }

  describe("a search", () => {
    it("warns that items are missing which are older than those of a feed's first document", async () => {
      const feed = world.server.serve("/a", { body: feedOf(2, 1) });
      const poller = new Poller(world, connector, [feed]);
      const [gap, ...others] = await gapsOfPoll(poller);
      expect(gap).toMatchObject({ to: BEGIN - HOUR + 1000, reason: "before_window" });
      expect(others).toEqual([]);
      world.server.serve("/a", { body: feedOf(3, 2) });
      world.time += HOUR;
      expect(await gapsOfPoll(poller)).toMatchObject([{ to: gap?.to, reason: "before_window" }]);
      world.server.serve("/a", { body: feedOf(9, 8) });
      world.time += HOUR;
      expect(await gapsOfPoll(poller)).toMatchObject([{ to: BEGIN - HOUR + 8000, reason: "before_window" }]);
    });

    it("warns what it missed of a feed that had more items since its last poll than are kept", async () => {
      const page = (first: number) => feedOf(...Array.from({ length: 999 }, (_, index) => first + 999 - index), 0);
      const feed = world.server.serve("/a", { body: page(0) });
      const [slow, quick] = [new Poller(world, connector, [feed]), new Poller(world, connector, [feed])];
      await slow.poll();
      for (let first = 1000; first <= RETENTION.itemsMax + 1000; first += 1000) {
        world.server.serve("/a", { body: page(first) });
        world.time += HOUR;
        expect(await gapsOfPoll(quick)).not.toContainEqual(expect.objectContaining({ reason: "page_limit" }));
      }
      const missed = (await gapsOfPoll(slow)).filter(({ reason }) => reason === "page_limit");
      expect(missed).not.toEqual([]);
      expect(await gapsOfPoll(slow)).not.toContainEqual(missed[0]);
    });

    it("warns that a document with too many entries may lack the newest, if it states the oldest first", async () => {
      const numbers = Array.from({ length: 1001 }, (_, index) => index);
      const feed = world.server.serve("/a", { body: feedOf(...numbers) });
      expect(await gapsOfPoll(new Poller(world, connector, [feed]))).toContainEqual(
        expect.objectContaining({ to: world.time, reason: "page_limit" }),
      );
      const other = world.server.serve("/b", { body: feedOf(...numbers.reverse()) });
      expect(await gapsOfPoll(new Poller(world, connector, [other]))).not.toContainEqual(
        expect.objectContaining({ reason: "page_limit" }),
      );
    });

    it("states since when a feed could not be read, although others can", async () => {
      const feeds = [world.server.serve("/a", { body: feedOf(1) }), world.server.serve("/b", { body: feedOf(2) })];
      const poller = new Poller(world, connector, feeds);
      await poller.poll();
      const readAt = world.time;
      world.server.serve("/b", { status: 500 });
      world.time += HOUR;
      expect(await gapsOfPoll(poller)).toContainEqual({ from: readAt, to: world.time, reason: "outage" });
    });
  });
});

describe("feeds of any content", () => {
  it("gives a page or a PlatformError for whatever a server answers", async () => {
    const world = await NewsWorld.open();
    onTestFinished(() => world.close());
    const connector = await world.connector();
    const body = rss(numberedItems(2, world.time));
    const header = fc.string({ unit: fc.constantFrom(...'aZ09 "=;,:-/%'.split("")) }).map((value) => value.trim());
    const names = fc.constantFrom(
      "ETag",
      "Last-Modified",
      "Cache-Control",
      "Age",
      "Retry-After",
      "Content-Type",
      "Location",
    );
    const site = fc.record({
      status: fc.oneof(fc.constant(200), fc.integer({ min: 200, max: 599 })),
      body: fc.oneof(
        fc.constant(body),
        fc.nat(body.length).map((end) => body.slice(0, end)),
        fc.string(),
        fc.uint8Array(),
      ),
      headers: fc.dictionary(names, header),
      gzip: fc.boolean(),
    });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(site, { minLength: 1, maxLength: 3 }), async (sites) => {
        const feeds = sites.map((given) => world.server.serve(`/${number++}`, given));
        const outcome: unknown = await connector.fetchPage(world.request(feeds)).catch((error: unknown) => error);
        if (outcome instanceof PlatformError) expect(outcome.message).toMatch(/feed/i);
        else expect(outcome).toMatchObject({ requests: feeds.length, nextPage: null });
      }),
      { numRuns: repeats(60) },
    );
  });
});
