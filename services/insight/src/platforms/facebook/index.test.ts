import { readConfig } from "@hourglass/runtime";
import { expect, it } from "vitest";
import { insightSettings } from "../../config.js";

const pagesOf = (env: Record<string, string>) =>
  readConfig(env, { insight: insightSettings }).insight.platforms["FACEBOOK_PAGES"] as string[];

it.each([
  [{}, []],
  [{ FACEBOOK_PAGES: "none" }, []],
  [{ FACEBOOK_PAGES: "Kestrel.Demo, 100000000000001,kestrel.demo" }, ["kestrel.demo", "100000000000001"]],
  [{ FACEBOOK_PAGES: "https://www.facebook.com/kestrel.demo/" }, ["kestrel.demo"]],
])("%j follows the pages %j", (env, pages) => {
  expect(pagesOf(env)).toEqual(pages);
});

it.each(["..", "two words", "a/b", "a,"])("a page %s stops the start", (pages) => {
  expect(() => pagesOf({ FACEBOOK_PAGES: pages })).toThrow(/FACEBOOK_PAGES.*ids or names of pages/);
});
