import { type Fault, youtubeProblem, YoutubeUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { YOUTUBE_VIDEOS } from "./index.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let opened: ConnectorWorld<YoutubeUpstream>;
let searchesPerDay = 1_000_000;

async function open(): Promise<ConnectorWorld<YoutubeUpstream>> {
  opened = await ConnectorWorld.open({
    module: YOUTUBE_VIDEOS,
    start: (now) => YoutubeUpstream.start({ key: "secret", now }),
    env: ({ origin }) => ({
      YOUTUBE_API_KEY: "secret",
      YOUTUBE_BASE_URL: origin,
      YOUTUBE_SEARCHES_PER_DAY: String(searchesPerDay),
      YOUTUBE_UNITS_PER_DAY: "1000000",
    }),
  });
  return opened;
}

beforeEach(async () => {
  searchesPerDay = 1_000_000;
  await open();
});
afterEach(() => opened.close());

const asked = (method: string) =>
  opened.upstream.seen.filter(({ path }) => path.endsWith(`/${method}`)).map(({ query }) => Object.fromEntries(query));

describe("a search of videos", () => {
  it("names its key in a header, never in an address", async () => {
    opened.post(1);
    await (await opened.connector()).fetchPage(opened.request());
    for (const { headers, query } of opened.upstream.seen) {
      expect(headers).toMatchObject({ "x-goog-api-key": "secret", "accept-encoding": "gzip, br" });
      expect(query.has("key")).toBe(false);
    }
    expect(asked("search")).toMatchObject([{ q: "kestrel", type: "video", order: "date", maxResults: "50" }]);
  });

  it("asks for all videos of a page at once, and for their channels", async () => {
    opened.post(3);
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect(page).toMatchObject({ requests: 3, skipped: 0 });
    expect(asked("videos")[0]?.["id"]?.split(",")).toHaveLength(3);
    expect(page.postings[0]?.author).toMatchObject({
      type: "channel",
      username: expect.stringContaining("_demo_") as string,
    });
  });

  it("asks from an hour before the newest video of the last poll, because some are indexed late", async () => {
    const insight = await opened.insight();
    const at = opened.world.time - MINUTE;
    opened.upstream.post({ at });
    await opened.pollToEnd(insight);
    const late = opened.upstream.post({ at: at - 30 * MINUTE, indexedAt: opened.world.time });
    await opened.pollToEnd(insight);
    expect(asked("search").at(-1)).toMatchObject({ publishedAfter: new Date(at - HOUR).toISOString() });
    expect(await opened.stored(insight)).toContain(late);
  });

  it("asks one query after the other if one cannot say all", async () => {
    const insight = await opened.insight({ keywords: "kestrel phone, peregrine tablet" });
    opened.upstream.post({ at: opened.world.time - HOUR });
    opened.upstream.post({ title: "Peregrine tablet", at: opened.world.time - MINUTE });
    await opened.pollToEnd(insight);
    expect(asked("search").map(({ q }) => q)).toEqual(["kestrel phone", "peregrine tablet"]);
    expect(await opened.stored(insight)).toHaveLength(2);
  });

  it("leaves out a deleted video that is still found", async () => {
    opened.upstream.post({ at: opened.world.time - MINUTE, isDeleted: true });
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect(page).toMatchObject({ postings: [], skipped: 0, requests: 2 });
  });

  it("does not search again if only what follows the search fails", async () => {
    const insight = await opened.insight();
    const ids = opened.post(3);
    opened.upstream.failNext({ kind: "changed", change: (body) => body }, { kind: "status", status: 503 });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual(ids);
    expect(asked("search")).toHaveLength(1);
  });

  it.each<[string, Fault]>([
    ["a failure", { kind: "status", status: 503 }],
    ["a spent quota", { kind: "status", status: 403, body: { error: { errors: [{ reason: "quotaExceeded" }] } } }],
    ["a web page", { kind: "web-page" }],
    ["an answer that breaks off", { kind: "cut" }],
  ])("keeps the videos if the question for their channels meets %s, and says what they lack", async (_name, fault) => {
    const ids = opened.post(3);
    const asIs = { kind: "changed", change: (body: unknown) => body } as const;
    opened.upstream.failNext(asIs, asIs, fault);
    const { postings, warnings, requests } = await (await opened.connector()).fetchPage(opened.request());
    expect(postings.map(({ socialId }) => socialId).sort()).toEqual([...ids].sort());
    expect(postings[0]?.author).not.toHaveProperty("username");
    expect([requests, warnings]).toEqual([3, [expect.stringContaining("lack the handles of their channels")]]);
  });

  it("reads the handles of channels with a later poll if a failure has kept them back, and then no more", async () => {
    const insight = await opened.insight();
    const old = opened.upstream.post({ at: opened.world.time - 5 * HOUR });
    const ids = [old, ...opened.post(1)];
    const asIs = { kind: "changed", change: (body: unknown) => body } as const;
    opened.upstream.failNext(asIs, asIs, { kind: "status", status: 503 });
    await opened.pollToEnd(insight);
    const authorOf = async (id: string) =>
      (await opened.world.collections.postings.find({ socialId: id }))[0]?.content.author;
    expect(await authorOf(old)).not.toHaveProperty("username");
    opened.world.time += 3 * HOUR;
    opened.upstream.failNext({ kind: "status", status: 503 });
    await opened.pollToEnd(insight);
    expect(await authorOf(old)).not.toHaveProperty("username");
    opened.world.time += 3 * HOUR;
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([...ids].sort());
    for (const id of ids) expect((await authorOf(id))?.username).toContain("_demo_");
    opened.world.time += 3 * HOUR;
    const before = asked("videos").length;
    await opened.pollToEnd(insight);
    // The newest one is found again.
    expect(asked("videos")).toHaveLength(before + 1);
    expect(asked("videos").at(-1)?.["id"]).toBe(ids[1]);
  });

  it("updates the counts and the text of a video that is seen again", async () => {
    const insight = await opened.insight();
    const [id = ""] = opened.post(1);
    await opened.pollToEnd(insight);
    opened.upstream.videos.edit(id, (video) => ({ ...video, title: "Kestrel, corrected", views: 1_000_000 }));
    await opened.pollToEnd(insight);
    const [posting] = await opened.world.collections.postings.find({ socialId: id });
    expect(posting?.content).toMatchObject({
      text: expect.stringContaining("Kestrel, corrected") as string,
      counts: { view_count: 1_000_000 },
    });
  });

  it("shows a gap where YouTube gives no more results", async () => {
    const pageToken = { query: 0, next: null, found: null, read: 450, oldest: null, newest: {} };
    const [id = ""] = opened.post(1);
    const request = opened.request({ pageToken });
    const { gaps } = await (await opened.connector()).fetchPage(request);
    expect(gaps).toEqual([
      {
        from: request.since,
        to: Math.floor((opened.upstream.videos.get(id)?.at ?? 0) / 1000) * 1000,
        reason: "page_limit",
      },
    ]);
  });

  it("ends at an empty page, although YouTube states a next one", async () => {
    opened.upstream.failNext({ kind: "changed", change: (body) => ({ ...(body as object), nextPageToken: "more" }) });
    const page = await (await opened.connector()).fetchPage(opened.request());
    expect(page).toMatchObject({ nextPage: null, requests: 1 });
  });

  it("marks what a fake invented", async () => {
    opened.post(1);
    const { postings } = await (await opened.connector()).fetchPage(opened.request());
    expect(postings[0]?.moreInfo).toMatchObject({ demo: true });
  });

  it("tells what it would ask, and what it leaves out", async () => {
    const search = { ...opened.request().search, query: parseQuery("kestrel, kes*") };
    const plan = (await opened.connector()).plan(search);
    expect(plan).toMatchObject({ queries: ["kestrel"], cost: expect.stringContaining("1000000 searches") as string });
    expect(plan.warnings).toEqual([expect.stringContaining("kes*")]);
  });

  it("with a location finds videos that were recorded there only, and says what is not known", async () => {
    const insight = await opened.insight({ location: "Leeds, UK; 97201; Xyzzy" });
    const place = { name: "Headingley", latitude: 53.82, longitude: -1.58 };
    const there = opened.upstream.post({ at: opened.world.time - MINUTE, place });
    opened.upstream.post({
      at: opened.world.time - MINUTE,
      place: { name: "London", latitude: 51.5, longitude: -0.1 },
    });
    opened.upstream.post({ at: opened.world.time - MINUTE });
    const { warnings } = await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toEqual([there]);
    expect(asked("search")).toMatchObject([{ locationRadius: "40km" }, { locationRadius: "16km" }]);
    expect(warnings).toEqual([expect.stringContaining("few do"), expect.stringContaining("Xyzzy")]);
  });

  it("in a country asks for what may be watched there, and says so", async () => {
    const { warnings } = await opened.pollToEnd(await opened.insight({ location: "France" }));
    expect(asked("search")).toMatchObject([{ regionCode: "FR" }]);
    expect(warnings).toEqual([expect.stringContaining("may be watched there")]);
  });

  it("that YouTube cannot be asked fails without a request", async () => {
    const search = { ...opened.request().search, query: parseQuery("kes*") };
    const asking = (await opened.connector()).fetchPage(opened.request({ search }));
    await expect(asking).rejects.toMatchObject({ kind: "permanent", requests: 0 });
    expect(opened.upstream.seen).toEqual([]);
  });
});

describe("what YouTube says", () => {
  const problems: [string, ReturnType<typeof youtubeProblem>, string, RegExp][] = [
    ["a wrong key", youtubeProblem(400, "keyInvalid"), "auth_failed", /renew YOUTUBE_API_KEY/],
    ["an expired key", youtubeProblem(400, "badRequest", "API key expired."), "auth_failed", /renew YOUTUBE_API_KEY/],
    ["a key that is restricted", youtubeProblem(403, "ipRefererBlocked"), "auth_failed", /let this server/],
    ["a project without the API", youtubeProblem(403, "accessNotConfigured"), "auth_failed", /enable/],
    ["no permission", youtubeProblem(403, "forbidden"), "auth_failed", /forbids/],
    ["too many requests", youtubeProblem(403, "rateLimitExceeded"), "failing", /too many/],
    ["a failure to process", youtubeProblem(400, "processingFailure"), "failing", /retried/],
    ["a bad page token", youtubeProblem(400, "invalidPageToken", "Invalid <b>token</b>"), "failing", /Invalid token/],
  ];

  it.each(problems)("of %s becomes a sentence that helps", async (_name, reply, status, sentence) => {
    opened.upstream.failNext({ kind: "status", ...reply, status: reply.status ?? 0 });
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    expect(await opened.search(insight)).toMatchObject({
      status,
      lastError: expect.stringMatching(sentence) as string,
    });
  });

  it.each(["quotaExceeded", "dailyLimitExceeded"])("of %s lets all wait for midnight in California", async (reason) => {
    const reply = youtubeProblem(403, reason);
    opened.upstream.failNext({ kind: "status", ...reply, status: 403 });
    const insight = await opened.insight();
    await opened.world.worker().pollNext();
    const { status, dueAt } = await opened.search(insight);
    expect(status).toBe("budget_spent");
    expect(dueAt).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 23, 8));
  });

  it("of a key that it does not know is said without the key", async () => {
    const answer = youtubeProblem(400, "badRequest", "API key not valid.", "API_KEY_INVALID");
    opened.upstream.failNext({ kind: "status", ...answer, status: 400 });
    const asking = (await opened.connector()).fetchPage(opened.request());
    await expect(asking).rejects.toMatchObject({
      kind: "auth",
      message: expect.not.stringContaining("secret") as string,
    });
  });
});

describe("the budget of searches", () => {
  it("that is spread over the day lets the search wait, and a preview go first", async () => {
    await opened.close();
    searchesPerDay = 10;
    const world = await open();
    world.world.time = Date.UTC(2026, 10, 22, 8, 30);
    world.post(30);
    await world.pollToEnd(await world.insight());
    const second = await world.insight();
    await world.world.worker().pollNext();
    const search = await world.search(second);
    expect(search).toMatchObject({
      status: "budget_spent",
      lastError: expect.stringContaining("YOUTUBE_SEARCHES_PER_DAY") as string,
    });
    expect(search.dueAt).toBeGreaterThan(world.world.time + HOUR);
    const preview = await world.insight({ sneakPeek: true });
    await world.world.worker().poll();
    expect(await world.stored(preview)).toHaveLength(25);
  });

  it("is never exceeded over days, and nearly used up", async () => {
    await opened.close();
    searchesPerDay = 10;
    const world = await open();
    world.world.time = Date.UTC(2026, 10, 22, 8);
    await Promise.all([world.insight(), world.insight()]);
    const end = world.world.time + DAY;
    while (world.world.time < end) await world.world.worker().pollNext();
    const searches = asked("search").length;
    expect(searches).toBeGreaterThanOrEqual(9);
    expect(searches).toBeLessThanOrEqual(11);
  });
});

it("without a key says which setting is missing", async () => {
  const { store, log, now } = opened.world;
  const deps = { store, log, now, http: { request: fail, close: fail }, spend: fail };
  const collectInterval = { intervalMs: 1, isExplicit: false };
  const readiness = await YOUTUBE_VIDEOS.open(
    { ...deps, collectInterval },
    { YOUTUBE_BASE_URL: "https://youtube.test" },
  );
  expect(readiness).toMatchObject({ missing: expect.stringContaining("YOUTUBE_API_KEY") as string });
});

function fail(): never {
  throw new Error("nothing is asked");
}
