import { HttpFailure } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Insights } from "../insights.js";
import type { InsightRecord } from "../store/records.js";
import { PlatformError } from "../platforms/connector.js";
import {
  PAGE_RETRY,
  AUTH_RECHECK_MS,
  PLATFORM_CIRCUIT_MS,
  PLATFORM_FAILURES_MAX,
  REFUSALS_MAX,
  SEARCH_PAUSE_MS,
} from "./schedule-policy.js";
import { startReady } from "./searches.js";
import { CollectorWorld, drafts, INTERVAL_MS, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform } from "./testing/fake-platform.js";

const AWAY = new PlatformError("temporary", "The platform is unavailable.");

describe("a poll that fails", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
  });
  afterEach(() => world.close());
  const open = (connector: FakePlatform, platform = PLATFORM): FakePlatform => {
    world.platforms.set(platform, { connector });
    return connector;
  };

  it("is tried again after a growing time, and succeeds as if nothing had happened", async () => {
    const platform = open(new FakePlatform(AWAY, AWAY, AWAY, { postings: drafts(1), cursor: "c1" }));
    const insight = await world.insight();
    const worker = world.worker({ random: () => 0.999 });
    const delays: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await worker.pollNext();
      const { dueAt, status, lastError } = await world.search(insight);
      expect({ status, lastError }).toEqual({ status: "failing", lastError: AWAY.message });
      delays.push((dueAt ?? 0) - world.time);
    }
    expect(delays.map((delay) => Math.round(delay / 1000))).toEqual([6, 18, 54]);
    await worker.pollNext();
    expect(platform.requests).toHaveLength(4);
    expect(await world.search(insight)).toMatchObject({
      status: "waiting",
      cursor: "c1",
      lastError: null,
      failures: 0,
    });
  });

  it("waits as long as the platform says, however long that is", async () => {
    const retryAt = world.time + 3_600_000;
    open(new FakePlatform(new PlatformError("rate", "Too many requests.", { retryAt })));
    const insight = await world.insight();
    await world.worker({ random: () => 0 }).pollNext();
    const { dueAt, nextAt } = await world.search(insight);
    expect(dueAt).toBeGreaterThanOrEqual(retryAt);
    expect(dueAt).toBeLessThan(retryAt + 2000);
    expect(nextAt).toBe(dueAt);
  });

  it("opens a circuit after several attempts, and says so", async () => {
    const platform = open(new FakePlatform(...Array.from({ length: PAGE_RETRY.attemptsMax }, () => AWAY)));
    const insight = await world.insight();
    const worker = world.worker();
    for (let attempt = 0; attempt < PAGE_RETRY.attemptsMax; attempt += 1) await worker.pollNext();
    expect(platform.requests).toHaveLength(PAGE_RETRY.attemptsMax);
    expect(await world.search(insight)).toMatchObject({
      status: "failing",
      dueAt: world.time + SEARCH_PAUSE_MS,
      nextAt: world.time + SEARCH_PAUSE_MS,
      failures: 1,
      lastError:
        "The platform is unavailable. It failed repeatedly, so the next attempt is in 15 minutes at the earliest.",
    });
  });

  it("keeps the page at which it failed", async () => {
    const platform = open(
      new FakePlatform({ postings: drafts(1), nextPage: "p2", cursor: "c" }, AWAY, {
        postings: drafts(2),
        cursor: "c",
      }),
    );
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    await worker.pollNext();
    expect(platform.requests.map(({ pageToken }) => pageToken)).toEqual([null, "p2", "p2"]);
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
  });

  it("is not tried again at once if the platform refuses it, and starts again at the next turn", async () => {
    const refusal = new PlatformError("permanent", "The page token is unknown.");
    const platform = open(new FakePlatform({ postings: drafts(1), nextPage: "p2", cursor: "c" }, refusal));
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    const { dueAt } = await world.search(insight);
    expect(dueAt).toBeGreaterThanOrEqual(world.time + INTERVAL_MS / 2);
    await worker.pollNext();
    expect(platform.requests.map(({ pageToken }) => pageToken)).toEqual([null, "p2", null]);
  });

  it("opens a circuit if the platform refuses it repeatedly", async () => {
    const refusal = new PlatformError("permanent", "The query is too long.");
    open(new FakePlatform(...Array.from({ length: REFUSALS_MAX }, () => refusal)));
    const insight = await world.insight();
    const worker = world.worker();
    for (let turn = 0; turn < REFUSALS_MAX; turn += 1) await worker.pollNext();
    const { dueAt, failures } = await world.search(insight);
    expect(failures).toBe(REFUSALS_MAX);
    expect(dueAt).toBeGreaterThanOrEqual(world.time + SEARCH_PAUSE_MS);
  });

  it("asks little of a platform that fails one search after the other, and all again once it answers", async () => {
    const platform = open(new FakePlatform(...Array.from({ length: PLATFORM_FAILURES_MAX }, () => AWAY)));
    const insights: InsightRecord[] = [];
    for (let each = 0; each < PLATFORM_FAILURES_MAX + 2; each += 1) insights.push(await world.insight());
    world.time += 1000;
    const worker = world.worker();
    await worker.poll();
    expect(platform.requests).toHaveLength(PLATFORM_FAILURES_MAX);
    const searches = await world.collections.searches.find({});
    const unasked = searches.filter(({ counts }) => counts.requests === 0);
    expect(unasked).toHaveLength(2);
    for (const { status, lastError, nextAt } of unasked) {
      expect({ status, lastError }).toEqual({ status: "failing", lastError: AWAY.message });
      expect(nextAt).toBeGreaterThanOrEqual(world.time + PLATFORM_CIRCUIT_MS);
    }
    world.time += PLATFORM_CIRCUIT_MS + 10_000;
    await worker.poll();
    for (const insight of insights) expect((await world.search(insight)).status).toBe("waiting");
  });

  it("asks nothing more of a platform that rejects the credentials, for any search", async () => {
    const rejection = new PlatformError("auth", "Set another TWITTER_BEARER_TOKEN.");
    const platform = open(new FakePlatform(rejection));
    const [first, second] = [await world.insight(), await world.insight()];
    world.time += 1000;
    const worker = world.worker();
    await worker.poll();
    expect(platform.requests).toHaveLength(1);
    for (const insight of [first, second]) {
      const { status, lastError, dueAt } = await world.search(insight);
      expect({ status, lastError }).toEqual({ status: "auth_failed", lastError: rejection.message });
      expect(dueAt).toBeGreaterThanOrEqual(world.time + AUTH_RECHECK_MS);
    }
    world.time += AUTH_RECHECK_MS + 10_000;
    await worker.poll();
    expect(platform.requests).toHaveLength(3);
    expect(await world.search(second)).toMatchObject({ status: "waiting" });
  });

  it("tries rejected credentials again when a server starts", async () => {
    const platform = open(new FakePlatform(new PlatformError("auth", "Set another token.")));
    const insight = await world.insight();
    await world.worker().pollNext();
    const { collections, platforms, now } = world;
    await startReady(collections.searches, platforms, now());
    await world.worker().poll();
    expect(platform.requests).toHaveLength(2);
    expect(await world.search(insight)).toMatchObject({ status: "waiting", lastError: null });
  });

  it.each([
    ["its own error", new TypeError("undefined is not a function")],
    ["a connection that is reset", new HttpFailure("unreachable", "example.com closed the connection.")],
    ["a page without postings", { postings: undefined as never }],
    ["a page that is no page", "<html>"],
    ["postings that are none", { postings: [null as never, 7 as never] }],
    ["a next page that is none", { nextPage: undefined as never }],
  ])("survives %s", async (_, answer) => {
    open(new FakePlatform(answer, { postings: drafts(1) }));
    const insight = await world.insight();
    const worker = world.worker();
    await worker.pollNext();
    await worker.pollNext();
    expect(await world.stored(insight)).toEqual(["s1"]);
  });

  it("says so if the keywords are no longer understood, and asks nothing", async () => {
    const platform = open(new FakePlatform());
    const insight = await world.insight({}, { keywords: "kestrel (" });
    await world.worker().pollNext();
    expect(platform.requests).toEqual([]);
    const { status, lastError, counts } = await world.search(insight);
    expect({ status, requests: counts.requests }).toEqual({ status: "failing", requests: 0 });
    expect(lastError).toMatch(/no longer understood.*Create the insight again/);
  });

  it("does not disturb the other platforms of its insight", async () => {
    open(new FakePlatform(AWAY));
    open(new FakePlatform({ postings: drafts(1) }), "news");
    const insight = await world.insight({}, { platforms: [PLATFORM, "news"] });
    world.time += 1000;
    await world.worker().poll();
    expect((await world.search(insight)).status).toBe("failing");
    expect((await world.search(insight, "news")).status).toBe("waiting");
    expect(await world.stored(insight)).toEqual(["s1"]);
  });
});

describe("a platform that is not configured", () => {
  let world: CollectorWorld;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    world.platforms.set(PLATFORM, { missing: "Set TWITTER_BEARER_TOKEN." });
  });
  afterEach(() => world.close());

  it("says what is missing and is not looked at again", async () => {
    const insight = await world.insight();
    await world.worker().pollNext();
    expect(await world.search(insight)).toMatchObject({
      status: "not_configured",
      lastError: "Set TWITTER_BEARER_TOKEN.",
      dueAt: null,
    });
  });

  it("says so from the first answer on, before it is looked at, and again once it is resumed", async () => {
    const { store, collections, platforms, now } = world;
    const { query } = await world.insight();
    const insights = new Insights({ store, collections, platforms, now });
    const { id } = await insights.create({ companyId: 1, query, idempotencyKey: "" });
    const state = async () => (await insights.get(id, 1)).searches;
    const missing = { status: "not_configured", lastError: "Set TWITTER_BEARER_TOKEN.", nextAt: null };
    expect(await state()).toMatchObject([missing]);
    await insights.pause(id, 1);
    await insights.resume(id, 1);
    expect(await state()).toMatchObject([missing]);
  });

  it("remains importing when it is resumed", async () => {
    const insight = await world.insight();
    await world.collections.searches.updateMany({ insightId: insight.id }, { set: { status: "importing" } });
    await world.pause(insight);
    await world.resume(insight);
    expect((await world.search(insight)).status).toBe("importing");
  });

  it("is collected from once a server starts that has the settings, except for paused insights", async () => {
    const [running, paused] = [await world.insight(), await world.insight()];
    world.time += 1000;
    await world.worker().poll();
    await world.pause(paused);
    const connector = new FakePlatform({ postings: drafts(1) }, { postings: drafts(1) });
    world.platforms.set(PLATFORM, { connector });
    const { collections, platforms, now } = world;
    await startReady(collections.searches, platforms, now());
    await world.worker().poll();
    expect(await world.stored(running)).toEqual(["s1"]);
    expect(await world.stored(paused)).toEqual([]);
    expect(await world.search(paused)).toMatchObject({ dueAt: null });
    expect(connector.requests).toHaveLength(1);
  });
});
