import { readConfig } from "@hourglass/runtime";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { insightSettings } from "../../config.js";
import { newsConfig, newsVariables } from "./config.js";

const feedsOf = (env: Record<string, string>) =>
  readConfig(env, { insight: insightSettings }).insight.platforms["NEWS_FEEDS"] as string[];

it("follows a short list of public feeds unless it is set", () => {
  const feeds = feedsOf({});
  expect(feeds.length).toBeGreaterThan(3);
  expect(feeds.length).toBeLessThanOrEqual(8);
  for (const feed of feeds) expect(feed).toMatch(/^https:/);
});

it("takes feeds of the web and files, each once", () => {
  const given = " https://News.example.org/rss#top , file:///srv/press.rss,https://news.example.org/rss";
  expect(feedsOf({ NEWS_FEEDS: given })).toEqual(["https://news.example.org/rss", "file:///srv/press.rss"]);
});

it("follows no feed of the server if the operator says so", () => {
  expect(feedsOf({ NEWS_FEEDS: "none" })).toEqual([]);
});

it.each([
  "none,https://a.example/rss",
  "ftp://news.example.org/rss",
  "news.example.org",
  "https://a.example/rss,",
  "javascript:alert(1)",
])("stops the start for %s", (feeds) => {
  expect(() => feedsOf({ NEWS_FEEDS: feeds })).toThrow(/NEWS_FEEDS.*https:\/\/, http:\/\/ or file:\/\//);
});

it("tells an interval that was set from the usual one", () => {
  const intervalOf = (env: Record<string, string>) =>
    readConfig(env, { insight: insightSettings }).insight.collectInterval;
  expect(intervalOf({})).toEqual({ intervalMs: 300_000, isExplicit: false });
  expect(intervalOf({ COLLECT_INTERVAL_SECONDS: "300" })).toEqual({ intervalMs: 300_000, isExplicit: true });
});

describe("the variables of further sources", () => {
  const PAUSES = { intervalMs: 300_000, isExplicit: false };
  const configOf = (env: Record<string, string>) => newsConfig(z.object(newsVariables).parse(env), PAUSES);

  it("reads feeds only, unless GDELT or NewsAPI is set up", () => {
    expect(configOf({})).not.toHaveProperty("gdelt");
    expect(configOf({})).not.toHaveProperty("newsapi");
  });

  it.each([
    ["english", ["english"]],
    ["all", ["english", "translated"]],
  ])("reads GDELT's files for %s", (value, streams) => {
    const { gdelt } = configOf({ NEWS_GDELT: value, NEWS_GDELT_HOURS: "2" });
    expect(gdelt).toMatchObject({ streams, keepMs: 7_200_000, baseUrl: expect.stringMatching(/^https:/) as string });
  });

  it("asks NewsAPI with a key, by default as often as its smallest plan allows", () => {
    expect(configOf({ NEWSAPI_KEY: "k" }).newsapi).toEqual({
      key: "k",
      baseUrl: "https://newsapi.org",
      requestsPerDay: 100,
    });
  });

  it.each([{ NEWS_GDELT: "on" }, { NEWS_GDELT_HOURS: "169" }, { NEWSAPI_REQUESTS_PER_DAY: "0" }, { NEWSAPI_KEY: "" }])(
    "refuses %j",
    (env) => {
      expect(() => configOf(env as unknown as Record<string, string>)).toThrow();
    },
  );
});
