import { readConfig } from "@hourglass/runtime";
import { expect, it } from "vitest";
import { insightSettings } from "../../config.js";

const platformsOf = (env: Record<string, string>) => readConfig(env, { insight: insightSettings }).insight.platforms;

it.each([
  [{}, []],
  [{ INSTAGRAM_ACCOUNTS: "@Kestrel_Demo, https://www.instagram.com/merlin.demo/" }, ["kestrel_demo", "merlin.demo"]],
])("%j follows the accounts %j", (env, accounts) => {
  expect(platformsOf(env)["INSTAGRAM_ACCOUNTS"]).toEqual(accounts);
});

it.each([
  ["INSTAGRAM_ACCOUNTS", "two words"],
  ["INSTAGRAM_USER_ID", "kestrel"],
  ["INSTAGRAM_HASHTAGS_PER_WEEK", "31"],
  ["INSTAGRAM_API_VERSION", "25"],
])("%s=%s stops the start", (name, value) => {
  expect(() => platformsOf({ [name]: value })).toThrow(new RegExp(name));
});
