import { connect as connectTo, isIP } from "node:net";
import type { HttpClientOptions } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Page, PlatformSearch } from "../../connector.js";
import { rss } from "../testing/feeds.js";
import { HOUR, NewsWorld } from "../testing/news-world.js";

/** Names of a public address stand for the server of the test; every other address is a canary. */
const PUBLIC = "93.184.216.34";
const ADDRESSES: Readonly<Record<string, string>> = {
  "feeds.example": PUBLIC,
  "other.example": PUBLIC,
  "inside.example": "10.0.0.7",
};
const PRIVATE = [
  "http://127.0.0.1/secret",
  "http://[::1]/secret",
  "http://169.254.169.254/latest/meta-data/",
  "http://inside.example/secret",
  "http://localhost/secret",
];

let world: NewsWorld;
let dialed: string[];

beforeEach(async () => {
  world = await NewsWorld.open();
  dialed = [];
});
afterEach(() => world.close());

/** The client of the product with its check of addresses, on an internet of these names. */
const internet: HttpClientOptions = {
  allowPrivateUrls: false,
  resolve: async (host) => {
    const address = ADDRESSES[host] ?? "127.0.0.1";
    return [{ address, family: isIP(address) }];
  },
  connect: ({ hostname }) => {
    const address = ADDRESSES[hostname ?? ""] ?? hostname ?? "";
    dialed.push(address);
    return connectTo(Number(new URL(world.server.url("/")).port), "127.0.0.1");
  },
};

const search = (preview: boolean, ...feeds: string[]): PlatformSearch => world.search(feeds, preview);

/** Polls a feed that the server or the search names, beside one that is well; returns what the owner is shown. */
async function poll(feed: string, by: "operator" | "user"): Promise<Page> {
  const well = "http://other.example/well";
  world.server.serve("/well", { body: rss([{ guid: "w", title: "Ship 1" }]) });
  const connector = await world.connector({ newsFeeds: by === "operator" ? [feed, well] : [well] }, internet);
  const feeds = by === "user" ? [feed] : [];
  return connector.fetchPage(world.request(feeds, { search: search(false, ...feeds) }));
}

describe.each(["operator", "user"] as const)("a feed that the %s names", (by) => {
  it.each(PRIVATE)("is not fetched from %s", async (target) => {
    const page = await poll(target, by);
    expect(page.warnings).toEqual([expect.stringMatching(/no address on the public internet/)]);
    expect(page.postings).toHaveLength(1);
    expect(dialed.filter((address) => address !== PUBLIC)).toEqual([]);
  });

  it.each(PRIVATE.flatMap((target) => [1, 2, 5].map((hop) => [hop, target] as const)))(
    "is not followed by redirect %d to %s",
    async (hops, target) => {
      for (let hop = 1; hop <= hops; hop++) {
        const Location = hop === hops ? target : `http://${hop % 2 === 0 ? "feeds" : "other"}.example/${hop + 1}`;
        world.server.serve(`/${hop}`, { status: hop % 2 === 0 ? 302 : 301, headers: { Location } });
      }
      const page = await poll("http://feeds.example/1", by);
      expect(page.warnings).toEqual([expect.stringMatching(/A redirect of feeds\.example has no address/)]);
      expect(dialed.filter((address) => address !== PUBLIC)).toEqual([]);
      expect(world.server.seen.map(({ path }) => path)).not.toContain("/secret");
    },
  );
});

describe("a feed that moved for good", () => {
  it("is refused at its stored address once that is a private one", async () => {
    const names: Record<string, string> = { ...ADDRESSES };
    const resolve: HttpClientOptions["resolve"] = async (host) => [{ address: names[host]!, family: 4 }];
    const connector = await world.connector({}, { ...internet, resolve });
    world.server.serve("/old", { status: 301, headers: { Location: "http://other.example/new" } });
    world.server.serve("/new", { body: rss([{ guid: "1", title: "Ship 1" }]) });
    const feeds = ["http://feeds.example/old"];
    await connector.fetchPage(world.request(feeds));
    names["other.example"] = "10.0.0.7";
    const before = dialed.length;
    world.time += HOUR;
    const page = await connector.fetchPage(world.request(feeds));
    expect(page.warnings).toEqual([expect.stringMatching(/no address on the public internet/)]);
    expect(dialed.slice(before)).toEqual([]);
  });
});
