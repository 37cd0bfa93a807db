import { TiktokUpstream, tiktokProblem } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import type { PlatformSearch } from "../connector.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { TIKTOK } from "./index.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SEARCH = "/v2/research/video/query/";

let opened: ConnectorWorld<TiktokUpstream>;
let requestsPerDay = 1000;

async function open(): Promise<ConnectorWorld<TiktokUpstream>> {
  opened = await ConnectorWorld.open({
    module: TIKTOK,
    start: (now) => TiktokUpstream.start({ key: "client", secret: "secret", now }),
    env: ({ origin }) => ({
      TIKTOK_CLIENT_KEY: "client",
      TIKTOK_CLIENT_SECRET: "secret",
      TIKTOK_BASE_URL: origin,
      TIKTOK_REQUESTS_PER_DAY: String(requestsPerDay),
    }),
  });
  return opened;
}

beforeEach(async () => {
  requestsPerDay = 1000;
  await open();
});
afterEach(() => opened.close());

const search = (keywords: string, values: Partial<PlatformSearch> = {}): PlatformSearch => ({
  ...opened.request().search,
  query: parseQuery(keywords),
  ...values,
});
const searches = () => opened.upstream.seen.filter(({ path }) => path === SEARCH);
const asked = () => searches().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const grants = () => opened.upstream.seen.length - searches().length;

describe("a search of TikTok", () => {
  it("asks for the days since it was created, with a token of the client", async () => {
    await (await opened.connector()).fetchPage(opened.request({ since: opened.world.time - 7 * DAY }));
    expect(searches()[0]?.headers).toMatchObject({ authorization: "Bearer clt.demo1" });
    expect(asked()).toEqual([
      {
        query: { and: [{ operation: "IN", field_name: "keyword", field_values: ["kestrel"] }] },
        start_date: "20261115",
        end_date: "20261122",
        max_count: 100,
        cursor: 0,
        is_random: false,
      },
    ]);
  });

  it("keeps every digit of an id", async () => {
    const id = opened.upstream.post({ id: "7398765432101234567", at: opened.world.time - MINUTE });
    const { postings } = await (await opened.connector()).fetchPage(opened.request());
    expect(postings).toMatchObject([{ socialId: id, moreInfo: { music_id: "7398765432101234566", demo: true } }]);
  });

  it("finds later what TikTok could search two days late, and updates counts", async () => {
    const insight = await opened.insight();
    const id = opened.upstream.post({ at: opened.world.time - MINUTE, likes: 10 });
    await opened.pollToEnd(insight);
    opened.world.time += DAY;
    opened.upstream.timeline.edit(id, (video) => ({ ...video, likes: 40 }));
    const late = opened.upstream.post({ at: opened.world.time - 2 * DAY });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([id, late].sort());
    const [posting] = await opened.world.collections.postings.find({ socialId: id });
    expect(posting?.content.counts).toMatchObject({ like_count: 40 });
  });

  it("never asks for more days than TikTok allows", async () => {
    const { lookBackMs } = await opened.connector();
    const request = opened.request({ cursor: { until: "20261001" }, since: opened.world.time - lookBackMs });
    await expect((await opened.connector()).fetchPage(request)).resolves.toMatchObject({ postings: [] });
  });

  it("asks one query after the other if one cannot say all", async () => {
    const insight = await opened.insight({ keywords: "kestrel phone, peregrine tablet" });
    const at = opened.world.time - MINUTE;
    const ids = ["The kestrel phone", "The peregrine tablet"].map((text) => opened.upstream.post({ text, at }));
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([...ids].sort());
  });

  it("stores what is spoken if the insight asks for it", async () => {
    opened.upstream.post({ at: opened.world.time - MINUTE, speech: "spoken words" });
    const request = opened.request({ search: search("kestrel", { audial: true }) });
    const { postings } = await (await opened.connector()).fetchPage(request);
    expect(postings[0]?.text).toContain("\n\nspoken words");
  });

  it("continues after TikTok forgot the search of its pages", async () => {
    const insight = await opened.insight();
    const ids = opened.post(150);
    opened.upstream.failNext({ kind: "changed", change: forgetting });
    await opened.world.worker().pollNext();
    expect(await opened.search(insight)).toMatchObject({
      status: "failing",
      lastError: expect.stringContaining("does not know the search") as string,
    });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([...ids].sort());
  });

  it("that TikTok cannot be asked fails without a request", async () => {
    const asking = (await opened.connector()).fetchPage(opened.request({ search: search("@kestrel_eg") }));
    await expect(asking).rejects.toMatchObject({ kind: "permanent", requests: 0 });
    expect(opened.upstream.seen).toEqual([]);
  });

  it("tells what it would ask, and what it leaves out", async () => {
    const plan = (await opened.connector()).plan(search("kestrel, kes*"));
    expect(plan.queries).toEqual([expect.stringContaining('"keyword"')]);
    expect(plan.warnings).toEqual([expect.stringContaining("kes*")]);
    expect(plan.cost).toContain("1000 a day");
  });

  it("with a location says in its state that it has no effect", async () => {
    const { warnings } = await opened.pollToEnd(await opened.insight({ location: "Leeds" }));
    expect(warnings).toEqual([expect.stringContaining("location has no effect")]);
  });
});

describe("the token of the client", () => {
  it("serves all requests for two hours", async () => {
    const connector = await opened.connector();
    await connector.fetchPage(opened.request());
    opened.world.time += HOUR;
    await connector.fetchPage(opened.request());
    expect(grants()).toBe(1);
    opened.world.time += HOUR;
    await connector.fetchPage(opened.request());
    expect(grants()).toBe(2);
  });

  it("is renewed once if TikTok rejects it", async () => {
    const connector = await opened.connector();
    await connector.fetchPage(opened.request());
    opened.upstream.revokeToken();
    expect(await connector.fetchPage(opened.request())).toMatchObject({ requests: 2 });
    expect(grants()).toBe(2);
  });

  it.each([
    ["a client that is not known", () => (opened.upstream.isClientKnown = false), /rejects the credentials.*incorrect/],
    [
      "a client that is not approved",
      () => (opened.upstream.isApproved = false),
      /not approved.*research\.data\.basic/,
    ],
  ])("of %s stops the platform, and says what to do", async (_name, forbid, sentence) => {
    forbid();
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    const { status, lastError } = await opened.search(insight);
    expect([status, lastError]).toEqual(["auth_failed", expect.stringMatching(sentence)]);
    expect(grants()).toBe(1);
  });
});

describe("what TikTok counts", () => {
  it("is spread over the day, and previews go first", async () => {
    await opened.close();
    requestsPerDay = 4;
    const world = await open();
    world.world.time = Date.UTC(2026, 10, 22, 1);
    const insight = await world.insight();
    world.post(250);
    await world.world.worker().pollNext();
    const { status, lastError, dueAt } = await world.search(insight);
    expect([status, lastError]).toEqual(["budget_spent", expect.stringContaining("TIKTOK_REQUESTS_PER_DAY")]);
    expect(dueAt).toBeGreaterThan(world.world.time + HOUR);
    const preview = await world.insight({ sneakPeek: true });
    await world.world.worker().poll();
    expect(await world.stored(preview)).toHaveLength(25);
  });

  it("as spent lets the search wait for the next day of UTC", async () => {
    opened.upstream.quota.limit = 0;
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    const { status, dueAt } = await opened.search(insight);
    expect(status).toBe("budget_spent");
    expect(dueAt).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 23));
  });

  it("in an answer with status 200 is a failure too", async () => {
    opened.upstream.failNext({ kind: "status", status: 200, body: tiktokProblem("internal_error").body });
    const asking = (await opened.connector()).fetchPage(opened.request());
    await expect(asking).rejects.toMatchObject({ kind: "temporary" });
  });
});

it("without a client says which settings are missing", async () => {
  const { store, log, now } = opened.world;
  const deps = { store, log, now, http: { request: fail, close: fail }, spend: fail };
  const collectInterval = { intervalMs: 1, isExplicit: false };
  const readiness = await TIKTOK.open({ ...deps, collectInterval }, { TIKTOK_CLIENT_KEY: "key" });
  expect(readiness).toMatchObject({ missing: expect.stringContaining("TIKTOK_CLIENT_SECRET") as string });
});

function fail(): never {
  throw new Error("nothing is asked");
}

/** The first page arrives, and the next one finds its search forgotten. */
function forgetting(body: unknown): unknown {
  opened.upstream.searches.expire();
  return body;
}
