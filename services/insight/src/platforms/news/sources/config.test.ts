import { expect, it } from "vitest";
import * as z from "zod";
import { newsConfig, newsVariables } from "../config.js";

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
