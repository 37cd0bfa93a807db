import { snowflakeOf, twitterProblem, TwitterUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import type { Place } from "../places.js";
import type { PlatformSearch } from "../connector.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { TWITTER } from "./index.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let opened: ConnectorWorld<TwitterUpstream>;
let naming: "tweet" | "post" = "tweet";
let postsPerMonth = 3_000_000;

async function open(): Promise<ConnectorWorld<TwitterUpstream>> {
  opened = await ConnectorWorld.open({
    module: TWITTER,
    start: (now) => TwitterUpstream.start({ token: "secret", now }),
    env: ({ origin }) => ({
      TWITTER_BEARER_TOKEN: "secret",
      TWITTER_BASE_URL: origin,
      TWITTER_POSTS_PER_MONTH: String(postsPerMonth),
      TWITTER_FIELD_NAMES: naming,
    }),
  });
  return opened;
}

beforeEach(async () => {
  [naming, postsPerMonth] = ["tweet", 3_000_000];
  await open();
});
afterEach(() => opened.close());

const search = (keywords: string, values: Partial<PlatformSearch> = {}): PlatformSearch => ({
  ...opened.request().search,
  query: parseQuery(keywords),
  ...values,
});
const leeds: Place = {
  kind: "city",
  label: "Leeds, England, GB",
  name: "Leeds",
  countryCode: "GB",
  latitude: 53.796,
  longitude: -1.548,
  population: 455_123,
};
const britain = { country: "United Kingdom", countryCode: "GB" };
const asked = () => opened.upstream.seen.map(({ query }) => Object.fromEntries(query));

describe("a search of X", () => {
  it("names itself and its token in headers, and the fields of a posting", async () => {
    await (await opened.connector()).fetchPage(opened.request());
    const [request] = opened.upstream.seen;
    expect(request?.headers).toMatchObject({ authorization: "Bearer secret", "accept-encoding": "gzip, br" });
    expect(asked()).toMatchObject([{ query: "kestrel -is:retweet", max_results: "100", sort_order: "recency" }]);
  });

  it("asks for what is newer than the newest post of the last poll", async () => {
    const insight = await opened.insight();
    const ids = opened.post(3);
    await opened.pollToEnd(insight);
    await opened.pollToEnd(insight);
    expect(asked()[0]).toHaveProperty("start_time");
    expect(asked()[1]).toMatchObject({ since_id: ids.at(-1) });
    expect(opened.upstream.postsRead).toBe(3);
  });

  it("continues at the beginning of X's window after a pause of weeks, and shows the gap", async () => {
    const since = opened.world.time - 10 * DAY;
    const query = "kestrel -is:retweet";
    const cursor = { newest: { [query]: snowflakeOf(since) } };
    const page = await (await opened.connector()).fetchPage(opened.request({ cursor, since }));
    expect(asked()[0]).not.toHaveProperty("since_id");
    expect(page.gaps).toMatchObject([{ from: since, reason: "before_window" }]);
  });

  it("asks one query after the other if one cannot say all, each from its own newest post", async () => {
    const word = "東京地震速報東京地震速報東京地震速報";
    const keywords = Array.from({ length: 10 }, (_, i) => `${word}${i}`).join(", ");
    const insight = await opened.insight({ keywords });
    opened.upstream.post({ text: `${word}0`, at: opened.world.time - HOUR });
    const newest = opened.upstream.post({ text: `${word}9`, at: opened.world.time - MINUTE });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(2);
    await opened.pollToEnd(insight);
    const second = asked().slice(asked().length / 2);
    expect(new Set(second.map(({ since_id }) => since_id)).size).toBeGreaterThan(1);
    expect(second.at(-1)).toMatchObject({ since_id: newest });
  });

  it("reads the names that X begins to use", async () => {
    await opened.close();
    naming = "post";
    const world = await open();
    world.upstream.naming = "post";
    world.upstream.post({ likes: 40, at: world.world.time - MINUTE });
    const { postings } = await (await world.connector()).fetchPage(world.request());
    expect(postings).toMatchObject([{ counts: { like_count: 40, share_count: 10 } }]);
    expect(asked()[0]?.["post.fields"]).toContain("referenced_posts");
  });

  it("stores an edited post under its new id", async () => {
    const insight = await opened.insight();
    const [id = ""] = opened.post(1);
    await opened.pollToEnd(insight);
    const edited = opened.upstream.edit(id, "The kestrel, corrected");
    await opened.pollToEnd(insight);
    const [posting] = await opened.world.collections.postings.find({ socialId: edited });
    expect(posting?.content.moreInfo).toMatchObject({ edit_history: [id, edited] });
  });

  it("marks what a fake invented", async () => {
    opened.post(1);
    const { postings } = await (await opened.connector()).fetchPage(opened.request());
    expect(postings[0]?.moreInfo).toMatchObject({ demo: true });
  });

  it("waits for the next window when its requests are used up", async () => {
    opened.upstream.window.limit = 1;
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect(page.notBefore).toBe(opened.world.time + 15 * MINUTE);
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    const { status, dueAt } = await opened.search(insight);
    expect(status).toBe("failing");
    expect(dueAt).toBeGreaterThanOrEqual(page.notBefore ?? 0);
  });

  it("reads the reset of a window by X's clock, which may be ahead", async () => {
    opened.upstream.clockAheadMs = 10 * MINUTE;
    opened.upstream.window.limit = 1;
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect(page.notBefore).toBe(opened.world.time + 15 * MINUTE);
  });

  it.each([
    [twitterProblem(402, "Your account has no credits."), /no credits/],
    [twitterProblem(429, "Usage cap exceeded: Monthly product cap", "usage-capped"), /Monthly product cap/],
  ])("without credit says where to get some, and asks once a day", async (reply, sentence) => {
    opened.upstream.failNext({ kind: "status", ...reply, status: reply.status ?? 0 });
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    const { status, lastError, dueAt } = await opened.search(insight);
    expect([status, lastError]).toEqual(["budget_spent", expect.stringMatching(sentence)]);
    expect(dueAt).toBeGreaterThanOrEqual(opened.world.time + DAY);
  });

  it("tells what it would ask, and what it leaves out", async () => {
    const plan = (await opened.connector()).plan(search("kestrel, kes*", { places: { known: [leeds], unknown: [] } }));
    expect(plan).toMatchObject({
      queries: ["kestrel point_radius:[-1.548 53.796 40km] -is:retweet"],
      cost: expect.stringContaining("3000000") as string,
    });
    expect(plan.warnings).toEqual([expect.stringContaining("kes*"), expect.stringContaining("carry a place")]);
  });

  it("with a location finds posts from its places only, and says in its state what is not known", async () => {
    const insight = await opened.insight({ location: "Leeds, UK; London; Xyzzy" });
    const at = opened.world.time - MINUTE;
    const from = (longitude: number, latitude: number, fullName: string) =>
      opened.upstream.post({ at, place: { ...britain, id: fullName, fullName, longitude, latitude } });
    const found = [from(-1.55, 53.8, "Leeds, England"), from(0.2, 51.9, "London, England")];
    from(-2.2, 53.5, "Manchester, England");
    opened.upstream.post({ at });
    const { warnings } = await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual(found.sort());
    expect(warnings).toEqual([
      expect.stringContaining("only posts that carry a place"),
      "The location Xyzzy is not known.",
    ]);
  });

  it("with a location of which no place is known asks nothing", async () => {
    const insight = await opened.insight({ location: "Springfield" });
    await opened.world.worker().pollNext();
    expect(await opened.search(insight)).toMatchObject({
      status: "failing",
      lastError: expect.stringContaining("Springfield, Missouri, US") as string,
    });
    expect(opened.upstream.seen).toEqual([]);
  });

  it("that X cannot be asked fails without a request", async () => {
    const asking = (await opened.connector()).fetchPage(opened.request({ search: search("kes*") }));
    await expect(asking).rejects.toMatchObject({ kind: "permanent", requests: 0 });
    expect(opened.upstream.seen).toEqual([]);
  });
});

describe("the budget of posts", () => {
  it("is spent by what was read only", async () => {
    opened.post(3);
    await (await opened.connector()).fetchPage(opened.request());
    const { store, time } = opened.world;
    const month = new Date(time).toISOString().slice(0, 7);
    const budget = { name: "twitter.posts", window: month, limit: 3_000_000 };
    const connector = await opened.connector();
    for (let page = 0; page < 20; page += 1) await connector.fetchPage(opened.request());
    // Each process keeps what its last page did not need for its next requests.
    expect(await store.spend(budget, 0)).toBe(opened.upstream.postsRead + 2 * 97);
  });

  it("that is spread over the month lets the search wait, and a preview go first", async () => {
    await opened.close();
    postsPerMonth = 500;
    const world = await open();
    world.world.time = Date.UTC(2026, 10, 1, 1);
    const insight = await world.insight();
    world.post(40);
    await world.world.worker().pollNext();
    const search = await world.search(insight);
    expect(search).toMatchObject({
      status: "budget_spent",
      lastError: expect.stringContaining("TWITTER_POSTS_PER_MONTH") as string,
    });
    expect(search.dueAt).toBeGreaterThan(world.world.time + 6 * HOUR);
    const preview = await world.insight({ sneakPeek: true });
    await world.world.worker().poll();
    expect(await world.stored(preview)).toHaveLength(10);
  });
});

it("without a token says which setting is missing", async () => {
  const { store, log, now } = opened.world;
  const deps = { store, log, now, http: { request: fail, close: fail }, spend: fail };
  const collectInterval = { intervalMs: 1, isExplicit: false };
  const readiness = await TWITTER.open({ ...deps, collectInterval }, { TWITTER_BASE_URL: "https://api.x.com" });
  expect(readiness).toMatchObject({ missing: expect.stringContaining("TWITTER_BEARER_TOKEN") as string });
});

function fail(): never {
  throw new Error("nothing is asked");
}
