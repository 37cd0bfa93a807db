import { TwitterUpstream } from "@hourglass/demo";
import { readConfig } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { administerPlatforms, type PlatformAdministration } from "./administer-platforms.js";
import { insightSettings } from "./config.js";
import { PostingsWorld } from "./postings/testing/postings-world.js";
import { searchId, type SearchRecord } from "./store/records.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const outbound = { allowPrivateUrls: false, allowedHosts: [], fetches: 8 };

let world: PostingsWorld;
let twitter: TwitterUpstream;
let opened: PlatformAdministration[];
beforeEach(async () => {
  world = await PostingsWorld.open();
  twitter = await TwitterUpstream.start({ token: "right", now: () => NOW });
  opened = [];
});
afterEach(async () => {
  for (const administration of opened) administration.close();
  await twitter.close();
  await world.close();
});

async function administration(token?: string): Promise<PlatformAdministration> {
  const env = { TWITTER_BASE_URL: twitter.origin, ...(token !== undefined && { TWITTER_BEARER_TOKEN: token }) };
  const config = { insight: readConfig(env, { insight: insightSettings }).insight, outbound, leaseMs: 1000 };
  const one = await administerPlatforms({ store: world.store, config, now: () => NOW });
  opened.push(one);
  return one;
}

const of = <T extends { name: string }>(name: string, all: readonly T[]) => all.find((each) => each.name === name);

describe("the check of platforms", () => {
  it("says that a credential is accepted, and reads no posting for that", async () => {
    twitter.post();
    expect(of("twitter", await (await administration("right")).check())).toMatchObject({ outcome: "accepted" });
    expect(twitter.postsRead).toBe(0);
  });

  it("says what to do about a credential that is refused, without naming it", async () => {
    const checked = of("twitter", await (await administration("wrong-secret")).check());
    expect(checked).toMatchObject({
      outcome: "refused",
      message: expect.stringContaining("TWITTER_BEARER_TOKEN") as string,
    });
    expect(checked?.message).not.toContain("wrong-secret");
  });

  it("names the settings that are missing, and what needs none", async () => {
    const checks = await (await administration()).check();
    expect(of("twitter", checks)).toMatchObject({
      outcome: "not configured",
      message: expect.stringContaining("TWITTER_BEARER_TOKEN") as string,
    });
    expect(of("news", checks)).toEqual({ name: "news", outcome: "needs no credentials", message: "" });
    expect(twitter.seen).toEqual([]);
  });
});

describe("the list of platforms", () => {
  it("counts searches by their state", async () => {
    const insight = await world.insight();
    const { platforms } = await (await administration("right")).list();
    expect(of("twitter", platforms)).toEqual({ name: "twitter", missing: undefined, searches: {} });
    const { searches } = world.collections;
    const search = { id: searchId(insight.id, "twitter"), insightId: insight.id, platform: "twitter" };
    await searches.insert({ ...search, status: "failing" } as SearchRecord);
    const later = await (await administration("right")).list();
    expect(of("twitter", later.platforms)).toMatchObject({ searches: { failing: 1 } });
    expect(of("reddit", later.platforms)?.missing).toContain("REDDIT_CLIENT_ID");
  });

  it("tells what is spent of the budgets of what is configured", async () => {
    await world.store.spend({ name: "twitter.posts", window: "2026-11", limit: 10_000 }, 120);
    const { budgets } = await (await administration("right")).list();
    expect(budgets).toEqual([
      { name: "twitter.posts", limit: 10_000, spent: 120, units: "posts of X", resetAt: Date.UTC(2026, 11) },
    ]);
  });
});
