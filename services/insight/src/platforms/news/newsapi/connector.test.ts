import { articleIdOf, NewsapiUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connector, Page, PageRequest } from "../../connector.js";
import { ConnectorWorld } from "../../testing/connector-world.js";
import { NEWS } from "../index.js";

const KEY = "0123456789abcdef-secret";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let tested: ConnectorWorld<NewsapiUpstream>;
let requestsPerDay = 1_000_000;
const open = async () => {
  tested = await ConnectorWorld.open({
    module: NEWS,
    start: (now) => NewsapiUpstream.start({ key: KEY, now }),
    env: ({ origin }) => ({
      NEWS_FEEDS: "none",
      NEWSAPI_KEY: KEY,
      NEWSAPI_BASE_URL: origin,
      NEWSAPI_REQUESTS_PER_DAY: String(requestsPerDay),
    }),
  });
};
beforeEach(open);
afterEach(async () => {
  requestsPerDay = 1_000_000;
  await tested.close();
});

/** The pages of one poll. */
async function poll(connector: Connector, values: Partial<PageRequest> = {}): Promise<Page[]> {
  const pages: Page[] = [];
  let page = await connector.fetchPage(tested.request(values));
  for (pages.push(page); page.nextPage !== null; pages.push(page)) {
    page = await connector.fetchPage(tested.request({ ...values, pageToken: page.nextPage }));
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ postings }) => postings.map(({ socialId }) => socialId));

describe("a poll of NewsAPI", () => {
  it("reads what the plan gives, and states the rest as a gap with what to do", async () => {
    tested.upstream.plan.resultsMax = 100;
    tested.post(150);
    const pages = await poll(await tested.connector());
    expect(idsOf(pages)).toHaveLength(100);
    const { gaps = [], warnings = [] } = pages.at(-1)!;
    expect(gaps).toMatchObject([{ from: tested.world.time - DAY, reason: "page_limit" }]);
    expect(warnings.join(" ")).toMatch(/newest 100 articles.*Narrow the keywords/);
  });

  it("reads to the end, however few articles it is given at a time, and asks for no page after it", async () => {
    tested.upstream.plan.pageMax = 20;
    tested.post(50);
    const pages = await poll(await tested.connector());
    expect(idsOf(pages)).toHaveLength(50);
    expect(pages).toHaveLength(3);
  });

  it("asks no second time for what the plan does not give", async () => {
    tested.upstream.plan.resultsMax = 100;
    tested.post(150);
    const connector = await tested.connector();
    await poll(connector);
    const before = tested.upstream.seen.length;
    await poll(connector);
    expect(tested.upstream.seen.length).toBe(before + 1);
  });

  it("begins an hour before the newest article, because some are found late", async () => {
    const connector = await tested.connector();
    tested.upstream.post({ at: tested.world.time - 5 * MINUTE });
    const [first] = await poll(connector);
    const late = tested.upstream.post({ at: tested.world.time - 40 * MINUTE });
    tested.world.time += 20 * MINUTE;
    expect(idsOf(await poll(connector, { cursor: first!.cursor }))).toContain(late);
  });

  it("continues where it stood after articles that a plan delays by a day", async () => {
    tested.upstream.plan.delayMs = DAY;
    const connector = await tested.connector();
    const since = tested.world.time - 3 * DAY;
    const early = tested.upstream.post({ at: tested.world.time - 25 * 60 * MINUTE });
    const delayed = tested.upstream.post({ at: tested.world.time - 60 * MINUTE });
    const first = await poll(connector, { since });
    expect(idsOf(first)).toEqual([early]);
    tested.world.time += DAY;
    const cursor = first.at(-1)!.cursor;
    expect(idsOf(await poll(connector, { since: tested.world.time - DAY, cursor }))).toContain(delayed);
  });

  it("states what is older than NewsAPI reaches", async () => {
    const since = tested.world.time - 40 * DAY;
    const [page] = await poll(await tested.connector(), { since });
    expect(page!.gaps).toEqual([{ from: since, to: tested.world.time - 28 * DAY, reason: "before_window" }]);
  });

  it("leaves out articles that were taken down, and counts no bad items for them", async () => {
    const [gone, kept] = tested.post(2);
    tested.upstream.remove(gone!);
    const [page] = await poll(await tested.connector());
    expect([idsOf([page!]), page!.skipped]).toEqual([[kept], 0]);
  });

  it("shows an edited article as the same posting", async () => {
    const id = tested.upstream.post({ at: tested.world.time - MINUTE, url: "https://a.example/kestrel" });
    tested.upstream.edit(id, { title: "Kestrel, corrected" });
    const [page] = await poll(await tested.connector());
    expect(page!.postings).toMatchObject([{ socialId: articleIdOf("https://a.example/kestrel") }]);
    expect(page!.postings[0]?.text).toMatch(/^Kestrel, corrected/);
  });

  it("sends the key in a header, and in no URL", async () => {
    await poll(await tested.connector());
    const [request] = tested.upstream.seen;
    expect(request?.headers["x-api-key"]).toBe(KEY);
    expect([...request!.query.values()].join(" ")).not.toContain(KEY);
  });

  it("of keywords that NewsAPI cannot be asked says so, and asks nothing", async () => {
    const search = { ...tested.request().search, query: { terms: [] } };
    const connector = await tested.connector();
    await expect(connector.fetchPage(tested.request({ search }))).rejects.toMatchObject({
      kind: "permanent",
      message: expect.stringMatching(/any of these keywords/) as string,
    });
    expect(tested.upstream.seen).toHaveLength(0);
  });
});

describe("a key of NewsAPI", () => {
  it("that is rejected is not sent again for a while, by any search", async () => {
    const connector = await tested.connector();
    tested.upstream.failNext({ kind: "status", status: 401, body: { status: "error", code: "apiKeyInvalid" } });
    const refused = { message: expect.stringMatching(/renew NEWSAPI_KEY/) as string };
    await expect(connector.fetchPage(tested.request())).rejects.toMatchObject(refused);
    await expect(connector.fetchPage(tested.request())).rejects.toMatchObject(refused);
    expect(tested.upstream.seen).toHaveLength(1);
    tested.world.time += 15 * MINUTE;
    await connector.fetchPage(tested.request());
  });

  it("is checked by a question for one article", async () => {
    await (await tested.connector()).check?.(tested.request());
    expect(tested.upstream.seen.map(({ query }) => query.get("pageSize"))).toEqual(["1"]);
  });

  it("is not asked beyond its budget of a day, which all searches share", async () => {
    await tested.close();
    requestsPerDay = 4;
    await open();
    const connector = await tested.connector();
    const asked: unknown[] = [];
    for (let search = 0; search < 6; search += 1) {
      asked.push(await connector.fetchPage(tested.request()).catch((error: unknown) => error));
    }
    expect(tested.upstream.seen.length).toBeLessThanOrEqual(4);
    expect(asked.at(-1)).toMatchObject({
      kind: "budget",
      message: expect.stringMatching(/NEWSAPI_REQUESTS_PER_DAY/) as string,
    });
  });
});
