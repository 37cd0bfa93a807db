import { create } from "@bufbuild/protobuf";
import { Completeness, GapReason } from "@hourglass/proto/insight/v1/coverage";
import { InsightDimension, InsightSchema, InsightStatus } from "@hourglass/proto/insight/v1/insight";
import { ExpressionKind } from "@hourglass/proto/insight/v1/insight_service";
import { CollectionMode, Platform, PlatformStatus } from "@hourglass/proto/insight/v1/platform";
import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient } from "../testing/gateway-under-test.js";

const INSIGHTS = "/api/v2/products/insight";
const QUERY = { keywords: "a", platforms: ["youtube-videos"], dimensions: ["visual"], location: null };

const at = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });

describe("insights through the gateway", () => {
  const gateway = new GatewayClient();
  const { start, get, post } = gateway;

  afterEach(() => gateway.stop());

  async function detailsOf(response: Response): Promise<string[]> {
    expect(response.status).toBe(400);
    const { details = [] } = (await response.json()) as { details?: { field: string }[] };
    return details.map(({ field }) => field);
  }

  it("answers a creation with its id, also in Location, and a notice", async () => {
    const seen: unknown[] = [];
    await start({
      insight: {
        createInsight: ({ query, idempotencyKey }) => {
          seen.push(query?.platforms, query?.sneakPeek, query?.location, query?.follow, idempotencyKey);
          return Promise.resolve({ id: 12n, notice: "It runs." });
        },
      },
    });
    const response = await post(INSIGHTS, { query: QUERY }, { "idempotency-key": "k1" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: 12, notice: "It runs.", warnings: [] });
    expect(response.headers.get("location")).toBe(`${INSIGHTS}/12`);
    expect(seen).toEqual([[Platform.YOUTUBE_VIDEOS], false, "", undefined, "k1"]);
  });

  it("passes on the sources that a search follows, and names wrong ones", async () => {
    const seen: unknown[] = [];
    let organisations: string[] | undefined;
    await start({
      insight: {
        createInsight: ({ query }) => {
          seen.push(query?.follow?.feeds, query?.follow?.subreddits, query?.follow?.pages);
          organisations = query?.follow?.organisations;
          return Promise.resolve({ id: 1n, notice: "It runs." });
        },
        checkInsight: () => Promise.resolve({}),
      },
    });
    const follow = { feeds: ["https://a.example/feed.xml"], subreddits: ["phones"], pages: null };
    expect((await post(INSIGHTS, { query: { ...QUERY, follow } })).status).toBe(200);
    expect(seen).toEqual([["https://a.example/feed.xml"], ["phones"], []]);
    expect((await post(INSIGHTS, { query: { ...QUERY, follow: { organizations: ["7"] } } })).status).toBe(200);
    expect(organisations).toEqual(["7"]);
    const wrong = {
      feeds: ["feed.xml", 5],
      subreddits: ["r/phones"],
      organisations: ["7", "7"],
      pages: Array.from({ length: 51 }, (_, index) => `p${index}`),
    };
    expect([...new Set(await detailsOf(await post(INSIGHTS, { query: { ...QUERY, follow: wrong } })))].sort()).toEqual([
      "query.follow.feeds[0]",
      "query.follow.feeds[1]",
      "query.follow.organisations",
      "query.follow.pages",
      "query.follow.subreddits[0]",
    ]);
    expect(await detailsOf(await post(INSIGHTS, { query: { ...QUERY, follow: [] } }))).toEqual(["query.follow"]);
  });

  it.each([
    ["http://", "Give an absolute http or https URL."],
    ["https:///feed.xml", "Give an absolute http or https URL."],
    ["http://:8080/feed.xml", "Give an absolute http or https URL."],
    ["ftp://a.example/feed.xml", "Give an absolute http or https URL."],
    ["http://ann:secret@a.example/feed.xml", "Leave out the user name and password: name a feed that anyone may read."],
    ["https://ann@a.example/feed.xml", "Leave out the user name and password: name a feed that anyone may read."],
    ["http://a.example:0/feed.xml", "Give a port from 1 to 65535, or none."],
    ["http://a.example:65536", "Give a port from 1 to 65535, or none."],
    ["https://[2606:4700::1]:99999/feed.xml", "Give a port from 1 to 65535, or none."],
  ])("refuses to follow %s when it is named, not when it is read", async (feed, message) => {
    await start({ insight: { createInsight: () => Promise.resolve({ id: 1n }) } });
    const right = [
      "http://a.example/feed.xml",
      "https://a.example:65535/@ann:1?at=b@c:99999",
      "https://[2606:4700::1]:8080/",
    ];
    const refused = await post(INSIGHTS, { query: { ...QUERY, follow: { feeds: [...right, feed] } } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ details: [{ field: "query.follow.feeds[3]", message }] });
    expect((await post(INSIGHTS, { query: { ...QUERY, follow: { feeds: right } } })).status).toBe(200);
  });

  it("tells what a search would do", async () => {
    await start({
      insight: {
        checkInsight: ({ query }) =>
          Promise.resolve({
            terms: [query?.keywords ?? ""],
            parsed: {
              sentence: "a; without: #b",
              terms: [
                {
                  text: "a",
                  sentence: "a; without: #b",
                  expression: {
                    kind: ExpressionKind.ALL,
                    parts: [
                      { kind: ExpressionKind.WORD, value: "a" },
                      { kind: ExpressionKind.WITHOUT, parts: [{ kind: ExpressionKind.TAG, value: "b" }] },
                    ],
                  },
                },
              ],
            },
            platforms: [
              {
                platform: Platform.NEWS,
                status: PlatformStatus.NOT_CONFIGURED,
                mode: CollectionMode.FOLLOW,
                queries: ["https://a.example/feed.xml"],
                narrowedLocally: true,
                cost: "1 request per feed",
              },
            ],
            queryWarnings: [{ message: "It finds much." }],
          }),
      },
    });
    const response = await post(`${INSIGHTS}/check`, { query: QUERY });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      terms: ["a"],
      parsed: {
        sentence: "a; without: #b",
        terms: [
          {
            text: "a",
            sentence: "a; without: #b",
            expression: {
              kind: "all",
              parts: [
                { kind: "word", value: "a" },
                { kind: "without", parts: [{ kind: "tag", value: "b" }] },
              ],
            },
          },
        ],
      },
      platforms: [
        {
          platform: "news",
          state: "not_configured",
          mode: "follow",
          queries: ["https://a.example/feed.xml"],
          narrowed_locally: true,
          cost: "1 request per feed",
          warnings: [],
        },
      ],
      warnings: [{ message: "It finds much.", start: null, end: null, fix: null }],
    });
    expect(await detailsOf(await post(`${INSIGHTS}/check`, { query: {} }))).toEqual([
      "query.keywords",
      "query.platforms",
      "query.dimensions",
    ]);
  });

  it.each(["pause", "resume"])("answers 400 to the %s of an insight that is not there", async (verb) => {
    const missing = () => Promise.reject(new AppError("not-found", "There is no such insight."));
    await start({ insight: { pauseInsight: missing, resumeInsight: missing } });
    for (const id of ["5", "x", "%zz", "0", "check", "platforms"]) {
      const response = await fetch(`${gateway.url}${INSIGHTS}/${id}/${verb}`, {
        method: "PUT",
        headers: { authorization: AUTHORIZATION },
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toHaveProperty("error");
    }
  });

  it("shows the record as the interface spells it", async () => {
    const insight = create(InsightSchema, {
      id: 3n,
      status: InsightStatus.RUNNING,
      query: {
        keywords: "a, b",
        platforms: [Platform.NEWS, Platform.REDDIT],
        dimensions: [InsightDimension.TEXTUAL],
        follow: { feeds: ["https://a.example/feed.xml"] },
      },
      terms: "a, b",
      postingCount: 7n,
      unanalysedCount: 2n,
      platforms: [
        {
          platform: Platform.NEWS,
          status: PlatformStatus.WAITING,
          nextAt: at(60),
          lastSuccessAt: at(2),
          counts: { requests: 1n, fetched: 9n, matched: 8n, stored: 7n, duplicates: 1n },
          warnings: ["Leeds is not known."],
        },
        { platform: Platform.REDDIT, status: PlatformStatus.NOT_CONFIGURED, lastError: "Set REDDIT_CLIENT_ID." },
      ],
      createdAt: at(1),
      version: 2,
      versions: [
        {
          version: 1,
          at: at(1),
          author: { userId: 3n, name: "Ann" },
          keywords: "a",
          platforms: [Platform.NEWS],
          location: "Leeds",
        },
        { version: 2, at: at(2), keywords: "a, b", platforms: [Platform.NEWS, Platform.REDDIT] },
      ],
    });
    await start({
      insight: {
        getInsight: () => Promise.resolve({ insight }),
        listInsights: () => Promise.resolve({ insights: [insight], nextCursor: "c" }),
      },
    });
    const counts = { requests: 0, fetched: 0, matched: 0, stored: 0, duplicates: 0, skipped: 0 };
    const record = {
      id: 3,
      created_by: null,
      status: "running",
      query: {
        keywords: "a, b",
        platforms: ["news", "reddit"],
        dimensions: ["textual"],
        location: null,
        sneak_peek: false,
        follow: { feeds: ["https://a.example/feed.xml"], subreddits: [], pages: [], organisations: [] },
      },
      terms: "a, b",
      posting_count: 7,
      unanalysed_count: 2,
      last_activity_at: null,
      platforms: [
        {
          platform: "news",
          state: "waiting",
          next_at: "1970-01-01T00:01:00.000Z",
          last_success_at: "1970-01-01T00:00:02.000Z",
          last_error: null,
          stalled: null,
          counts: { ...counts, requests: 1, fetched: 9, matched: 8, stored: 7, duplicates: 1 },
          warnings: ["Leeds is not known."],
        },
        {
          platform: "reddit",
          state: "not_configured",
          next_at: null,
          last_success_at: null,
          last_error: "Set REDDIT_CLIENT_ID.",
          stalled: null,
          counts,
          warnings: [],
        },
      ],
      created_at: "1970-01-01T00:00:01.000Z",
      finished_at: null,
      version: 2,
      versions: [
        {
          version: 1,
          at: "1970-01-01T00:00:01.000Z",
          created_by: { user_id: 3, key_id: null, name: "Ann" },
          keywords: "a",
          platforms: ["news"],
          location: "Leeds",
          follow: null,
        },
        {
          version: 2,
          at: "1970-01-01T00:00:02.000Z",
          created_by: null,
          keywords: "a, b",
          platforms: ["news", "reddit"],
          location: null,
          follow: null,
        },
      ],
    };
    expect(await (await get(`${INSIGHTS}/3`)).json()).toEqual(record);
    expect(await (await get(INSIGHTS)).json()).toEqual({ insights: [record], next_cursor: "c" });
  });

  it("passes on what is to be changed, and names all that is wrong with it", async () => {
    const seen: unknown[] = [];
    const checked: unknown[] = [];
    await start({
      insight: {
        updateInsight: ({ id, name, keywords, platforms, location, follow, sneakPeek }) => {
          seen.push([id, name, keywords, platforms?.platforms, location, follow?.feeds, sneakPeek]);
          return Promise.resolve({ insight: { id, version: 2 } });
        },
        checkInsight: ({ query }) => {
          checked.push(query?.keywords);
          return Promise.reject(AppError.invalid([{ field: "query.keywords", message: "Close the quote." }]));
        },
      },
    });
    const patch = (body: object) =>
      fetch(`${gateway.url}${INSIGHTS}/3`, {
        method: "PATCH",
        headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await patch({ keywords: "b", platforms: ["news"], follow: { feeds: [] } })).status).toBe(200);
    expect((await patch({ name: "", location: "", sneak_peek: false, keywords: null })).status).toBe(200);
    expect(seen).toEqual([
      [3n, undefined, "b", [Platform.NEWS], undefined, [], undefined],
      [3n, "", undefined, undefined, "", undefined, false],
    ]);
    const wrong = { keywords: '"b', dimensions: ["visual"], query: {}, status: "paused" };
    expect(await detailsOf(await patch(wrong))).toEqual(["dimensions", "query", "status", "keywords"]);
    expect(checked).toEqual(['"b']);
    expect(await detailsOf(await patch({ keyword: "b" }))).toEqual(["keyword"]);
    const long = { name: "x".repeat(121), keywords: '"b', dimensions: null };
    expect(await detailsOf(await patch(long))).toEqual(["dimensions", "name", "keywords"]);
    expect(await detailsOf(await patch({ terms: "b" }))).toEqual(["terms"]);
    expect(await detailsOf(await patch({}))).toEqual(["name"]);
    expect(seen).toHaveLength(2);
  });

  it("says why a preview failed, and when", async () => {
    const insight = { id: 3n, status: InsightStatus.FAILED, error: "No platform answered.", finishedAt: at(1) };
    await start({ insight: { getInsight: () => Promise.resolve({ insight }) } });
    expect(await (await get(`${INSIGHTS}/3`)).json()).toMatchObject({
      status: "failed",
      error: "No platform answered.",
      finished_at: "1970-01-01T00:00:01.000Z",
      query: { follow: null },
    });
  });

  it("lists platforms, and what each of them misses", async () => {
    await start({
      insight: {
        listPlatforms: () =>
          Promise.resolve({
            platforms: [
              { platform: Platform.NEWS, status: PlatformStatus.WAITING, mode: CollectionMode.FOLLOW },
              {
                platform: Platform.TIKTOK,
                status: PlatformStatus.NOT_CONFIGURED,
                mode: CollectionMode.SEARCH,
                missing: "Set TIKTOK_CLIENT_KEY.",
              },
            ],
          }),
      },
    });
    expect(await (await get(`${INSIGHTS}/platforms`)).json()).toEqual({
      platforms: [
        { platform: "news", state: "waiting", mode: "follow", missing: null },
        { platform: "tiktok", state: "not_configured", mode: "search", missing: "Set TIKTOK_CLIENT_KEY." },
      ],
    });
  });

  it("tells which days were covered, and why others were not", async () => {
    const seen: unknown[] = [];
    await start({
      insight: {
        getCoverage: ({ id, start: from, end }) => {
          seen.push(id, from?.seconds, end?.seconds);
          return Promise.resolve({
            platforms: [
              {
                platform: Platform.NEWS,
                spans: [
                  {
                    start: at(0),
                    end: at(1),
                    completeness: Completeness.UNKNOWN,
                    reasons: [GapReason.BEFORE_WINDOW, GapReason.PAUSE],
                  },
                ],
              },
            ],
          });
        },
      },
    });
    const coverage = (query: string) => get(`${INSIGHTS}/4/coverage${query}`);
    expect(await (await coverage("?start_date=1970-01-02&end_date=1970-01-03")).json()).toEqual({
      platforms: [
        {
          platform: "news",
          spans: [
            {
              start: "1970-01-01T00:00:00.000Z",
              end: "1970-01-01T00:00:01.000Z",
              completeness: "unknown",
              reasons: ["before_window", "pause"],
            },
          ],
        },
      ],
    });
    await coverage("");
    expect(seen).toEqual([4n, 86_400n, 172_800n, 4n, undefined, undefined]);
    expect(await detailsOf(await coverage("?start_date=2026-02-30&end_date=x"))).toEqual(["start_date", "end_date"]);
    expect(await detailsOf(await coverage("?start_date=2026-02-02&end_date=2026-02-02"))).toEqual(["start_date"]);
  });
});

const SUMMARY = "/api/v2/products/insight/1/summary";

describe("summaries through the gateway", () => {
  const gateway = new GatewayClient();
  afterEach(() => gateway.stop());

  it("tell what helps if counting takes too long", async () => {
    const summarize = () => Promise.reject(new AppError("deadline", "The service took too long to answer."));
    await gateway.start({ insight: { summarize } });
    const answer = await gateway.get(`${SUMMARY}?platform=news`);
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({
      code: "deadline_exceeded",
      error: expect.stringMatching(/still being counted\. Try again in a minute/) as string,
    });
  });
});
